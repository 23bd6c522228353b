import { App } from 'aws-cdk-lib'
import { Template } from 'aws-cdk-lib/assertions'
import { Code } from 'aws-cdk-lib/aws-lambda'
import { describe, expect, test } from 'vitest'
import { accessOf } from '#infra/access/access-of.ts'
import { namesOf } from '#infra/names.ts'
import { DataStack } from '#infra/stacks/data-stack.ts'
import { FunctionsStack } from '#infra/stacks/functions-stack.ts'
import { backgroundFiles, queueNames, workedQueues } from '#shared/background.ts'
import { LEASE_MS } from '#shared/domain/delivery.ts'
import { servedFiles } from '#shared/routes.ts'
import { RESEND_AFTER_MS } from '#shared/scheduling/sweep-windows.ts'
import { deliveryAttemptKey, listPk, outboxKey, recordKey } from '#shared/store/keys.ts'
import { assumed } from '#test/bench/usage.ts'
import { matches } from '#test/fixtures/event-filter.ts'
import { stageOf } from '#test/fixtures/stages.ts'

const stage = stageOf('dev')
const names = namesOf('dev')
const code = (file: string) => Code.fromInline(`exports.handler = () => '${file}'`)
const template = Template.fromStack(new FunctionsStack(new App(), 'Functions', { stage, code }))
const data = Template.fromStack(new DataStack(new App(), 'Data', { stage }))

interface Statement {
  readonly Action: string | string[]
  readonly Resource: unknown
  readonly Condition?: unknown
}

const files = [...servedFiles(), ...backgroundFiles]
const functions = Object.entries(template.findResources('AWS::Lambda::Function'))

function functionOf(file: string) {
  const [id, { Properties }] = functions.find(([, { Properties }]) => Properties.FunctionName === names.function(file))!
  return { id, ...Properties }
}

/** The statements in the role of a function. */
function allowed(file: string): Statement[] {
  const role = template.findResources('AWS::IAM::Role')[functionOf(file).Role['Fn::GetAtt'][0]]!.Properties
  return role.Policies.flatMap(
    (policy: { PolicyDocument: { Statement: Statement[] } }) => policy.PolicyDocument.Statement,
  )
}

const verbs = (statements: Statement[]) => statements.flatMap(({ Action }) => Action)

/** The ARN of a resource in the account and region of the stage, as a template expresses it. */
const arn = (service: string, resource: string) => ({
  'Fn::Join': [
    '',
    [
      'arn:',
      { Ref: 'AWS::Partition' },
      `:${service}:`,
      { Ref: 'AWS::Region' },
      ':',
      { Ref: 'AWS::AccountId' },
      `:${resource}`,
    ],
  ],
})

/** The logical id of the template parameter that reads an SSM parameter. */
function parameterOf(name: string): string {
  const parameters = Object.entries<{ Default: string }>(template.toJSON().Parameters)
  return parameters.find(([, { Default }]) => Default === name)![0]
}

/** The name of the bucket of files, as a template expresses it. */
const files_bucket = {
  'Fn::Join': ['', ['payment-service-dev-files-', { Ref: 'AWS::AccountId' }, '-', { Ref: 'AWS::Region' }]],
}

/** The timeouts of the functions that serve no request. */
const timeout_seconds: Readonly<Record<string, number>> = {
  'background/sweep': 60,
  'background/fan-out': 60,
  'background/deliver': 30,
  'background/capture': 60,
  'background/chores': 60,
  'background/move-test-clocks': 60,
}

describe('FunctionsStack', () => {
  test('has one function for each route, page and background file', () => {
    expect(functions.map(([, { Properties }]) => Properties.FunctionName).sort()).toEqual(
      files.map(names.function).sort(),
    )
  })

  test.each(files)('runs the code of %s on Node 24 with its timeout', (file) => {
    expect(functionOf(file)).toMatchObject({
      Runtime: 'nodejs24.x',
      Architectures: ['arm64'],
      Handler: 'index.handler',
      MemorySize: assumed.memory_gigabytes * 1024,
      Code: { ZipFile: `exports.handler = () => '${file}'` },
      Timeout: timeout_seconds[file] ?? 35,
      TracingConfig: { Mode: 'Active' },
    })
  })

  test('gives every function its own role and its own log group', () => {
    expect(new Set(files.map((file) => functionOf(file).Role['Fn::GetAtt'][0])).size).toBe(files.length)
    expect(new Set(files.map((file) => functionOf(file).LoggingConfig.LogGroup.Ref)).size).toBe(files.length)
    template.allResourcesProperties('AWS::Logs::LogGroup', {
      RetentionInDays: 7,
      KmsKeyId: { Ref: parameterOf(names.dataKeyArn) },
    })
    template.resourceCountIs('AWS::IAM::Policy', 0)
  })

  test('gives every function the names of the resources in its environment', () => {
    const url = (queue: string) => ({
      'Fn::Join': [
        '',
        [
          'https://sqs.',
          { Ref: 'AWS::Region' },
          '.',
          { Ref: 'AWS::URLSuffix' },
          '/',
          { Ref: 'AWS::AccountId' },
          `/${names.queue(queue)}`,
        ],
      ],
    })
    for (const file of files) {
      expect(functionOf(file).Environment.Variables).toEqual({
        TABLE_NAME: 'payment-service-dev-table',
        DELIVERIES_QUEUE_URL: url('deliveries'),
        CAPTURES_QUEUE_URL: url('captures'),
        CHORES_QUEUE_URL: url('chores'),
        CLOCKS_QUEUE_URL: url('clocks'),
        VAULT_KEY_ID: 'alias/payment-service-dev-vault',
        FILES_BUCKET: files_bucket,
        LIVE_ACQUIRER: 'sandbox',
      })
    }
  })
})

describe('the roles', () => {
  const isOfStream = (verb: string) => /^dynamodb:.*(Stream|GetRecords|ShardIterator)/.test(verb)

  test('allow no wildcard action, and on all resources only to write traces and to list streams', () => {
    for (const file of files) {
      for (const { Action, Resource } of allowed(file)) {
        expect([Action].flat().filter((verb) => verb.includes('*'))).toEqual([])
        if (Resource === '*' && Action !== 'dynamodb:ListStreams')
          expect(Action).toEqual(['xray:PutTraceSegments', 'xray:PutTelemetryRecords'])
      }
    }
  })

  test('allow the key of the vault only to the listed functions, each for the listed purpose', () => {
    const uses = files.flatMap((file) =>
      allowed(file)
        .filter((statement) => verbs([statement]).some((verb) => verb.startsWith('kms:')))
        .map((statement) => ({ file, ...statement })),
    )
    const [seal, open] = ['kms:Encrypt', 'kms:Decrypt']
    const expected = [
      ['tokens/create', seal, 'payment_details'],
      ['customers/create', seal, 'payment_details'],
      ['customers/create', open, 'payment_details'],
      ['customers/update', seal, 'payment_details'],
      ['customers/update', open, 'payment_details'],
      ['payments/create', seal, 'webhook_secret'],
      ['payments/create', open, 'payment_details'],
      ['sessions/create', seal, 'webhook_secret'],
      ['sessions/pay', seal, 'payment_details'],
      ['sessions/pay', open, 'payment_details'],
      ['pages/sessions/pay', seal, 'payment_details'],
      ['pages/sessions/pay', open, 'payment_details'],
      ['secure-tokens/create', seal, 'payment_details'],
      ['secure-tokens/create', open, 'payment_details'],
      ['webhooks/create', seal, 'webhook_secret'],
      ['webhooks/update', seal, 'webhook_secret'],
      ['webhooks/rotate', seal, 'webhook_secret'],
      ['subscriptions/create', open, 'payment_details'],
      ['background/capture', open, 'payment_details'],
      ['background/deliver', open, 'webhook_secret'],
    ].map(([file, Action, purpose]) => ({
      file,
      Effect: 'Allow',
      Action,
      Resource: arn('kms', 'key/*'),
      Condition: {
        'ForAnyValue:StringEquals': { 'kms:ResourceAliases': 'alias/payment-service-dev-vault' },
        StringEquals: { 'kms:EncryptionContext:purpose': [purpose] },
      },
    }))
    const inOrder = (uses: readonly { file?: string; Action?: unknown }[]) =>
      uses.toSorted((a, b) => `${a.file} ${a.Action}`.localeCompare(`${b.file} ${b.Action}`))
    expect(inOrder(uses)).toEqual(inOrder(expected))
  })

  test('allow access to files and to the copies of logos only to five functions, with one action each', () => {
    const uses = files.flatMap((file) =>
      allowed(file)
        .filter((statement) => verbs([statement]).some((verb) => verb.startsWith('s3:')))
        .map((statement) => ({ file, ...statement })),
    )
    const bucket = [':s3:::payment-service-dev-files-', { Ref: 'AWS::AccountId' }, '-', { Ref: 'AWS::Region' }]
    const at = (names: string) => ({
      'Fn::Join': ['', ['arn:', { Ref: 'AWS::Partition' }, ...bucket, names]],
    })
    expect(uses).toEqual([
      { file: 'accounts/update', Effect: 'Allow', Action: 's3:GetObject', Resource: at('/mer_*') },
      { file: 'accounts/update', Effect: 'Allow', Action: 's3:PutObject', Resource: at('/logos/*') },
      { file: 'files/create', Effect: 'Allow', Action: 's3:PutObject', Resource: at('/mer_*') },
      { file: 'files/content', Effect: 'Allow', Action: 's3:GetObject', Resource: at('/mer_*') },
      { file: 'pictures/logos/show', Effect: 'Allow', Action: 's3:GetObject', Resource: at('/logos/*') },
      { file: 'background/chores', Effect: 'Allow', Action: 's3:DeleteObject', Resource: at('/mer_*') },
    ])
    expect(data.findResources('AWS::S3::Bucket', { Properties: { BucketName: files_bucket } })).not.toEqual({})
  })

  test('allow only the fan-out to read the stream of the table', () => {
    const reading = allowed('background/fan-out').filter((statement) => verbs([statement]).some(isOfStream))
    expect(reading).toEqual([
      {
        Effect: 'Allow',
        Action: ['dynamodb:DescribeStream', 'dynamodb:GetRecords', 'dynamodb:GetShardIterator'],
        Resource: arn('dynamodb', 'table/payment-service-dev-table/stream/*'),
      },
      { Effect: 'Allow', Action: 'dynamodb:ListStreams', Resource: '*' },
    ])
    expect(files.filter((file) => verbs(allowed(file)).some(isOfStream))).toEqual(['background/fan-out'])
  })

  test('allow not-found no access to data', () => {
    expect(JSON.stringify(allowed('background/not-found'))).not.toMatch(/dynamodb|sqs|kms|s3:/)
  })

  test('allow only the sweep to read the due index', () => {
    const readers = files.filter((file) => JSON.stringify(allowed(file)).includes('/index/due'))
    expect(readers).toEqual(['background/sweep'])
    expect(allowed('background/sweep')).toContainEqual({
      Effect: 'Allow',
      Action: 'dynamodb:Query',
      Resource: arn('dynamodb', 'table/payment-service-dev-table/index/due'),
      Condition: { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': ['due#*'] } },
    })
  })

  test.each(files)('allow %s only its listed records in the table and its listed queues', (file) => {
    const table = arn('dynamodb', 'table/payment-service-dev-table')
    const access = accessOf(file)
    const verbs_of = {
      gets: ['dynamodb:GetItem', 'dynamodb:BatchGetItem'],
      queries: 'dynamodb:Query',
      puts: 'dynamodb:PutItem',
      deletes: 'dynamodb:DeleteItem',
      checks: 'dynamodb:ConditionCheckItem',
    } as const
    const expected = (Object.keys(verbs_of) as (keyof typeof verbs_of)[]).flatMap((way) =>
      access[way] === undefined
        ? []
        : {
            Effect: 'Allow',
            Action: verbs_of[way],
            Resource: table,
            Condition: {
              'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': access[way].map((kind) => `${kind}#*`) },
            },
          },
    )
    const onTable = allowed(file).filter(({ Resource }) => JSON.stringify(Resource) === JSON.stringify(table))
    expect(onTable).toEqual(expected)
    const lost = JSON.stringify(arn('sqs', names.lostWakeUps))
    const sending = allowed(file)
      .filter(({ Action }) => Action === 'sqs:SendMessage')
      .flatMap(({ Resource }) => Resource as unknown)
      .filter((resource) => JSON.stringify(resource) !== lost)
    const queues = queueNames.filter((queue) => access.sends?.includes(queue))
    expect(sending).toEqual(queues.map((queue) => arn('sqs', names.queue(queue))))
  })

  test('stay below the size limit of IAM', () => {
    for (const file of files) expect(JSON.stringify(allowed(file)).length).toBeLessThan(10_240)
  })

  test('allow only workers to receive messages, each from its own queue', () => {
    const takers = files.filter((file) => verbs(allowed(file)).includes('sqs:ReceiveMessage'))
    expect(takers).toEqual(workedQueues().map(({ file }) => file))
    for (const { queue, file } of workedQueues()) {
      const taking = allowed(file).find(({ Action }) => Action.includes('sqs:ReceiveMessage'))
      expect(JSON.stringify(taking!.Resource)).toContain(`:${names.queue(queue)}"`)
    }
  })
})

describe('the background functions', () => {
  test('include the sweep, which runs every minute', () => {
    template.resourceCountIs('AWS::Events::Rule', 1)
    template.hasResourceProperties('AWS::Events::Rule', {
      Name: names.everyMinute,
      ScheduleExpression: 'rate(1 minute)',
      Targets: [
        {
          Arn: { 'Fn::GetAtt': [functionOf('background/sweep').id, 'Arn'] },
          DeadLetterConfig: { Arn: arn('sqs', names.lostWakeUps) },
        },
      ],
    })
  })

  test.each([
    ['deliveries', 'background/deliver', 1, 10],
    ['chores', 'background/chores', 10, 2],
  ])(
    'read the queue %s by %s in batches of %i with a concurrency of at most %i, and retry only failed messages',
    (...row) => {
      const [queue, file, BatchSize, MaximumConcurrency] = row
      template.hasResourceProperties('AWS::Lambda::EventSourceMapping', {
        EventSourceArn: arn('sqs', names.queue(queue)),
        FunctionName: { Ref: functionOf(file).id },
        BatchSize,
        FunctionResponseTypes: ['ReportBatchItemFailures'],
        ScalingConfig: { MaximumConcurrency },
      })
    },
  )

  test('send failed invocations of the sweep and the fan-out to the queue of lost wake-ups', () => {
    const lost = arn('sqs', names.lostWakeUps)
    expect(functionOf('background/sweep').DeadLetterConfig).toEqual({ TargetArn: lost })
    template.hasResourceProperties('AWS::Lambda::EventSourceMapping', {
      FunctionName: { Ref: functionOf('background/fan-out').id },
      DestinationConfig: { OnFailure: { Destination: lost } },
    })
    const losers = files.filter((file) =>
      allowed(file).some(({ Resource }) => JSON.stringify(Resource) === JSON.stringify(lost)),
    )
    expect(losers).toEqual(['background/sweep', 'background/fan-out'])
    data.hasResourceProperties('AWS::SQS::Queue', { QueueName: names.lostWakeUps })
  })

  test('have one event source for each worked queue and one for the stream', () => {
    template.resourceCountIs('AWS::Lambda::EventSourceMapping', workedQueues().length + 1)
  })

  test('allow recursive invocations only to workers', () => {
    const allowing = files.filter((file) => functionOf(file).RecursiveLoop === 'Allow')
    expect(allowing).toEqual(workedQueues().map(({ file }) => file))
  })

  test('count operations whose inquiries have ended', () => {
    template.hasResourceProperties('AWS::Logs::MetricFilter', {
      FilterPattern: '"charge_unresolved"',
      MetricTransformations: [{ MetricNamespace: 'payment-service', MetricName: names.unresolved, MetricValue: '1' }],
    })
  })

  test('measure how long records, and outbox records alone, have been overdue', () => {
    template.hasResourceProperties('AWS::Logs::MetricFilter', {
      FilterPattern: '{ $.overdue_seconds >= 0 }',
      MetricTransformations: [
        {
          MetricNamespace: 'payment-service',
          MetricName: names.overdue,
          MetricValue: '$.overdue_seconds',
          Unit: 'Seconds',
        },
      ],
    })
    template.hasResourceProperties('AWS::Logs::MetricFilter', {
      FilterPattern: '{ ($.kind = "outbox") && ($.overdue_seconds >= 0) }',
      MetricTransformations: [{ MetricName: names.outbox, MetricValue: '$.overdue_seconds' }],
    })
  })

  test('count charges by outcome in the log of every function that can charge', () => {
    const filters = template.findResources('AWS::Logs::MetricFilter', {
      Properties: {
        FilterPattern: '{ ($.event = "payment_settled") && ($.outcome = "*") }',
        MetricTransformations: [{ MetricName: names.payments, Dimensions: [{ Key: 'outcome', Value: '$.outcome' }] }],
      },
    })
    const logs = Object.values(filters).map(({ Properties }) => Properties.LogGroupName.Ref)
    const charging = files.filter((file) => accessOf(file).puts?.includes('sandbox'))
    expect(charging).toContain('payments/create')
    expect(logs.sort()).toEqual(charging.map((file) => functionOf(file).LoggingConfig.LogGroup.Ref).sort())
  })

  test('count deliveries by attempt and measure the latency of the first attempt', () => {
    const transformations = (MetricTransformations: object[]) => ({
      LogGroupName: functionOf('background/deliver').LoggingConfig.LogGroup,
      MetricTransformations,
    })
    template.hasResourceProperties(
      'AWS::Logs::MetricFilter',
      transformations([{ MetricName: names.attempts, Dimensions: [{ Key: 'attempt', Value: '$.attempt' }] }]),
    )
    template.hasResourceProperties(
      'AWS::Logs::MetricFilter',
      transformations([{ MetricName: names.firstLatency, MetricValue: '$.first_latency_ms' }]),
    )
  })

  test('have queues with dead letters and a visibility timeout of at least six function timeouts', () => {
    for (const { queue, file } of workedQueues()) {
      const { RedrivePolicy, VisibilityTimeout } = queueOf(queue)
      expect(RedrivePolicy.deadLetterTargetArn).toBeDefined()
      expect(VisibilityTimeout).toBeGreaterThanOrEqual(6 * functionOf(file).Timeout)
    }
  })

  test('have a timeout of deliveries that exceeds the time of a receiver and is shorter than the lease', () => {
    const { Timeout } = functionOf('background/deliver')
    expect(Timeout).toBeGreaterThanOrEqual(15 + 10)
    expect(Timeout * 1000).toBeLessThan(LEASE_MS)
  })

  test('receive a failed delivery from its queue again before the sweep sends it again', () => {
    expect(queueOf('deliveries').VisibilityTimeout * 1000).toBeLessThan(RESEND_AFTER_MS[0]!)
  })

  function queueOf(queue: string) {
    const [found] = Object.values(
      data.findResources('AWS::SQS::Queue', { Properties: { QueueName: names.queue(queue) } }),
    )
    return found!.Properties
  }
})

describe('the event source of the stream', () => {
  const [mapping] = Object.values(
    template.findResources('AWS::Lambda::EventSourceMapping', {
      Properties: { FunctionName: { Ref: functionOf('background/fan-out').id } },
    }),
  )

  test('reads the ARN of the stream from the SSM parameter of the data stack', () => {
    const { EventSourceArn } = mapping!.Properties
    expect(template.toJSON().Parameters[EventSourceArn.Ref]).toEqual({
      Type: 'AWS::SSM::Parameter::Value<String>',
      Default: '/payment-service/dev/stream-arn',
    })
    data.hasResourceProperties('AWS::SSM::Parameter', { Name: '/payment-service/dev/stream-arn' })
  })

  test('starts at the oldest record, and leaves failed and old records to the sweep', () => {
    expect(mapping!.Properties).toMatchObject({
      StartingPosition: 'TRIM_HORIZON',
      BatchSize: 100,
      ParallelizationFactor: 4,
      MaximumRetryAttempts: 0,
      MaximumRecordAgeInSeconds: 60,
    })
  })

  const [{ Pattern }] = mapping!.Properties.FilterCriteria.Filters

  test('has one filter, which uses only the event name and the keys', () => {
    expect(mapping!.Properties.FilterCriteria.Filters).toHaveLength(1)
    expect(JSON.parse(Pattern)).toEqual({
      eventName: ['INSERT'],
      dynamodb: { Keys: { pk: { S: [{ prefix: 'event#' }] }, sk: { S: ['outbox'] } } },
    })
  })

  const outbox = outboxKey('mer_1', 'evt_1')
  test.each([
    ['a new outbox row', 'INSERT', outbox, true],
    ['an outbox row that is deleted', 'REMOVE', outbox, false],
    ['an event', 'INSERT', recordKey('event', 'mer_1', 'evt_1'), false],
    ['the entry of an event in a list', 'INSERT', { pk: listPk('event', 'mer_1'), sk: 'evt_1' }, false],
    ['a payment', 'INSERT', recordKey('payment', 'mer_1', 'pay_1'), false],
    ['a payment that changed', 'MODIFY', recordKey('payment', 'mer_1', 'pay_1'), false],
    ['an attempt of a delivery', 'INSERT', deliveryAttemptKey('mer_1', 'dlv_1', 0), false],
  ])('for %s (%s %o) invokes the fan-out: %o', (_, eventName, { pk, sk }, is_invoked) => {
    const record = {
      eventID: 'c4ca4238a0b923820dcc509a6f75849b',
      eventName,
      eventVersion: '1.1',
      eventSource: 'aws:dynamodb',
      awsRegion: 'us-east-1',
      dynamodb: {
        ApproximateCreationDateTime: 1_893_553_200,
        Keys: { pk: { S: pk }, sk: { S: sk } },
        SequenceNumber: '111',
        SizeBytes: 60,
        StreamViewType: 'KEYS_ONLY',
      },
    }
    expect(matches(JSON.parse(Pattern), record)).toBe(is_invoked)
  })
})
