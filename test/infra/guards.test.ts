import type { Template } from 'aws-cdk-lib/assertions'
import { describe, expect, test } from 'vitest'
import { namesOf } from '#infra/names.ts'
import { type Stage, stageOf } from '#infra/stage.ts'
import { stacksOf } from '#test/support/stage-stacks.ts'

/** A stage with all that a stage can have. */
const full: Stage = {
  ...stageOf('prod'),
  fixedAddresses: true,
  alarmEmails: ['on-call@shop.example'],
  domain: { name: 'api.shop.example', certificate_arn: 'arn:aws:acm:eu-west-1:111122223333:certificate/1' },
}
const names = namesOf('prod')
const templates: readonly Template[] = Object.values(stacksOf(full))

interface Resource {
  readonly id: string
  readonly type: string
  // biome-ignore lint/suspicious/noExplicitAny: properties have every shape
  readonly properties: any
  readonly template: Template
}

const resources: readonly Resource[] = templates.flatMap((template) =>
  Object.entries<{ Type: string; Properties?: object }>(template.toJSON().Resources).map(([id, one]) => ({
    id,
    type: one.Type.replace('AWS::', ''),
    properties: one.Properties ?? {},
    template,
  })),
)
const of = (type: string) => resources.filter((one) => one.type === type)

/** What a reference leads to: a thing's own id, or the name that another stack tells it under. */
function target(reference: unknown, template: Template): string {
  const { Ref, 'Fn::GetAtt': got } = reference as { Ref?: string; 'Fn::GetAtt'?: [string, string] }
  return got?.[0] ?? template.toJSON().Parameters?.[Ref!]?.Default ?? Ref!
}

describe('every resource', () => {
  test('is of a type that somebody has thought of: what it keeps, who may wake it, and what it may', () => {
    const kept = ['DynamoDB::Table', 'S3::Bucket', 'SQS::Queue', 'SNS::Topic', 'Logs::LogGroup']
    const woken = ['Lambda::Function', 'Lambda::EventSourceMapping', 'Lambda::Permission', 'Events::Rule']
    const allowed = ['IAM::Role', 'KMS::Key', 'KMS::Alias', 'S3::BucketPolicy', 'SQS::QueuePolicy', 'SNS::TopicPolicy']
    const door = ['RestApi', 'Stage', 'Deployment', 'Account', 'DomainName', 'BasePathMapping']
    const firewall = ['WebACL', 'WebACLAssociation', 'LoggingConfiguration']
    const watch = ['CloudWatch::Alarm', 'CloudWatch::Dashboard', 'Logs::MetricFilter', 'SNS::Subscription']
    const network = ['VPC', 'Subnet', 'RouteTable', 'SubnetRouteTableAssociation', 'Route', 'InternetGateway', 'EIP']
    const ways_out = ['VPCGatewayAttachment', 'NatGateway', 'VPCEndpoint', 'SecurityGroup']
    expect([...new Set(resources.map(({ type }) => type))].sort()).toEqual(
      [
        ...[...kept, ...woken, ...allowed, ...watch, 'SSM::Parameter'],
        ...door.map((name) => `ApiGateway::${name}`),
        ...firewall.map((name) => `WAFv2::${name}`),
        ...[...network, ...ways_out].map((name) => `EC2::${name}`),
      ].sort(),
    )
  })
})

describe('whatever keeps data', () => {
  const keyOf: Readonly<Record<string, (properties: Resource['properties']) => unknown>> = {
    'DynamoDB::Table': ({ SSESpecification }) => SSESpecification.KMSMasterKeyId,
    'S3::Bucket': ({ BucketEncryption }) =>
      BucketEncryption.ServerSideEncryptionConfiguration[0].ServerSideEncryptionByDefault.KMSMasterKeyID,
    'SQS::Queue': ({ KmsMasterKeyId }) => KmsMasterKeyId,
    'SNS::Topic': ({ KmsMasterKeyId }) => KmsMasterKeyId,
    'Logs::LogGroup': ({ KmsKeyId }) => KmsKeyId,
  }
  const data_key = of('KMS::Alias').find(({ properties }) => properties.AliasName === names.dataKey)!
  const ours = [target(data_key.properties.TargetKeyId, data_key.template), names.dataKeyArn]

  test.each(Object.keys(keyOf))('as a %s, is encrypted with our key', (type) => {
    expect(of(type).length).toBeGreaterThan(0)
    for (const { id, properties, template } of of(type))
      expect(ours, id).toContain(target(keyOf[type]!(properties), template))
  })

  test('as a log, is kept for the time of its stage', () => {
    for (const { id, properties } of of('Logs::LogGroup')) expect(properties.RetentionInDays, id).toBe(365)
    const logs = of('Lambda::Function').map(({ properties }) => properties.LoggingConfig.LogGroup.Ref)
    expect(new Set(logs).size).toBe(of('Lambda::Function').length)
  })

  test.each([
    ['S3::Bucket', 'S3::BucketPolicy', ({ Bucket }: Resource['properties']) => [Bucket.Ref]],
    ['SQS::Queue', 'SQS::QueuePolicy', ({ Queues }: Resource['properties']) => Queues.map(refOf)],
    ['SNS::Topic', 'SNS::TopicPolicy', ({ Topics }: Resource['properties']) => Topics.map(refOf)],
  ])('as a %s, is reached over TLS alone', (type, policy, guarded) => {
    const safe = of(policy).filter(({ properties }) => properties.PolicyDocument.Statement.some(refusesPlain))
    expect(safe.flatMap(({ properties }) => guarded(properties)).sort()).toEqual(
      of(type)
        .map(({ id }) => id)
        .sort(),
    )
  })
})

const refOf = ({ Ref }: { readonly Ref: string }) => Ref

interface Statement {
  readonly Effect: string
  readonly Action: string | string[]
  readonly Resource: unknown
  readonly Principal?: unknown
  readonly Condition?: { readonly Bool?: Readonly<Record<string, string>> }
}

const refusesPlain = ({ Effect, Condition }: Statement): boolean =>
  Effect === 'Deny' && Condition?.Bool?.['aws:SecureTransport'] === 'false'

describe('whatever is done without anybody waiting', () => {
  const lost = JSON.stringify(names.lostWakeUps).slice(1, -1)
  const isQueue = (name: string) => of('SQS::Queue').some(({ properties }) => properties.QueueName === name)

  test('as a message, has dead letters where its queue gives up', () => {
    const sources = of('SQS::Queue').filter(({ properties }) => properties.RedrivePolicy)
    const ends = sources.map(({ properties }) => target(properties.RedrivePolicy.deadLetterTargetArn, templates[0]!))
    const others = of('SQS::Queue').filter(({ properties }) => !properties.RedrivePolicy)
    expect(sources).toHaveLength(3)
    expect(others.map(({ properties, id }) => (ends.includes(id) ? 'an end' : properties.QueueName)).sort()).toEqual([
      ...Array(3).fill('an end'),
      names.lostWakeUps,
    ])
  })

  test('from a queue or a stream, leaves what fails in dead letters', () => {
    expect(of('Lambda::EventSourceMapping')).toHaveLength(4)
    for (const { properties } of of('Lambda::EventSourceMapping')) {
      const from = JSON.stringify(properties.EventSourceArn)
      const queue = of('SQS::Queue').find((one) => from.includes(`:${one.properties.QueueName}"`))
      if (queue) expect(queue.properties.RedrivePolicy).toBeDefined()
      else expect(JSON.stringify(properties.DestinationConfig.OnFailure.Destination)).toContain(lost)
    }
  })

  test('on a schedule, leaves what is not even begun in dead letters, and what fails', () => {
    expect(isQueue(names.lostWakeUps)).toBe(true)
    const targets = of('Events::Rule').flatMap(({ properties }) => properties.Targets)
    expect(targets).toHaveLength(1)
    for (const { Arn, DeadLetterConfig } of targets) {
      expect(JSON.stringify(DeadLetterConfig)).toContain(lost)
      const woken = of('Lambda::Function').find(({ id }) => id === Arn['Fn::GetAtt'][0])!
      expect(JSON.stringify(woken.properties.DeadLetterConfig)).toContain(lost)
    }
  })

  test('is woken by nothing else: only the schedule may invoke a function besides the role of the API', () => {
    const principals = of('Lambda::Permission').map(({ properties }) => properties.Principal)
    expect(principals).toEqual(['events.amazonaws.com'])
  })
})

describe('a policy', () => {
  const statements = of('IAM::Role').flatMap(({ properties }) =>
    (properties.Policies ?? []).flatMap(
      ({ PolicyDocument }: { PolicyDocument: { Statement: Statement[] } }) => PolicyDocument.Statement,
    ),
  ) as Statement[]

  /** What AWS lets nobody narrow. */
  const anywhere: Readonly<Record<string, string>> = {
    'xray:PutTraceSegments': 'X-Ray knows no resources of traces',
    'xray:PutTelemetryRecords': 'X-Ray knows no resources of traces',
    'dynamodb:ListStreams': 'which streams there are is asked of all of them',
    'ec2:CreateNetworkInterface': 'Lambda makes interfaces in the name of the function',
    'ec2:DescribeNetworkInterfaces': 'EC2 knows no resources of lists',
    'ec2:DescribeSubnets': 'EC2 knows no resources of lists',
    'ec2:DeleteNetworkInterface': 'the interfaces are made later',
    'ec2:AssignPrivateIpAddresses': 'the interfaces are made later',
    'ec2:UnassignPrivateIpAddresses': 'the interfaces are made later',
  }

  test('of a role names every action, and a resource wherever AWS takes one', () => {
    expect(statements.length).toBeGreaterThan(of('Lambda::Function').length)
    for (const { Action, Resource } of statements) {
      expect([Action].flat().filter((action) => action.includes('*'))).toEqual([])
      if ([Resource].flat().includes('*')) expect([Action].flat().filter((action) => !(action in anywhere))).toEqual([])
    }
  })

  test('of a role has each of these reasons still', () => {
    const everywhere = statements.filter(({ Resource }) => [Resource].flat().includes('*'))
    expect(new Set(everywhere.flatMap(({ Action }) => Action))).toEqual(new Set(Object.keys(anywhere)))
  })

  test('of a thing lets in nobody from elsewhere', () => {
    const documents = ['S3::BucketPolicy', 'SQS::QueuePolicy', 'SNS::TopicPolicy'].flatMap(of)
    const allowing = documents
      .flatMap(({ properties }) => properties.PolicyDocument.Statement as Statement[])
      .filter(({ Effect }) => Effect === 'Allow')
    expect(allowing.length).toBeGreaterThan(0)
    for (const { Principal, Condition } of allowing) {
      expect(Principal).toEqual({ Service: expect.stringMatching(/^(events|cloudwatch)\.amazonaws\.com$/) })
      expect(Condition).toBeDefined()
    }
  })
})
