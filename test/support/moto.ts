import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { CreateTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { CreateKeyCommand, KMSClient } from '@aws-sdk/client-kms'
import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3'
import { CreateQueueCommand, SQSClient } from '@aws-sdk/client-sqs'
import { pythonWith } from './python.ts'

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

/**
 * Starts moto, which answers as AWS does, in a process of its own, and points the AWS SDK of this process and of those
 * that it starts to it. `stop` ends it. The first start installs it, and needs python3 and the network for that.
 */
export async function startMoto(): Promise<{ url: string; stop(): void }> {
  const server = spawn(pythonWith('moto', at('../moto/requirements.txt')), [at('../moto/server.py')], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const [port] = await Promise.race([once(server.stdout, 'data'), once(server, 'exit')])
  if (server.exitCode !== null) throw new Error(`moto ended with ${server.exitCode} before it listened`)
  const url = `http://127.0.0.1:${Number(port)}`
  Object.assign(process.env, {
    AWS_ENDPOINT_URL: url,
    AWS_REGION: 'us-east-1',
    AWS_ACCESS_KEY_ID: 'moto',
    AWS_SECRET_ACCESS_KEY: 'moto',
  })
  return { url, stop: () => server.kill() }
}

/** A new, empty table like the one that is deployed; answers its name. */
export async function createTable(TableName = `table-${randomUUID()}`): Promise<string> {
  await new DynamoDBClient().send(
    new CreateTableCommand({
      TableName,
      BillingMode: 'PAY_PER_REQUEST',
      StreamSpecification: { StreamEnabled: true, StreamViewType: 'KEYS_ONLY' },
      AttributeDefinitions: ['pk', 'sk', 'due_shard', 'due_at'].map((AttributeName) => ({
        AttributeName,
        AttributeType: 'S',
      })),
      KeySchema: [
        { AttributeName: 'pk', KeyType: 'HASH' },
        { AttributeName: 'sk', KeyType: 'RANGE' },
      ],
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
    }),
  )
  return TableName
}

/** A new, empty queue; answers its URL. */
export async function createQueue(QueueName = `queue-${randomUUID()}`): Promise<string> {
  const { QueueUrl } = await new SQSClient().send(new CreateQueueCommand({ QueueName }))
  return QueueUrl!
}

/** A new key; answers its id. */
export async function createKey(): Promise<string> {
  const { KeyMetadata } = await new KMSClient().send(new CreateKeyCommand())
  return KeyMetadata!.KeyId!
}

/** A new, empty bucket; answers its name. */
export async function createBucket(): Promise<string> {
  const Bucket = `bucket-${randomUUID()}`
  await new S3Client().send(new CreateBucketCommand({ Bucket }))
  return Bucket
}
