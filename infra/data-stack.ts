import { Aws, Duration, RemovalPolicy, Stack } from 'aws-cdk-lib'
import {
  AttributeType,
  BillingMode,
  ProjectionType,
  StreamViewType,
  Table,
  TableEncryption,
} from 'aws-cdk-lib/aws-dynamodb'
import { AnyPrincipal, PolicyStatement } from 'aws-cdk-lib/aws-iam'
import { Key } from 'aws-cdk-lib/aws-kms'
import { BlockPublicAccess, Bucket, BucketEncryption, ObjectOwnership } from 'aws-cdk-lib/aws-s3'
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs'
import { StringParameter } from 'aws-cdk-lib/aws-ssm'
import type { Construct } from 'constructs'
import { queueNames, worker_seconds } from '#shared/background.ts'
import type { QueueName } from '#shared/platform/ports.ts'
import { type Names, namesOf } from './names.ts'
import type { Stage } from './stage.ts'

/** How long what was deleted can be brought back by the operator, and not longer: cards are among it. */
const RECOVERY_DAYS = 7

/** All that outlives a deployment: the table, the files, the queues and the keys that encrypt them. */
export class DataStack extends Stack {
  constructor(scope: Construct, id: string, { stage }: { stage: Stage }) {
    const names = namesOf(stage.name)
    super(scope, id, { stackName: names.stack('data'), terminationProtection: true })

    const dataKey = this.#dataKey(names.dataKey)
    const table = this.#table(names.table, dataKey)
    // The ARN of a stream ends in the time it was made at; whoever reads the stream finds it by this name.
    new StringParameter(this, 'StreamArn', { parameterName: names.streamArn, stringValue: table.tableStreamArn! })
    this.#files(names.filesBucket(Aws.ACCOUNT_ID, Aws.REGION), dataKey)
    for (const queue of queueNames) this.#queue(queue, names)
    new Key(this, 'VaultKey', {
      alias: names.vaultKey,
      description: 'Seals payment details and the secrets of webhooks, each for those alone who need them.',
      enableKeyRotation: true,
    })
  }

  /** Whoever may read the table or the bucket may have it decrypted on the way, and nobody can use the key otherwise. */
  #dataKey(alias: string): Key {
    const key = new Key(this, 'DataKey', {
      alias,
      description: 'Encrypts the table and the files at rest.',
      enableKeyRotation: true,
    })
    key.addToResourcePolicy(
      new PolicyStatement({
        principals: [new AnyPrincipal()],
        actions: ['kms:Encrypt', 'kms:Decrypt', 'kms:ReEncrypt*', 'kms:GenerateDataKey*', 'kms:DescribeKey'],
        resources: ['*'],
        conditions: {
          StringEquals: {
            'kms:CallerAccount': Aws.ACCOUNT_ID,
            'kms:ViaService': [`dynamodb.${Aws.REGION}.amazonaws.com`, `s3.${Aws.REGION}.amazonaws.com`],
          },
        },
      }),
    )
    return key
  }

  #table(tableName: string, encryptionKey: Key): Table {
    const table = new Table(this, 'Table', {
      tableName,
      partitionKey: { name: 'pk', type: AttributeType.STRING },
      sortKey: { name: 'sk', type: AttributeType.STRING },
      billingMode: BillingMode.PAY_PER_REQUEST,
      encryption: TableEncryption.CUSTOMER_MANAGED,
      encryptionKey,
      // The stream only rings a bell: the key says that an event was written, and who hears it reads the event from the
      // table. Images would carry sealed cards and kept answers to readers who need neither.
      stream: StreamViewType.KEYS_ONLY,
      timeToLiveAttribute: 'ttl',
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true, recoveryPeriodInDays: RECOVERY_DAYS },
      deletionProtection: true,
      removalPolicy: RemovalPolicy.RETAIN,
    })
    table.addGlobalSecondaryIndex({
      indexName: 'due',
      partitionKey: { name: 'due_shard', type: AttributeType.STRING },
      sortKey: { name: 'due_at', type: AttributeType.STRING },
      projectionType: ProjectionType.KEYS_ONLY,
    })
    return table
  }

  #files(bucketName: string, encryptionKey: Key): void {
    new Bucket(this, 'Files', {
      bucketName,
      encryption: BucketEncryption.KMS,
      encryptionKey,
      bucketKeyEnabled: true,
      blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
      objectOwnership: ObjectOwnership.BUCKET_OWNER_ENFORCED,
      enforceSSL: true,
      minimumTLSVersion: 1.2,
      versioned: true,
      lifecycleRules: [
        {
          abortIncompleteMultipartUploadAfter: Duration.days(1),
          noncurrentVersionExpiration: Duration.days(RECOVERY_DAYS),
          expiredObjectDeleteMarker: true,
        },
      ],
      removalPolicy: RemovalPolicy.RETAIN,
    })
  }

  /** A standard queue: deliveries carry their receiver as the message group, by which SQS serves them fairly. */
  #queue(queue: QueueName, names: Names): void {
    const deadLetters = new Queue(this, `${queue}-dead-letters`, {
      queueName: names.deadLetters(queue),
      encryption: QueueEncryption.SQS_MANAGED,
      enforceSSL: true,
      retentionPeriod: Duration.days(14),
    })
    new Queue(this, queue, {
      queueName: names.queue(queue),
      encryption: QueueEncryption.SQS_MANAGED,
      enforceSSL: true,
      // What failed comes back after this time. Six times the worker's own limit, as Lambda advises: a throttled batch is
      // not handed out twice meanwhile. For a delivery that is still sooner than the sweep looks again.
      visibilityTimeout: Duration.seconds(6 * worker_seconds[queue]),
      deadLetterQueue: { queue: deadLetters, maxReceiveCount: 5 },
    })
  }
}
