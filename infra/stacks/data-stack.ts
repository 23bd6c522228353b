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
import { usersOf } from '#infra/access/data-key-policy.ts'
import { accept } from '#infra/constructs/nag-review.ts'
import { queues } from '#infra/constructs/queues.ts'
import { removalPolicyOf } from '#infra/constructs/removal-policy.ts'
import { type Names, namesInSlot, namesOf, SLOTS } from '#infra/names.ts'
import { NEW_TABLE, type Stage } from '#infra/stage.ts'

/** The resources that outlive a deployment: the table, the files, the queues and the keys that encrypt them. */
export class DataStack extends Stack {
  constructor(scope: Construct, id: string, { stage }: { stage: Stage }) {
    const names = namesOf(stage.name)
    super(scope, id, { stackName: names.stack('data'), terminationProtection: stage.deletionProtection })

    const dataKey = this.#dataKey(names, stage)
    const table = this.#table(names.table, dataKey, stage)
    // The ARN of a stream ends in its creation time, so the readers of the stream find it by this parameter.
    new StringParameter(this, 'StreamArn', { parameterName: names.streamArn, stringValue: table.tableStreamArn! })
    this.#files(names.filesBucket(Aws.ACCOUNT_ID, Aws.REGION), dataKey, stage)
    new StringParameter(this, 'DataKeyArn', { parameterName: names.dataKeyArn, stringValue: dataKey.keyArn })
    const rules = stage.hasSlots ? SLOTS.map((slot) => namesInSlot(stage.name, slot).everyMinute) : [names.everyMinute]
    queues(this, names, dataKey, rules)
    this.#key('VaultKey', stage, {
      alias: names.vaultKey,
      description:
        'Encrypts payment details and the secrets of webhooks. Each function may use it only for the purposes that it needs.',
    })
  }

  #dataKey(names: Names, stage: Stage): Key {
    const key = this.#key('DataKey', stage, {
      alias: names.dataKey,
      description: 'Encrypts the table, the files, the queues, the logs and the alarms at rest.',
    })
    for (const statement of usersOf(names)) key.addToResourcePolicy(statement)
    return key
  }

  /**
   * Creates a key that rotates. The alias outlives the stack like the key, because roles reach the vault only by its
   * alias.
   */
  #key(id: string, stage: Stage, { alias, description }: { alias: string; description: string }): Key {
    const key = new Key(this, id, { description, enableKeyRotation: true, removalPolicy: removalPolicyOf(stage) })
    const { DESTROY, RETAIN_ON_UPDATE_OR_DELETE } = RemovalPolicy
    // A failed creation deletes the alias. Otherwise the next creation would adopt the alias together with the key of
    // the failed creation.
    key.addAlias(alias).applyRemovalPolicy(stage.deletionProtection ? RETAIN_ON_UPDATE_OR_DELETE : DESTROY)
    return key
  }

  #table(tableName: string, encryptionKey: Key, stage: Stage): Table {
    const { recoveryDays, deletionProtection, warmThroughput: warm } = stage
    const table = new Table(this, 'Table', {
      tableName,
      partitionKey: { name: 'pk', type: AttributeType.STRING },
      sortKey: { name: 'sk', type: AttributeType.STRING },
      billingMode: BillingMode.PAY_PER_REQUEST,
      encryption: TableEncryption.CUSTOMER_MANAGED,
      encryptionKey,
      // The stream carries keys only: a key shows that an outbox row was written, and the fan-out reads the event from
      // the table. Images would carry sealed cards and stored responses to a reader that needs neither.
      stream: StreamViewType.KEYS_ONLY,
      timeToLiveAttribute: 'ttl',
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true, recoveryPeriodInDays: recoveryDays },
      deletionProtection,
      removalPolicy: removalPolicyOf(stage),
      ...(warm && {
        warmThroughput: { readUnitsPerSecond: warm.readUnits, writeUnitsPerSecond: warm.writeUnits },
      }),
    })
    table.addGlobalSecondaryIndex({
      indexName: 'due',
      partitionKey: { name: 'due_shard', type: AttributeType.STRING },
      sortKey: { name: 'due_at', type: AttributeType.STRING },
      projectionType: ProjectionType.KEYS_ONLY,
      ...(warm && {
        warmThroughput: { readUnitsPerSecond: NEW_TABLE.readUnits, writeUnitsPerSecond: warm.indexWriteUnits },
      }),
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
      'S3 cannot write these logs to a bucket that our key encrypts, and they would contain links to documents. The logs of the functions state who requested which file.',
    )
  }
}
