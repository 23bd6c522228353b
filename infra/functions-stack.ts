import { Aws, Duration, RemovalPolicy, Stack } from 'aws-cdk-lib'
import { Rule, Schedule } from 'aws-cdk-lib/aws-events'
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets'
import { PolicyDocument, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam'
import { Architecture, type Code, Function as Lambda, Runtime, Tracing } from 'aws-cdk-lib/aws-lambda'
import { FilterPattern, LogGroup, MetricFilter } from 'aws-cdk-lib/aws-logs'
import type { Construct } from 'constructs'
import { notFound, queueNames, sweep, WORKER_SECONDS, workedQueues } from '#shared/background.ts'
import { type Route, type routes, servedRoutes } from '#shared/routes.ts'
import { type Names, namesOf, SERVICE, UNRESOLVED } from './names.ts'
import type { Stage } from './stage.ts'

/** How long a request may take: longer than API Gateway waits, so that the client's answer is the gateway's 504. */
const REQUEST_SECONDS = 35

/** The routes that take, store or charge payment details. Of all functions they alone may use the vault's key. */
export const vaultFiles: ReadonlySet<string> = new Set<string>([
  'tokens/create',
  'customers/create',
  'customers/update',
  'payments/create',
] satisfies (typeof routes)[Route][])

/** One Lambda for each row of the route table and for each background file; each with its own role and log group. */
export class FunctionsStack extends Stack {
  readonly #stage: Stage
  readonly #names: Names
  readonly #code: (file: string) => Code

  constructor(scope: Construct, id: string, { stage, code }: { stage: Stage; code: (file: string) => Code }) {
    const names = namesOf(stage.name)
    super(scope, id, { stackName: names.stack('functions') })
    this.#stage = stage
    this.#names = names
    this.#code = code

    for (const { file } of servedRoutes()) {
      const vault = vaultFiles.has(file) ? [this.#vault()] : []
      this.#function(file, REQUEST_SECONDS, [...this.#records(), ...vault])
    }
    this.#function(notFound, REQUEST_SECONDS, [])

    const sweeper = this.#function(sweep, WORKER_SECONDS, [...this.#records(), this.#due()])
    new Rule(this, 'EveryMinute', {
      schedule: Schedule.rate(Duration.minutes(1)),
      targets: [new LambdaFunction(sweeper, { retryAttempts: 0 })],
    })

    for (const { queue, file } of workedQueues()) {
      const worker = this.#function(file, WORKER_SECONDS, [...this.#records(), this.#messages(queue)])
      new MetricFilter(this, `${queue}-unresolved`, {
        logGroup: worker.logGroup,
        filterPattern: FilterPattern.anyTerm(UNRESOLVED),
        metricNamespace: SERVICE,
        metricName: this.#names.unresolved,
      })
      worker.addEventSourceMapping('Messages', {
        eventSourceArn: this.#queueArn(queue),
        batchSize: 10,
        reportBatchItemFailures: true,
        maxConcurrency: stage.workersPerQueue,
      })
    }
  }

  #function(file: string, seconds: number, permissions: PolicyStatement[]): Lambda {
    const id = file.replaceAll('/', '-')
    const functionName = this.#names.function(file)
    const logGroup = new LogGroup(this, `${id}-logs`, {
      logGroupName: `/aws/lambda/${functionName}`,
      retention: this.#stage.logRetention,
      removalPolicy: RemovalPolicy.DESTROY,
    })
    const role = new Role(this, `${id}-role`, {
      assumedBy: new ServicePrincipal('lambda.amazonaws.com'),
      inlinePolicies: { own: new PolicyDocument({ statements: [...observing(logGroup), ...permissions] }) },
    })
    return new Lambda(this, id, {
      functionName,
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      handler: 'index.handler',
      code: this.#code(file),
      memorySize: 512,
      timeout: Duration.seconds(seconds),
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
      LIVE_ACQUIRER: this.#stage.liveAcquirer,
    }
  }

  /** To read and write the table, and to say what is to be done with what was written. */
  #records(): PolicyStatement[] {
    const verbs = ['BatchGetItem', 'ConditionCheckItem', 'DeleteItem', 'GetItem', 'PutItem', 'Query']
    return [
      allow(
        verbs.map((verb) => `dynamodb:${verb}`),
        [this.#tableArn()],
      ),
      allow(
        ['sqs:SendMessage'],
        queueNames.map((queue) => this.#queueArn(queue)),
      ),
    ]
  }

  /** To see what falls due. */
  #due(): PolicyStatement {
    return allow(['dynamodb:Query'], [`${this.#tableArn()}/index/due`])
  }

  /** To take the messages of a queue. */
  #messages(queue: string): PolicyStatement {
    return allow(['sqs:ReceiveMessage', 'sqs:DeleteMessage', 'sqs:GetQueueAttributes'], [this.#queueArn(queue)])
  }

  /** To seal and open payment details. The ARN of a key is not known by name, its alias is. */
  #vault(): PolicyStatement {
    const anyKey = `arn:${Aws.PARTITION}:kms:${Aws.REGION}:${Aws.ACCOUNT_ID}:key/*`
    return allow(['kms:Encrypt', 'kms:Decrypt'], [anyKey], {
      'ForAnyValue:StringEquals': { 'kms:ResourceAliases': this.#names.vaultKey },
    })
  }

  #tableArn(): string {
    return `arn:${Aws.PARTITION}:dynamodb:${Aws.REGION}:${Aws.ACCOUNT_ID}:table/${this.#names.table}`
  }

  #queueArn(queue: string): string {
    return `arn:${Aws.PARTITION}:sqs:${Aws.REGION}:${Aws.ACCOUNT_ID}:${this.#names.queue(queue)}`
  }
}

/** To write its own log and its traces. */
function observing(logGroup: LogGroup): PolicyStatement[] {
  return [
    allow(['logs:CreateLogStream', 'logs:PutLogEvents'], [logGroup.logGroupArn]),
    allow(['xray:PutTraceSegments', 'xray:PutTelemetryRecords'], ['*']),
  ]
}

function allow(actions: string[], resources: string[], conditions?: Record<string, unknown>): PolicyStatement {
  return new PolicyStatement({ actions, resources, conditions })
}
