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
import type { Construct } from 'constructs'
import { queueNames, WORKER_SECONDS } from '#shared/background.ts'
import { namesOf } from './names.ts'
import type { Stage } from './stage.ts'

/** How long what was deleted can be brought back by the operator, and not longer: cards are among it. */
const RECOVERY_DAYS = 7

/** All that outlives a deployment: the table, the files, the queues and the keys that encrypt them. */
export class DataStack extends Stack {
  constructor(scope: Construct, id: string, { stage }: { stage: Stage }) {
    const names = namesOf(stage.name)
    super(scope, id, { stackName: names.stack('data'), terminationProtection: true })

    const dataKey = this.#dataKey(names.dataKey)
    this.#table(names.table, dataKey)
    this.#files(names.filesBucket(Aws.ACCOUNT_ID, Aws.REGION), dataKey)
    for (const queue of queueNames) this.#queue(queue, names.queue(queue), names.deadLetters(queue))
    new Key(this, 'VaultKey', {
      alias: names.vaultKey,
      description: 'Seals payment details. Only who charges or stores them may use it.',
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

  #table(tableName: string, encryptionKey: Key): void {
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

  #queue(id: string, queueName: string, deadLettersName: string): void {
    const deadLetters = new Queue(this, `${id}-dead-letters`, {
      queueName: deadLettersName,
      encryption: QueueEncryption.SQS_MANAGED,
      enforceSSL: true,
      retentionPeriod: Duration.days(14),
    })
    new Queue(this, id, {
      queueName,
      encryption: QueueEncryption.SQS_MANAGED,
      enforceSSL: true,
      // Six times the worker's own limit, as Lambda advises: a throttled batch is not handed out twice meanwhile.
      visibilityTimeout: Duration.seconds(6 * WORKER_SECONDS),
      deadLetterQueue: { queue: deadLetters, maxReceiveCount: 5 },
    })
  }
}
