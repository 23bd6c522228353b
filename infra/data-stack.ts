import { Aws, Duration, RemovalPolicy, Stack } from 'aws-cdk-lib'
import {
  AttributeType,
  BillingMode,
  ProjectionType,
  StreamViewType,
  Table,
  TableEncryption,
} from 'aws-cdk-lib/aws-dynamodb'
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam'
import { Key } from 'aws-cdk-lib/aws-kms'
import { BlockPublicAccess, Bucket, BucketEncryption, ObjectOwnership } from 'aws-cdk-lib/aws-s3'
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs'
import { StringParameter } from 'aws-cdk-lib/aws-ssm'
import type { Construct } from 'constructs'
import { queueNames, worker_seconds } from '#shared/background.ts'
import type { QueueName } from '#shared/platform/ports.ts'
import { usersOf } from './data-key.ts'
import { type Names, namesOf } from './names.ts'
import { Network } from './network.ts'
import { arnOf } from './permissions.ts'
import { accept } from './review.ts'
import type { Stage } from './stage.ts'

/** All that outlives a deployment: the table, the files, the queues and the keys that encrypt them. */
export class DataStack extends Stack {
  constructor(scope: Construct, id: string, { stage }: { stage: Stage }) {
    const names = namesOf(stage.name)
    super(scope, id, { stackName: names.stack('data'), terminationProtection: stage.deletionProtection })

    const dataKey = this.#dataKey(names, stage)
    const table = this.#table(names.table, dataKey, stage)
    // The ARN of a stream ends in the time it was made at; whoever reads the stream finds it by this name.
    new StringParameter(this, 'StreamArn', { parameterName: names.streamArn, stringValue: table.tableStreamArn! })
    this.#files(names.filesBucket(Aws.ACCOUNT_ID, Aws.REGION), dataKey, stage)
    new StringParameter(this, 'DataKeyArn', { parameterName: names.dataKeyArn, stringValue: dataKey.keyArn })
    for (const queue of queueNames) this.#queue(queue, names, dataKey)
    this.#lostWakeUps(names, dataKey)
    if (stage.fixedAddresses) new Network(this, 'Network', names)
    new Key(this, 'VaultKey', {
      alias: names.vaultKey,
      description: 'Seals payment details and the secrets of webhooks, each for those alone who need them.',
      enableKeyRotation: true,
      removalPolicy: fateIn(stage),
    })
  }

  #dataKey(names: Names, stage: Stage): Key {
    const key = new Key(this, 'DataKey', {
      alias: names.dataKey,
      description: 'Encrypts at rest: the table, the files, the queues, the logs and the alarms.',
      enableKeyRotation: true,
      removalPolicy: fateIn(stage),
    })
    for (const statement of usersOf(names)) key.addToResourcePolicy(statement)
    return key
  }

  #table(tableName: string, encryptionKey: Key, stage: Stage): Table {
    const { recoveryDays, deletionProtection } = stage
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
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true, recoveryPeriodInDays: recoveryDays },
      deletionProtection,
      removalPolicy: fateIn(stage),
    })
    table.addGlobalSecondaryIndex({
      indexName: 'due',
      partitionKey: { name: 'due_shard', type: AttributeType.STRING },
      sortKey: { name: 'due_at', type: AttributeType.STRING },
      projectionType: ProjectionType.KEYS_ONLY,
    })
    return table
  }

  #files(bucketName: string, encryptionKey: Key, stage: Stage): void {
    const bucket = new Bucket(this, 'Files', {
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
          noncurrentVersionExpiration: Duration.days(stage.recoveryDays),
          expiredObjectDeleteMarker: true,
        },
      ],
      removalPolicy: fateIn(stage),
    })
    accept(
      bucket,
      ['AwsSolutions-S1'],
      'S3 writes such logs only where our key does not encrypt them, and they would carry links to documents. Who asked for which file is in the logs of the functions.',
    )
  }

  /** A standard queue: deliveries carry their receiver as the message group, by which SQS serves them fairly. */
  #queue(queue: QueueName, names: Names, key: Key): void {
    const deadLetters = this.#deadLetters(`${queue}-dead-letters`, names.deadLetters(queue), key)
    new Queue(this, queue, {
      ...sealedWith(key),
      queueName: names.queue(queue),
      // What failed comes back after this time. Six times the worker's own limit, as Lambda advises: a throttled batch is
      // not handed out twice meanwhile. For a delivery that is still sooner than the sweep looks again.
      visibilityTimeout: Duration.seconds(6 * worker_seconds[queue]),
      deadLetterQueue: { queue: deadLetters, maxReceiveCount: 5 },
    })
  }

  #lostWakeUps(names: Names, key: Key): void {
    const queue = this.#deadLetters('lost-wake-ups', names.lostWakeUps, key)
    accept(queue, ['AwsSolutions-SQS3'], "It takes what other services could not deliver, and is nobody's source.")
    queue.addToResourcePolicy(
      new PolicyStatement({
        principals: [new ServicePrincipal('events.amazonaws.com')],
        actions: ['sqs:SendMessage'],
        resources: [arnOf('sqs', names.lostWakeUps)],
        conditions: { ArnEquals: { 'aws:SourceArn': arnOf('events', `rule/${names.everyMinute}`) } },
      }),
    )
  }

  #deadLetters(id: string, queueName: string, key: Key): Queue {
    const queue = new Queue(this, id, { ...sealedWith(key), queueName, retentionPeriod: Duration.days(14) })
    accept(queue, ['Serverless-SQSRedrivePolicy'], 'This is where the letters of others end.')
    return queue
  }
}

/** What becomes of data when its stack goes. A bucket goes only when it is empty. */
const fateIn = ({ deletionProtection }: Stage): RemovalPolicy =>
  deletionProtection ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY

/** Our key at rest, asked for once an hour, and TLS on the way. */
const sealedWith = (encryptionMasterKey: Key) => ({
  encryption: QueueEncryption.KMS,
  encryptionMasterKey,
  dataKeyReuse: Duration.hours(1),
  enforceSSL: true,
})
