import { isDeepStrictEqual } from 'node:util'
import type { Template } from 'aws-cdk-lib/assertions'
import { describe, expect, test } from 'vitest'
import { namesOf } from '#infra/names.ts'
import { stacksOf } from '#test/fixtures/stage-stacks.ts'
import { fullStageOf } from '#test/fixtures/stages.ts'

const names = namesOf('prod')
const templates: readonly Template[] = Object.values(stacksOf(fullStageOf('prod')))

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
    const network = ['VPC', 'Subnet', 'RouteTable', 'SubnetRouteTableAssociation', 'Route', 'InternetGateway']
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
    [
      'S3::Bucket',
      ['S3::BucketPolicy', 's3:*'],
      ({ Bucket }: Resource['properties']) => [Bucket],
      (id: string) => [arnOf(id), { 'Fn::Join': ['', [arnOf(id), '/*']] }],
    ],
    ['SQS::Queue', ['SQS::QueuePolicy', 'sqs:*'], ({ Queues }: Resource['properties']) => Queues, arnOf],
    // The policy of a topic takes no wildcard: all that it can refuse others that matters is to publish.
    [
      'SNS::Topic',
      ['SNS::TopicPolicy', 'sns:Publish'],
      ({ Topics }: Resource['properties']) => Topics,
      (id: string) => ({ Ref: id }),
    ],
  ] as const)('as a %s, is reached over TLS alone, by anyone and whole', (type, [policy, action], guarded, whole) => {
    const safe = of(policy).flatMap(({ properties }) =>
      guarded(properties)
        .map(({ Ref }: { readonly Ref: string }) => Ref)
        .filter((id: string) => properties.PolicyDocument.Statement.some(refusesPlain(action, whole(id)))),
    )
    expect(safe.sort()).toEqual(
      of(type)
        .map(({ id }) => id)
        .sort(),
    )
  })
})

const arnOf = (id: string) => ({ 'Fn::GetAtt': [id, 'Arn'] })

interface Statement {
  readonly Effect: string
  readonly Action: string | string[]
  readonly Resource: unknown
  readonly Principal?: unknown
  readonly Condition?: Readonly<Record<string, Readonly<Record<string, unknown>>>>
}

/** Whether a statement refuses this action on this resource to everybody who comes without TLS, and on no further condition. */
const refusesPlain =
  (action: string, resource: unknown) =>
  ({ Effect, Principal, Action, Resource, Condition }: Statement): boolean =>
    Effect === 'Deny' &&
    (Principal === '*' || isDeepStrictEqual(Principal, { AWS: '*' })) &&
    Action === action &&
    isDeepStrictEqual(Resource, resource) &&
    isDeepStrictEqual(Condition, { Bool: { 'aws:SecureTransport': 'false' } })

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

  /** Wildcards within an ARN, by what ends it. */
  const within: Readonly<Record<string, string>> = {
    ':key/*': 'a key is told by its alias, which a condition asks for',
    ':table/payment-service-prod-table/stream/*': 'a stream is named by the moment it was opened',
    ':function:payment-service-prod-*': 'the API invokes every function of the stage',
    '/*': 'files are named when they come',
  }

  const wildcards = statements.flatMap(({ Resource, Condition }) =>
    [Resource].flat().flatMap((resource) => {
      const end = (resource as { 'Fn::Join'?: [string, unknown[]] })['Fn::Join']?.[1].at(-1)
      return JSON.stringify(resource).includes('*') && resource !== '*' ? [{ end, resource, Condition }] : []
    }),
  )

  test('of a role has a wildcard within an ARN only at its end, and for one of these reasons, each of which it has still', () => {
    expect(new Set(wildcards.map(({ end }) => end))).toEqual(new Set(Object.keys(within)))
    for (const { resource } of wildcards) expect(JSON.stringify(resource).split('*')).toHaveLength(2)
  })

  test('of a role that names any key asks for its alias', () => {
    const keys = wildcards.filter(({ end }) => end === ':key/*')
    expect(keys.length).toBeGreaterThan(0)
    for (const { Condition } of keys)
      expect(Condition?.['ForAnyValue:StringEquals']).toEqual({
        'kms:ResourceAliases': expect.stringMatching(/^alias/),
      })
  })

  test('of a role is its own: AWS manages only the one that lets API Gateway write its logs', () => {
    const managed = of('IAM::Role').flatMap(({ properties }) => properties.ManagedPolicyArns ?? [])
    const own = ':iam::aws:policy/service-role/AmazonAPIGatewayPushToCloudWatchLogs'
    expect(managed).toEqual([{ 'Fn::Join': ['', ['arn:', { Ref: 'AWS::Partition' }, own]] }])
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
