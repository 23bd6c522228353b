import { App } from 'aws-cdk-lib'
import { Match, Template } from 'aws-cdk-lib/assertions'
import { describe, expect, test } from 'vitest'
import { DataStack } from '#infra/stacks/data-stack.ts'
import { queueNames } from '#shared/background.ts'
import { stageOf } from '#test/fixtures/stages.ts'

const templateOf = (stage: string) => Template.fromStack(new DataStack(new App(), 'Data', { stage: stageOf(stage) }))
const template = templateOf('dev')

/** The logical id of the key behind an alias. */
function keyOf(alias: string): string {
  const [found] = Object.values(template.findResources('AWS::KMS::Alias', { Properties: { AliasName: alias } }))
  return found!.Properties.TargetKeyId['Fn::GetAtt'][0]
}

/** The statements of every policy of a type, with the resource that the policy is attached to. */
function policies(type: string): { target: string; statements: Record<string, unknown>[] }[] {
  return Object.values(template.findResources(type)).map(({ Properties }) => ({
    target: (Properties.Bucket ?? Properties.Queues[0]).Ref,
    statements: Properties.PolicyDocument.Statement,
  }))
}

const tlsOnly = expect.objectContaining({
  Effect: 'Deny',
  Principal: { AWS: '*' },
  Condition: { Bool: { 'aws:SecureTransport': 'false' } },
})

describe('the table', () => {
  test('has the primary key, the due index and the TTL attribute of the key design', () => {
    template.hasResourceProperties('AWS::DynamoDB::Table', {
      TableName: 'payment-service-dev-table',
      KeySchema: [
        { AttributeName: 'pk', KeyType: 'HASH' },
        { AttributeName: 'sk', KeyType: 'RANGE' },
      ],
      AttributeDefinitions: ['pk', 'sk', 'due_shard', 'due_at'].map((AttributeName) => ({
        AttributeName,
        AttributeType: 'S',
      })),
      GlobalSecondaryIndexes: [
        {
          IndexName: 'due',
          KeySchema: [
            { AttributeName: 'due_shard', KeyType: 'HASH' },
            { AttributeName: 'due_at', KeyType: 'RANGE' },
          ],
          Projection: { ProjectionType: 'KEYS_ONLY' },
        },
      ],
      TimeToLiveSpecification: { AttributeName: 'ttl', Enabled: true },
      BillingMode: 'PAY_PER_REQUEST',
    })
  })

  test.each(['staging', 'prod'])(
    'can be restored in %s to any time of the last seven days, and is protected from deletion',
    (stage) => {
      templateOf(stage).hasResource('AWS::DynamoDB::Table', {
        Properties: {
          PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true, RecoveryPeriodInDays: 7 },
          DeletionProtectionEnabled: true,
        },
        DeletionPolicy: 'Retain',
        UpdateReplacePolicy: 'Retain',
      })
    },
  )

  test('is encrypted with our own key, and its stream contains only keys', () => {
    template.hasResourceProperties('AWS::DynamoDB::Table', {
      SSESpecification: {
        SSEEnabled: true,
        SSEType: 'KMS',
        KMSMasterKeyId: { 'Fn::GetAtt': [keyOf('alias/payment-service-dev-data'), 'Arn'] },
      },
      StreamSpecification: { StreamViewType: 'KEYS_ONLY' },
    })
  })
})

describe('the stream', () => {
  test('has its ARN in an SSM parameter of the stage', () => {
    const [table] = Object.keys(template.findResources('AWS::DynamoDB::Table'))
    template.resourceCountIs('AWS::SSM::Parameter', 2)
    template.hasResourceProperties('AWS::SSM::Parameter', {
      Name: '/payment-service/dev/stream-arn',
      Type: 'String',
      Value: { 'Fn::GetAtt': [table, 'StreamArn'] },
    })
  })
})

describe('the bucket of files', () => {
  test('is private, is encrypted with our own key and accepts only TLS', () => {
    template.hasResource('AWS::S3::Bucket', {
      Properties: {
        PublicAccessBlockConfiguration: {
          BlockPublicAcls: true,
          BlockPublicPolicy: true,
          IgnorePublicAcls: true,
          RestrictPublicBuckets: true,
        },
        BucketEncryption: {
          ServerSideEncryptionConfiguration: [
            {
              ServerSideEncryptionByDefault: {
                SSEAlgorithm: 'aws:kms',
                KMSMasterKeyID: { 'Fn::GetAtt': [keyOf('alias/payment-service-dev-data'), 'Arn'] },
              },
            },
          ],
        },
      },
    })
    templateOf('prod').hasResource('AWS::S3::Bucket', { DeletionPolicy: 'Retain' })
    expect(policies('AWS::S3::BucketPolicy')).toEqual([
      { target: expect.any(String), statements: expect.arrayContaining([tlsOnly]) },
    ])
  })

  test('deletes aborted uploads after a day and old versions after the recovery period', () => {
    template.hasResourceProperties('AWS::S3::Bucket', {
      LifecycleConfiguration: {
        Rules: [
          {
            Status: 'Enabled',
            AbortIncompleteMultipartUpload: { DaysAfterInitiation: 1 },
            NoncurrentVersionExpiration: { NoncurrentDays: stageOf('dev').recoveryDays },
            ExpiredObjectDeleteMarker: true,
          },
        ],
      },
    })
  })
})

describe('the queues', () => {
  test.each([
    ['deliveries', 180],
    ['captures', 360],
    ['chores', 360],
    ['clocks', 360],
  ])(
    '%s redelivers a failed message after %i seconds, and moves it to dead letters after five tries',
    (queue, seconds) => {
      const [deadLetters] = Object.keys(
        template.findResources('AWS::SQS::Queue', {
          Properties: {
            QueueName: `payment-service-dev-${queue}-dead-letters`,
            MessageRetentionPeriod: 14 * 24 * 3600,
          },
        }),
      )
      template.hasResourceProperties('AWS::SQS::Queue', {
        QueueName: `payment-service-dev-${queue}`,
        VisibilityTimeout: seconds,
        RedrivePolicy: { deadLetterTargetArn: { 'Fn::GetAtt': [deadLetters, 'Arn'] }, maxReceiveCount: 5 },
      })
    },
  )

  test('are not FIFO queues, in which one receiver could delay another', () => {
    template.allResourcesProperties('AWS::SQS::Queue', { FifoQueue: Match.absent() })
  })

  test('are encrypted with our own key and accept only TLS', () => {
    const queues = template.findResources('AWS::SQS::Queue', {
      Properties: {
        KmsMasterKeyId: { 'Fn::GetAtt': [keyOf('alias/payment-service-dev-data'), 'Arn'] },
        KmsDataKeyReusePeriodSeconds: 3600,
      },
    })
    expect(Object.keys(queues)).toHaveLength(2 * queueNames.length + 1)
    const guarded = policies('AWS::SQS::QueuePolicy')
    expect(guarded.map(({ target }) => target).sort()).toEqual(Object.keys(queues).sort())
    for (const { statements } of guarded) expect(statements).toContainEqual(tlsOnly)
  })

  test('allow by policy only the schedule to send, and only to the queue of lost wake-ups', () => {
    const allowing = policies('AWS::SQS::QueuePolicy').flatMap(({ statements }) =>
      statements.filter(({ Effect }) => Effect === 'Allow'),
    )
    expect(allowing).toEqual([
      {
        Effect: 'Allow',
        Action: 'sqs:SendMessage',
        Principal: { Service: 'events.amazonaws.com' },
        Resource: expect.anything(),
        Condition: { ArnEquals: { 'aws:SourceArn': expect.anything() } },
      },
    ])
    expect(JSON.stringify(allowing)).toContain(':payment-service-dev-lost-wake-ups')
    expect(JSON.stringify(allowing)).toContain(':rule/payment-service-dev-every-minute')
  })
})

describe('the keys', () => {
  test('rotate, and are retained when the stack of prod is deleted', () => {
    templateOf('prod').allResources('AWS::KMS::Key', {
      Properties: { EnableKeyRotation: true },
      DeletionPolicy: 'Retain',
    })
    template.resourceCountIs('AWS::KMS::Key', 2)
  })

  test('include a separate key of the vault, whose policy names only the account', () => {
    const vault = keyOf('alias/payment-service-dev-vault')
    expect(vault).not.toBe(keyOf('alias/payment-service-dev-data'))
    const statements = template.findResources('AWS::KMS::Key')[vault]!.Properties.KeyPolicy.Statement
    expect(statements).toEqual([
      expect.objectContaining({ Action: 'kms:*', Principal: { AWS: { 'Fn::Join': expect.anything() } } }),
    ])
  })

  test('include the data key, which the account uses only through DynamoDB, S3 and SQS, and a service only for its own resource', () => {
    const { Statement } =
      template.findResources('AWS::KMS::Key')[keyOf('alias/payment-service-dev-data')]!.Properties.KeyPolicy
    const users = Statement.filter(({ Action }: { Action: unknown }) => Action !== 'kms:*')
    const via = ['dynamodb.', 's3.', 'sqs.'].map((service) => ({
      'Fn::Join': ['', [service, { Ref: 'AWS::Region' }, '.', { Ref: 'AWS::URLSuffix' }]],
    }))
    const context = (name: string) => ({ [`kms:EncryptionContext:aws:${name}`]: expect.anything() })
    expect(users.map(({ Condition }: { Condition: unknown }) => Condition)).toEqual([
      { StringEquals: { 'kms:CallerAccount': { Ref: 'AWS::AccountId' }, 'kms:ViaService': via } },
      { ArnLike: context('logs:arn') },
      { StringEquals: context('sqs:arn') },
      { StringEquals: context('sns:topicArn') },
    ])
    const text = JSON.stringify(users)
    for (const thing of ['log-group:/aws/lambda/', 'log-group:/aws/apigateway/', 'log-group:aws-waf-logs-'])
      expect(text).toContain(`:${thing}payment-service-dev-`)
  })
})
