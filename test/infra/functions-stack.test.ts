import { App } from 'aws-cdk-lib'
import { Template } from 'aws-cdk-lib/assertions'
import { Code } from 'aws-cdk-lib/aws-lambda'
import { describe, expect, test } from 'vitest'
import { DataStack } from '#infra/data-stack.ts'
import { FunctionsStack, vaultFiles } from '#infra/functions-stack.ts'
import { namesOf } from '#infra/names.ts'
import { stageOf } from '#infra/stage.ts'
import { backgroundFiles, workedQueues } from '#shared/background.ts'
import { servedRoutes } from '#shared/routes.ts'

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

const files = [...servedRoutes().map(({ file }) => file), ...backgroundFiles]
const functions = Object.entries(template.findResources('AWS::Lambda::Function'))

function functionOf(file: string) {
  const [id, { Properties }] = functions.find(([, { Properties }]) => Properties.FunctionName === names.function(file))!
  return { id, ...Properties }
}

/** What the role of a function allows. */
function allowed(file: string): Statement[] {
  const role = template.findResources('AWS::IAM::Role')[functionOf(file).Role['Fn::GetAtt'][0]]!.Properties
  return role.Policies.flatMap(
    (policy: { PolicyDocument: { Statement: Statement[] } }) => policy.PolicyDocument.Statement,
  )
}

const verbs = (statements: Statement[]) => statements.flatMap(({ Action }) => Action)

describe('every row of the route table and every background file', () => {
  test('has one function, and there are no others', () => {
    expect(functions.map(([, { Properties }]) => Properties.FunctionName).sort()).toEqual(
      files.map(names.function).sort(),
    )
  })

  test.each(files)('%s runs its own code on Node 24 within its time', (file) => {
    expect(functionOf(file)).toMatchObject({
      Runtime: 'nodejs24.x',
      Architectures: ['arm64'],
      Handler: 'index.handler',
      Code: { ZipFile: `exports.handler = () => '${file}'` },
      Timeout: /background\/(sweep|chores)/.test(file) ? 60 : 35,
      TracingConfig: { Mode: 'Active' },
    })
  })

  test('has a role and a log group of its own', () => {
    expect(new Set(files.map((file) => functionOf(file).Role['Fn::GetAtt'][0])).size).toBe(files.length)
    expect(new Set(files.map((file) => functionOf(file).LoggingConfig.LogGroup.Ref)).size).toBe(files.length)
    template.allResourcesProperties('AWS::Logs::LogGroup', { RetentionInDays: 7 })
    template.resourceCountIs('AWS::IAM::Policy', 0)
  })

  test('is told the names of what it uses', () => {
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
        VAULT_KEY_ID: 'alias/payment-service-dev-vault',
        LIVE_ACQUIRER: 'sandbox',
      })
    }
  })
})

describe('a role', () => {
  test('allows nothing at all of a service, and on everything only traces', () => {
    for (const file of files) {
      for (const { Action, Resource } of allowed(file)) {
        expect([Action].flat().filter((verb) => verb.includes('*'))).toEqual([])
        if (Resource === '*') expect(Action).toEqual(['xray:PutTraceSegments', 'xray:PutTelemetryRecords'])
      }
    }
  })

  test('reaches the key of the vault only where payment details are taken, stored or charged', () => {
    const withVault = files.filter((file) => verbs(allowed(file)).some((verb) => verb.startsWith('kms:')))
    expect(withVault.sort()).toEqual([...vaultFiles].sort())
    for (const file of withVault) {
      expect(allowed(file)).toContainEqual(
        expect.objectContaining({
          Action: ['kms:Encrypt', 'kms:Decrypt'],
          Condition: { 'ForAnyValue:StringEquals': { 'kms:ResourceAliases': 'alias/payment-service-dev-vault' } },
        }),
      )
    }
  })

  test('of what answers unknown paths reaches no data at all', () => {
    expect(JSON.stringify(allowed('background/not-found'))).not.toMatch(/dynamodb|sqs|kms/)
  })

  test('lets only the sweep read what is due', () => {
    const readers = files.filter((file) => JSON.stringify(allowed(file)).includes('/index/due'))
    expect(readers).toEqual(['background/sweep'])
  })

  test('lets only a worker take messages, and only from its own queue', () => {
    const takers = files.filter((file) => verbs(allowed(file)).includes('sqs:ReceiveMessage'))
    expect(takers).toEqual(workedQueues().map(({ file }) => file))
    for (const { queue, file } of workedQueues()) {
      const taking = allowed(file).find(({ Action }) => Action.includes('sqs:ReceiveMessage'))
      expect(JSON.stringify(taking!.Resource)).toContain(`:${names.queue(queue)}"`)
    }
  })
})

describe('what wakes the background functions', () => {
  test('the sweep runs every minute', () => {
    template.resourceCountIs('AWS::Events::Rule', 1)
    template.hasResourceProperties('AWS::Events::Rule', {
      ScheduleExpression: 'rate(1 minute)',
      Targets: [{ Arn: { 'Fn::GetAtt': [functionOf('background/sweep').id, 'Arn'] } }],
    })
  })

  test('each worked queue feeds its worker, in batches of which only the failed part comes back', () => {
    template.resourceCountIs('AWS::Lambda::EventSourceMapping', workedQueues().length)
    for (const { queue, file } of workedQueues()) {
      template.hasResourceProperties('AWS::Lambda::EventSourceMapping', {
        EventSourceArn: {
          'Fn::Join': [
            '',
            [
              'arn:',
              { Ref: 'AWS::Partition' },
              ':sqs:',
              { Ref: 'AWS::Region' },
              ':',
              { Ref: 'AWS::AccountId' },
              `:${names.queue(queue)}`,
            ],
          ],
        },
        FunctionName: { Ref: functionOf(file).id },
        BatchSize: 10,
        FunctionResponseTypes: ['ReportBatchItemFailures'],
        ScalingConfig: { MaximumConcurrency: 2 },
      })
    }
  })

  test('count in their logs what nobody will ask for any more', () => {
    template.hasResourceProperties('AWS::Logs::MetricFilter', {
      FilterPattern: '"charge_unresolved"',
      MetricTransformations: [{ MetricNamespace: 'payment-service', MetricName: names.unresolved, MetricValue: '1' }],
    })
  })

  test('the queue behind every event source exists, waits long enough and has dead letters', () => {
    for (const { queue, file } of workedQueues()) {
      const [properties] = Object.values(
        data.findResources('AWS::SQS::Queue', { Properties: { QueueName: names.queue(queue) } }),
      )
      expect(properties!.Properties.RedrivePolicy.deadLetterTargetArn).toBeDefined()
      expect(properties!.Properties.VisibilityTimeout).toBeGreaterThanOrEqual(6 * functionOf(file).Timeout)
    }
  })
})
