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
import { arnOf, Permissions } from '#infra/access/access-policies.ts'
import { type CommonSettings, type FunctionSettings, functionConstruct } from '#infra/constructs/function-construct.ts'
import {
  measureDeliveries,
  measureFailedWork,
  measurePayments,
  measureSweep,
  measureUnresolved,
} from '#infra/constructs/log-metrics.ts'
import { accept } from '#infra/constructs/nag-review.ts'
import { namesInSlot, namesOf, type Slot, type SlotNames } from '#infra/names.ts'
import { type Stage, workersAtOnce } from '#infra/stage.ts'
import { deliveryAddresses } from '#infra/stage-properties.ts'
import { fanOut, notFound, RUN_SECONDS_MAX, sweep, workedQueues, worker_seconds, workers } from '#shared/background.ts'
import type { QueueName } from '#shared/platform/ports.ts'
import { servedFiles } from '#shared/routes.ts'
import { OUTBOX } from '#shared/store/keys.ts'

/** The time limit of a request. It is longer than API Gateway waits, so that the client gets the 504 of the gateway. */
const REQUEST_SECONDS = 35

interface FunctionsStackProps {
  readonly stage: Stage
  readonly code: (file: string) => Code
  /** The slot that the functions belong to; undefined for a stage without slots. */
  readonly slot?: Slot | undefined
}

/**
 * One Lambda function for each file that a row of the route tables names, and one for each background file. Each
 * function has its own role and its own log group. In a slot, nothing invokes the background functions until a release
 * switches them on.
 */
export class FunctionsStack extends Stack {
  readonly #common: CommonSettings
  readonly #lost: IQueue
  readonly #slot: SlotNames | undefined

  constructor(scope: Construct, id: string, { stage, code, slot }: FunctionsStackProps) {
    const names = namesOf(stage.name)
    const own = slot && namesInSlot(stage.name, slot)
    const stackName = own?.stack ?? names.stack('functions')
    super(scope, id, { stackName, terminationProtection: stage.deletionProtection })
    this.#slot = own
    const key = Key.fromKeyArn(this, 'DataKey', StringParameter.valueForStringParameter(this, names.dataKeyArn))
    this.#common = { stage, names, nameOf: own?.function ?? names.function, code, key }
    this.#lost = Queue.fromQueueArn(this, 'LostWakeUps', arnOf('sqs', names.lostWakeUps))
    const permissions = new Permissions(names)
    const failedInvocations = permissions.failedInvocations()

    for (const file of servedFiles()) this.#function(file, { seconds: REQUEST_SECONDS })
    this.#function(notFound, { seconds: REQUEST_SECONDS })
    const eventSource = [...permissions.due(), ...failedInvocations]
    this.#everyMinute({ seconds: RUN_SECONDS_MAX, eventSource, options: { deadLetterQueue: this.#lost } })
    this.#onOutboxRows({ seconds: RUN_SECONDS_MAX, eventSource: [...permissions.stream(), ...failedInvocations] })
    for (const { queue } of workedQueues()) this.#onMessages(queue, permissions)
  }

  #function(file: string, own: FunctionSettings): Lambda {
    const lambda = functionConstruct(this, file, this.#common, own)
    measurePayments(lambda, file, this.#common.names)
    return lambda
  }

  #everyMinute(own: FunctionSettings): void {
    const sweeper = this.#function(sweep, own)
    measureSweep(sweeper, this.#common.names)
    new Rule(this, 'EveryMinute', {
      ruleName: this.#slot?.everyMinute ?? this.#common.names.everyMinute,
      enabled: !this.#slot,
      schedule: Schedule.rate(Duration.minutes(1)),
      targets: [new LambdaFunction(sweeper, { retryAttempts: 0, deadLetterQueue: this.#lost })],
    })
  }

  /** Invokes the fan-out for new outbox rows, and for no other write to the table. */
  #onOutboxRows(own: FunctionSettings): void {
    const Keys = { pk: { S: FilterRule.beginsWith(OUTBOX.pk_prefix) }, sk: { S: FilterRule.isEqual(OUTBOX.sk) } }
    const fanner = this.#function(fanOut, own)
    if (this.#slot) measureFailedWork(fanner, 'stream', this.#slot)
    fanner.addEventSourceMapping('Stream', {
      ...this.#untilReleased(),
      eventSourceArn: StringParameter.valueForStringParameter(this, this.#common.names.streamArn),
      // `LATEST` would miss the rows that are written while the mapping is created.
      startingPosition: StartingPosition.TRIM_HORIZON,
      batchSize: 100,
      // Up to four concurrent batches per shard. A merchant with many webhooks delays few others, and all batches
      // together leave enough concurrency to the API.
      parallelizationFactor: 4,
      // A record that fails or is older than a minute is left to the sweep, so it delays no record behind it.
      retryAttempts: 0,
      maxRecordAge: Duration.minutes(1),
      onFailure: new SqsDlq(this.#lost),
      filters: [FilterCriteria.filter({ eventName: FilterRule.isEqual('INSERT'), dynamodb: { Keys } })],
    })
  }

  /** An event source of a slot is off until a release switches it on. */
  #untilReleased(): { enabled?: boolean } {
    return this.#slot ? { enabled: false } : {}
  }

  #onMessages(queue: QueueName, permissions: Permissions): void {
    const { stage, names } = this.#common
    // A worker continues long work by a message to itself. Lambda would stop such a loop after 16 invocations.
    const options = { recursiveLoop: RecursiveLoop.ALLOW }
    // After a function has left the network, Lambda removes its network interfaces with the function's role.
    const managesInterfaces = queue === 'deliveries' && stage.properties.fixed_addresses !== 'none'
    const eventSource = [...permissions.messages(queue), ...(managesInterfaces ? permissions.network() : [])]
    const worker = this.#function(workers[queue], { seconds: worker_seconds[queue], eventSource, options })
    if (queue === 'deliveries') this.#throughNetwork(worker)
    measureUnresolved(worker, queue, names)
    if (this.#slot) measureFailedWork(worker, queue, this.#slot)
    if (queue === 'deliveries') measureDeliveries(worker, names)
    const mapping = worker.addEventSourceMapping('Messages', {
      ...this.#untilReleased(),
      eventSourceArn: arnOf('sqs', names.queue(queue)),
      // With one delivery per batch, a receiver that hangs occupies one function and delays no other delivery.
      batchSize: queue === 'deliveries' ? 1 : 10,
      reportBatchItemFailures: true,
      maxConcurrency: workersAtOnce(stage, queue),
    })
    accept(
      mapping,
      ['Serverless-LambdaEventSourceMappingDestination'],
      'The queue has a dead-letter queue for failed messages.',
    )
  }

  /**
   * Puts the function into the network of the stage's fixed addresses, if the addresses are on. The subnets and the
   * security group are imported, so CloudFormation refuses to delete them while the function uses them.
   */
  #throughNetwork(lambda: Lambda): void {
    const { names, stage } = this.#common
    const subnetIds = deliveryAddresses(stage.properties).map((_, zone) => Fn.importValue(names.deliverySubnet(zone)))
    if (subnetIds.length === 0) return
    const securityGroupIds = [Fn.importValue(names.deliverySecurityGroup)]
    const resource = lambda.node.defaultChild as CfnFunction
    resource.vpcConfig = { subnetIds, securityGroupIds }
  }
}
