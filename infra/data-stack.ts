import { Aws, Duration, RemovalPolicy, Stack } from 'aws-cdk-lib'
import {
  AttributeType,
  BillingMode,
  ProjectionType,
  StreamViewType,
  Table,
  TableEncryption,
} from 'aws-cdk-lib/aws-dynamodb'
import { Key } from 'aws-cdk-lib/aws-kms'
import { BlockPublicAccess, Bucket, BucketEncryption, ObjectOwnership } from 'aws-cdk-lib/aws-s3'
import { StringParameter } from 'aws-cdk-lib/aws-ssm'
import type { Construct } from 'constructs'
import { usersOf } from './data-key.ts'
import { type Names, namesOf } from './names.ts'
import { queues } from './queues.ts'
import { removalPolicyOf } from './removal-policy.ts'
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
    queues(this, names, dataKey)
    this.#key('VaultKey', stage, {
      alias: names.vaultKey,
      description: 'Seals payment details and the secrets of webhooks, each for those alone who need them.',
    })
  }

  #dataKey(names: Names, stage: Stage): Key {
    const key = this.#key('DataKey', stage, {
      alias: names.dataKey,
      description: 'Encrypts at rest: the table, the files, the queues, the logs and the alarms.',
    })
    for (const statement of usersOf(names)) key.addToResourcePolicy(statement)
    return key
  }

  /** A key that rotates. Its alias outlives the stack like the key itself, because roles reach the vault only by its alias. */
  #key(id: string, stage: Stage, { alias, description }: { alias: string; description: string }): Key {
    const key = new Key(this, id, { description, enableKeyRotation: true, removalPolicy: removalPolicyOf(stage) })
    const { DESTROY, RETAIN_ON_UPDATE_OR_DELETE } = RemovalPolicy
    // A creation that fails removes the alias again. Otherwise the next creation would adopt it with the key of the failed one.
    key.addAlias(alias).applyRemovalPolicy(stage.deletionProtection ? RETAIN_ON_UPDATE_OR_DELETE : DESTROY)
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
      removalPolicy: removalPolicyOf(stage),
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
      removalPolicy: removalPolicyOf(stage),
    })
    accept(
      bucket,
      ['AwsSolutions-S1'],
      'S3 writes such logs only where our key does not encrypt them, and they would carry links to documents. Who asked for which file is in the logs of the functions.',
    )
  }
}
