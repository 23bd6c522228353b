import { Aws, Duration, RemovalPolicy, Stack } from 'aws-cdk-lib'
import { Unit } from 'aws-cdk-lib/aws-cloudwatch'
import { Rule, Schedule } from 'aws-cdk-lib/aws-events'
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets'
import { PolicyDocument, type PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam'
import {
  Architecture,
  type Code,
  FilterCriteria,
  FilterRule,
  Function as Lambda,
  RecursiveLoop,
  Runtime,
  StartingPosition,
  Tracing,
} from 'aws-cdk-lib/aws-lambda'
import { FilterPattern, LogGroup, MetricFilter } from 'aws-cdk-lib/aws-logs'
import { StringParameter } from 'aws-cdk-lib/aws-ssm'
import type { Construct } from 'constructs'
import { fanOut, notFound, queueNames, ROUND_SECONDS, sweep, workedQueues, worker_seconds } from '#shared/background.ts'
import type { QueueName } from '#shared/platform/ports.ts'
import { servedPages, servedRoutes } from '#shared/routes.ts'
import { OUTBOX } from '#shared/store/keys.ts'
import { type Names, namesOf, SERVICE, UNRESOLVED } from './names.ts'
import { arnOf, Permissions } from './permissions.ts'
import type { Stage } from './stage.ts'

/** How long a request may take: longer than API Gateway waits, so that the client's answer is the gateway's 504. */
const REQUEST_SECONDS = 35

/** One Lambda for each row of the route table, each page and each background file; each with its own role and log group. */
export class FunctionsStack extends Stack {
  readonly #stage: Stage
  readonly #names: Names
  readonly #permissions: Permissions
  readonly #code: (file: string) => Code

  constructor(scope: Construct, id: string, { stage, code }: { stage: Stage; code: (file: string) => Code }) {
    const names = namesOf(stage.name)
    super(scope, id, { stackName: names.stack('functions') })
    this.#stage = stage
    this.#names = names
    this.#permissions = new Permissions(names)
    this.#code = code

    const records = this.#permissions.records()
    for (const { file } of [...servedRoutes(), ...servedPages()]) this.#function(file, REQUEST_SECONDS, records)
    this.#function(notFound, REQUEST_SECONDS, [])
    this.#everyMinute(this.#function(sweep, ROUND_SECONDS, [...records, ...this.#permissions.due()]))
    this.#onOutboxRows(this.#function(fanOut, ROUND_SECONDS, [...records, ...this.#permissions.stream()]))
    for (const { queue, file } of workedQueues()) {
      const permissions = [...records, ...this.#permissions.messages(queue)]
      // A worker goes on with long work by a message to itself, which Lambda would stop after 16 times.
      this.#onMessages(queue, this.#function(file, worker_seconds[queue], permissions, RecursiveLoop.ALLOW))
    }
  }

  #function(file: string, seconds: number, permissions: PolicyStatement[], recursiveLoop?: RecursiveLoop): Lambda {
    const id = file.replaceAll('/', '-')
    const functionName = this.#names.function(file)
    const logGroup = new LogGroup(this, `${id}-logs`, {
      logGroupName: `/aws/lambda/${functionName}`,
      retention: this.#stage.logRetention,
      removalPolicy: RemovalPolicy.DESTROY,
    })
    const own = [...this.#permissions.vault(file), ...this.#permissions.bucket(file)]
    const statements = [...this.#permissions.observing(logGroup), ...permissions, ...own]
    const role = new Role(this, `${id}-role`, {
      assumedBy: new ServicePrincipal('lambda.amazonaws.com'),
      inlinePolicies: { own: new PolicyDocument({ statements }) },
    })
    return new Lambda(this, id, {
      functionName,
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      handler: 'index.handler',
      code: this.#code(file),
      memorySize: 512,
      timeout: Duration.seconds(seconds),
      recursiveLoop,
      // What a role may do is all said here, so nothing is added to it behind our back.
      role: role.withoutPolicyUpdates(),
      logGroup,
      tracing: Tracing.ACTIVE,
      environment: this.#environment(),
    })
  }

  #environment(): Record<string, string> {
    const queueUrl = (queue: string) =>
      `https://sqs.${Aws.REGION}.${Aws.URL_SUFFIX}/${Aws.ACCOUNT_ID}/${this.#names.queue(queue)}`
    return {
      TABLE_NAME: this.#names.table,
      ...Object.fromEntries(queueNames.map((queue) => [`${queue.toUpperCase()}_QUEUE_URL`, queueUrl(queue)])),
      VAULT_KEY_ID: this.#names.vaultKey,
      FILES_BUCKET: this.#names.filesBucket(Aws.ACCOUNT_ID, Aws.REGION),
      LIVE_ACQUIRER: this.#stage.liveAcquirer,
    }
  }

  #everyMinute(sweeper: Lambda): void {
    new MetricFilter(this, 'overdue', {
      logGroup: sweeper.logGroup,
      filterPattern: FilterPattern.exists('$.overdue_seconds'),
      metricNamespace: SERVICE,
      metricName: this.#names.overdue,
      metricValue: '$.overdue_seconds',
      unit: Unit.SECONDS,
    })
    new Rule(this, 'EveryMinute', {
      schedule: Schedule.rate(Duration.minutes(1)),
      targets: [new LambdaFunction(sweeper, { retryAttempts: 0 })],
    })
  }

  /** Of all that is written to the table, only a new outbox row wakes the function. */
  #onOutboxRows(teller: Lambda): void {
    const Keys = { pk: { S: FilterRule.beginsWith(OUTBOX.pk_prefix) }, sk: { S: FilterRule.isEqual(OUTBOX.sk) } }
    teller.addEventSourceMapping('Stream', {
      eventSourceArn: StringParameter.valueForStringParameter(this, this.#names.streamArn),
      // From the latest on, what is written while the mapping is made would be missed.
      startingPosition: StartingPosition.TRIM_HORIZON,
      batchSize: 100,
      // So many batches of a shard at the same time: a merchant with many webhooks holds up few others, and all of them
      // together leave the API its room.
      parallelizationFactor: 4,
      // What cannot be told within a minute is left to the sweep, and holds up nothing behind it.
      retryAttempts: 0,
      maxRecordAge: Duration.minutes(1),
      filters: [FilterCriteria.filter({ eventName: FilterRule.isEqual('INSERT'), dynamodb: { Keys } })],
    })
  }

  #onMessages(queue: QueueName, worker: Lambda): void {
    new MetricFilter(this, `${queue}-unresolved`, {
      logGroup: worker.logGroup,
      filterPattern: FilterPattern.anyTerm(UNRESOLVED),
      metricNamespace: SERVICE,
      metricName: this.#names.unresolved,
    })
    const { deliveriesAtOnce, workersPerQueue } = this.#stage
    worker.addEventSourceMapping('Messages', {
      eventSourceArn: arnOf('sqs', this.#names.queue(queue)),
      // A receiver that hangs holds up one function, and no other delivery that came with its own.
      batchSize: queue === 'deliveries' ? 1 : 10,
      reportBatchItemFailures: true,
      maxConcurrency: queue === 'deliveries' ? deliveriesAtOnce : workersPerQueue,
    })
  }
}
