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

/** The target of a reference: the id of a resource, or the name of an SSM parameter that another stack writes. */
function target(reference: unknown, template: Template): string {
  const { Ref, 'Fn::GetAtt': got } = reference as { Ref?: string; 'Fn::GetAtt'?: [string, string] }
  return got?.[0] ?? template.toJSON().Parameters?.[Ref!]?.Default ?? Ref!
}

describe('the resources of a stage', () => {
  // A new type needs a review of the data that it stores, of what invokes it and of its permissions.
  test('have only reviewed types', () => {
    const storing = ['DynamoDB::Table', 'S3::Bucket', 'SQS::Queue', 'SNS::Topic', 'Logs::LogGroup']
    const running = ['Lambda::Function', 'Lambda::EventSourceMapping', 'Lambda::Permission', 'Events::Rule']
    const access = ['IAM::Role', 'KMS::Key', 'KMS::Alias', 'S3::BucketPolicy', 'SQS::QueuePolicy', 'SNS::TopicPolicy']
    const gateway = ['RestApi', 'Stage', 'Deployment', 'Account', 'DomainName', 'BasePathMapping']
    const firewall = ['WebACL', 'WebACLAssociation', 'LoggingConfiguration']
    const monitoring = ['CloudWatch::Alarm', 'CloudWatch::Dashboard', 'Logs::MetricFilter', 'SNS::Subscription']
    const network = ['VPC', 'Subnet', 'RouteTable', 'SubnetRouteTableAssociation', 'Route', 'InternetGateway']
    const egress = ['VPCGatewayAttachment', 'NatGateway', 'VPCEndpoint', 'SecurityGroup']
    expect([...new Set(resources.map(({ type }) => type))].sort()).toEqual(
      [
        ...[...storing, ...running, ...access, ...monitoring, 'SSM::Parameter'],
        ...gateway.map((name) => `ApiGateway::${name}`),
        ...firewall.map((name) => `WAFv2::${name}`),
        ...[...network, ...egress].map((name) => `EC2::${name}`),
      ].sort(),
    )
  })
})

describe('the resources that store data', () => {
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

  test.each(Object.keys(keyOf))('every %s is encrypted with our key', (type) => {
    expect(of(type).length).toBeGreaterThan(0)
    for (const { id, properties, template } of of(type))
      expect(ours, id).toContain(target(keyOf[type]!(properties), template))
  })

  test('every log group is retained for 365 days in prod, and every function has its own log group', () => {
    for (const { id, properties } of of('Logs::LogGroup')) expect(properties.RetentionInDays, id).toBe(365)
    const logs = of('Lambda::Function').map(
      ({ properties, template }) => `${templates.indexOf(template)} ${properties.LoggingConfig.LogGroup.Ref}`,
    )
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
    // The policy of a topic accepts no wildcard. Publishing is the only action that needs to be denied.
    [
      'SNS::Topic',
      ['SNS::TopicPolicy', 'sns:Publish'],
      ({ Topics }: Resource['properties']) => Topics,
      (id: string) => ({ Ref: id }),
    ],
  ] as const)(
    'the policy of every %s denies every principal access without TLS to the whole resource',
    (type, [policy, action], guarded, whole) => {
      const safe = of(policy).flatMap(({ properties }) =>
        guarded(properties)
          .map(({ Ref }: { readonly Ref: string }) => Ref)
          .filter((id: string) => properties.PolicyDocument.Statement.some(deniesPlaintext(action, whole(id)))),
      )
      expect(safe.sort()).toEqual(
        of(type)
          .map(({ id }) => id)
          .sort(),
      )
    },
  )
})

const arnOf = (id: string) => ({ 'Fn::GetAtt': [id, 'Arn'] })

interface Statement {
  readonly Effect: string
  readonly Action: string | string[]
  readonly Resource: unknown
  readonly Principal?: unknown
  readonly Condition?: Readonly<Record<string, Readonly<Record<string, unknown>>>>
}

/** Whether a statement denies an action on a resource to every principal without TLS, under no further condition. */
const deniesPlaintext =
  (action: string, resource: unknown) =>
  ({ Effect, Principal, Action, Resource, Condition }: Statement): boolean =>
    Effect === 'Deny' &&
    (Principal === '*' || isDeepStrictEqual(Principal, { AWS: '*' })) &&
    Action === action &&
    isDeepStrictEqual(Resource, resource) &&
    isDeepStrictEqual(Condition, { Bool: { 'aws:SecureTransport': 'false' } })

describe('asynchronous invocations', () => {
  const lost = JSON.stringify(names.lostWakeUps).slice(1, -1)
  const isQueue = (name: string) => of('SQS::Queue').some(({ properties }) => properties.QueueName === name)

  test('every queue has its own dead-letter queue, except the dead-letter queues themselves', () => {
    const sources = of('SQS::Queue').filter(({ properties }) => properties.RedrivePolicy)
    const ends = sources.map(({ properties }) => target(properties.RedrivePolicy.deadLetterTargetArn, templates[0]!))
    const others = of('SQS::Queue').filter(({ properties }) => !properties.RedrivePolicy)
    expect(sources).toHaveLength(4)
    expect(others.map(({ properties, id }) => (ends.includes(id) ? 'an end' : properties.QueueName)).sort()).toEqual([
      ...Array(4).fill('an end'),
      names.lostWakeUps,
    ])
  })

  test('every event source sends failed records or messages to a dead-letter queue', () => {
    expect(of('Lambda::EventSourceMapping')).toHaveLength(2 * 5)
    for (const { properties } of of('Lambda::EventSourceMapping')) {
      const from = JSON.stringify(properties.EventSourceArn)
      const queue = of('SQS::Queue').find((one) => from.includes(`:${one.properties.QueueName}"`))
      if (queue) expect(queue.properties.RedrivePolicy).toBeDefined()
      else expect(JSON.stringify(properties.DestinationConfig.OnFailure.Destination)).toContain(lost)
    }
  })

  test('the schedule and its function send failed invocations to the queue of lost wake-ups', () => {
    expect(isQueue(names.lostWakeUps)).toBe(true)
    const targets = of('Events::Rule').flatMap(({ properties }) => properties.Targets)
    expect(targets).toHaveLength(2)
    for (const { Arn, DeadLetterConfig } of targets) {
      expect(JSON.stringify(DeadLetterConfig)).toContain(lost)
      const invoked = of('Lambda::Function').find(({ id }) => id === Arn['Fn::GetAtt'][0])!
      expect(JSON.stringify(invoked.properties.DeadLetterConfig)).toContain(lost)
    }
  })

  test('only the schedule and the role of the API can invoke a function', () => {
    const principals = of('Lambda::Permission').map(({ properties }) => properties.Principal)
    expect(principals).toEqual(['events.amazonaws.com', 'events.amazonaws.com'])
  })
})

describe('the policies', () => {
  const statements = of('IAM::Role').flatMap(({ properties }) =>
    (properties.Policies ?? []).flatMap(
      ({ PolicyDocument }: { PolicyDocument: { Statement: Statement[] } }) => PolicyDocument.Statement,
    ),
  ) as Statement[]

  /** The actions that a policy can only allow on all resources, each with the reason. */
  const anywhere: Readonly<Record<string, string>> = {
    'xray:PutTraceSegments': 'X-Ray has no resource type for traces',
    'xray:PutTelemetryRecords': 'X-Ray has no resource type for traces',
    'dynamodb:ListStreams': 'the list covers all streams of the account',
    'ec2:CreateNetworkInterface': 'Lambda creates network interfaces with the role of the function',
    'ec2:DescribeNetworkInterfaces': 'EC2 does not restrict lists to resources',
    'ec2:DescribeSubnets': 'EC2 does not restrict lists to resources',
    'ec2:DeleteNetworkInterface': 'the network interfaces are created later',
    'ec2:AssignPrivateIpAddresses': 'the network interfaces are created later',
    'ec2:UnassignPrivateIpAddresses': 'the network interfaces are created later',
  }

  test('a role allows no action with a wildcard, and allows all resources only for the listed actions', () => {
    expect(statements.length).toBeGreaterThan(of('Lambda::Function').length)
    for (const { Action, Resource } of statements) {
      expect([Action].flat().filter((action) => action.includes('*'))).toEqual([])
      if ([Resource].flat().includes('*')) expect([Action].flat().filter((action) => !(action in anywhere))).toEqual([])
    }
  })

  test('every listed action on all resources is still used', () => {
    const everywhere = statements.filter(({ Resource }) => [Resource].flat().includes('*'))
    expect(new Set(everywhere.flatMap(({ Action }) => Action))).toEqual(new Set(Object.keys(anywhere)))
  })

  /** The reasons for a wildcard in an ARN, by the end of the ARN. */
  const within: Readonly<Record<string, string>> = {
    ':key/*': 'a condition on the alias selects the key',
    ':table/payment-service-prod-table/stream/*': 'the name of a stream is the time at which it was enabled',
    ':function:payment-service-prod-*': 'the API invokes every function of the stage',
    '/mer_*': 'files get their names when they are uploaded',
    '/logos/*': 'logos get their names when they are copied',
  }

  const wildcards = statements.flatMap(({ Resource, Condition }) =>
    [Resource].flat().flatMap((resource) => {
      const end = (resource as { 'Fn::Join'?: [string, unknown[]] })['Fn::Join']?.[1].at(-1)
      return JSON.stringify(resource).includes('*') && resource !== '*' ? [{ end, resource, Condition }] : []
    }),
  )

  test('a role has a wildcard in an ARN only at its end and for a listed reason, and every listed reason is still used', () => {
    expect(new Set(wildcards.map(({ end }) => end))).toEqual(new Set(Object.keys(within)))
    for (const { resource } of wildcards) expect(JSON.stringify(resource).split('*')).toHaveLength(2)
  })

  test('a statement of a role that covers all keys requires an alias', () => {
    const keys = wildcards.filter(({ end }) => end === ':key/*')
    expect(keys.length).toBeGreaterThan(0)
    for (const { Condition } of keys)
      expect(Condition?.['ForAnyValue:StringEquals']).toEqual({
        'kms:ResourceAliases': expect.stringMatching(/^alias/),
      })
  })

  test('only the role with which API Gateway writes logs has a policy that AWS manages', () => {
    const managed = of('IAM::Role').flatMap(({ properties }) => properties.ManagedPolicyArns ?? [])
    const own = ':iam::aws:policy/service-role/AmazonAPIGatewayPushToCloudWatchLogs'
    expect(managed).toEqual([{ 'Fn::Join': ['', ['arn:', { Ref: 'AWS::Partition' }, own]] }])
  })

  test('the policies of buckets, queues and topics allow only EventBridge and CloudWatch, under a condition', () => {
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
