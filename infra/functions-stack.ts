import { Duration, Fn, Stack } from 'aws-cdk-lib'
import { Rule, Schedule } from 'aws-cdk-lib/aws-events'
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets'
import { Key } from 'aws-cdk-lib/aws-kms'
import {
  type CfnFunction,
  type Code,
  FilterCriteria,
  FilterRule,
  type Function as Lambda,
  RecursiveLoop,
  StartingPosition,
} from 'aws-cdk-lib/aws-lambda'
import { SqsDlq } from 'aws-cdk-lib/aws-lambda-event-sources'
import { type IQueue, Queue } from 'aws-cdk-lib/aws-sqs'
import { StringParameter } from 'aws-cdk-lib/aws-ssm'
import type { Construct } from 'constructs'
import { fanOut, notFound, ROUND_SECONDS, sweep, workedQueues, worker_seconds, workers } from '#shared/background.ts'
import type { QueueName } from '#shared/platform/ports.ts'
import { servedPages, servedRoutes } from '#shared/routes.ts'
import { OUTBOX } from '#shared/store/keys.ts'
import { measureDeliveries, measurePayments, measureSweep, measureUnresolved } from './log-metrics.ts'
import { namesOf } from './names.ts'
import { type Own, ownFunction, type Shared } from './own-function.ts'
import { arnOf, Permissions } from './permissions.ts'
import { accept } from './review.ts'
import type { Stage } from './stage.ts'
import { deliveryAddresses } from './stage-properties.ts'

/** How long a request may take: longer than API Gateway waits, so that the client's answer is the gateway's 504. */
const REQUEST_SECONDS = 35

/** One Lambda for each row of the route table, each page and each background file; each with its own role and log group. */
export class FunctionsStack extends Stack {
  readonly #shared: Shared
  readonly #lost: IQueue

  constructor(scope: Construct, id: string, { stage, code }: { stage: Stage; code: (file: string) => Code }) {
    const names = namesOf(stage.name)
    super(scope, id, { stackName: names.stack('functions'), terminationProtection: stage.deletionProtection })
    const key = Key.fromKeyArn(this, 'DataKey', StringParameter.valueForStringParameter(this, names.dataKeyArn))
    this.#shared = { stage, names, code, key }
    this.#lost = Queue.fromQueueArn(this, 'LostWakeUps', arnOf('sqs', names.lostWakeUps))
    const permissions = new Permissions(names)
    const losing = permissions.losing()

    for (const { file } of [...servedRoutes(), ...servedPages()]) this.#function(file, { seconds: REQUEST_SECONDS })
    this.#function(notFound, { seconds: REQUEST_SECONDS })
    const woken = [...permissions.due(), ...losing]
    this.#everyMinute({ seconds: ROUND_SECONDS, woken, options: { deadLetterQueue: this.#lost } })
    this.#onOutboxRows({ seconds: ROUND_SECONDS, woken: [...permissions.stream(), ...losing] })
    for (const { queue } of workedQueues()) this.#onMessages(queue, permissions)
  }

  #function(file: string, own: Own): Lambda {
    const lambda = ownFunction(this, file, this.#shared, own)
    measurePayments(lambda, file, this.#shared.names)
    return lambda
  }

  #everyMinute(own: Own): void {
    const sweeper = this.#function(sweep, own)
    measureSweep(sweeper, this.#shared.names)
    new Rule(this, 'EveryMinute', {
      ruleName: this.#shared.names.everyMinute,
      schedule: Schedule.rate(Duration.minutes(1)),
      targets: [new LambdaFunction(sweeper, { retryAttempts: 0, deadLetterQueue: this.#lost })],
    })
  }

  /** Of all that is written to the table, only a new outbox row wakes the function. */
  #onOutboxRows(own: Own): void {
    const Keys = { pk: { S: FilterRule.beginsWith(OUTBOX.pk_prefix) }, sk: { S: FilterRule.isEqual(OUTBOX.sk) } }
    this.#function(fanOut, own).addEventSourceMapping('Stream', {
      eventSourceArn: StringParameter.valueForStringParameter(this, this.#shared.names.streamArn),
      // From the latest on, what is written while the mapping is made would be missed.
      startingPosition: StartingPosition.TRIM_HORIZON,
      batchSize: 100,
      // So many batches of a shard at the same time: a merchant with many webhooks holds up few others, and all of them
      // together leave the API its room.
      parallelizationFactor: 4,
      // What cannot be told within a minute is left to the sweep, and holds up nothing behind it.
      retryAttempts: 0,
      maxRecordAge: Duration.minutes(1),
      onFailure: new SqsDlq(this.#lost),
      filters: [FilterCriteria.filter({ eventName: FilterRule.isEqual('INSERT'), dynamodb: { Keys } })],
    })
  }

  #onMessages(queue: QueueName, permissions: Permissions): void {
    const { stage, names } = this.#shared
    // A worker goes on with long work by a message to itself, which Lambda would stop after 16 times.
    const options = { recursiveLoop: RecursiveLoop.ALLOW }
    // Lambda removes the interfaces of a function that has left the network in the name of its role.
    const managesInterfaces = queue === 'deliveries' && stage.properties.fixed_addresses !== 'none'
    const woken = [...permissions.messages(queue), ...(managesInterfaces ? permissions.network() : [])]
    const worker = this.#function(workers[queue], { seconds: worker_seconds[queue], woken, options })
    if (queue === 'deliveries') this.#throughNetwork(worker)
    measureUnresolved(worker, queue, names)
    if (queue === 'deliveries') measureDeliveries(worker, names)
    const mapping = worker.addEventSourceMapping('Messages', {
      eventSourceArn: arnOf('sqs', names.queue(queue)),
      // A receiver that hangs holds up one function, and no other delivery that came with its own.
      batchSize: queue === 'deliveries' ? 1 : 10,
      reportBatchItemFailures: true,
      maxConcurrency: queue === 'deliveries' ? stage.deliveriesAtOnce : stage.workersPerQueue,
    })
    accept(
      mapping,
      ['Serverless-LambdaEventSourceMappingDestination'],
      'The queue itself has dead letters for what fails.',
    )
  }

  /**
   * Puts the function into the network of the stage's fixed addresses, if they are on. It imports the subnets and the
   * security group, so that CloudFormation refuses to delete them while the function is in them.
   */
  #throughNetwork(lambda: Lambda): void {
    const { names, stage } = this.#shared
    const subnetIds = deliveryAddresses(stage.properties).map((_, zone) => Fn.importValue(names.deliverySubnet(zone)))
    if (subnetIds.length === 0) return
    const securityGroupIds = [Fn.importValue(names.deliverySecurityGroup)]
    const resource = lambda.node.defaultChild as CfnFunction
    resource.vpcConfig = { subnetIds, securityGroupIds }
  }
}
