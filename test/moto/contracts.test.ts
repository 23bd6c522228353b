import { DeleteMessageBatchCommand, ReceiveMessageCommand, SQSClient } from '@aws-sdk/client-sqs'
import { DynamodbTable } from '#shared/platform/aws/dynamodb-table.ts'
import { KmsVault } from '#shared/platform/aws/kms-vault.ts'
import { s3Bucket } from '#shared/platform/aws/s3-bucket.ts'
import { sqsQueue } from '#shared/platform/aws/sqs-queue.ts'
import { systemClock } from '#shared/platform/aws/system-clock.ts'
import type { Message } from '#shared/platform/ports.ts'
import { createBucket, createKey, createQueue, createTable } from '#test/fixtures/moto.ts'
import { bucketContract } from '#test/shared/platform/contract/bucket-contract.ts'
import { queueContract } from '#test/shared/platform/contract/queue-contract.ts'
import { scanContract } from '#test/shared/platform/contract/scan-contract.ts'
import { tableContract } from '#test/shared/platform/contract/table-contract.ts'
import { vaultContract } from '#test/shared/platform/contract/vault-contract.ts'

tableContract('DynamodbTable', async () => new DynamodbTable(await createTable(), systemClock))
scanContract('DynamodbTable', async () => new DynamodbTable(await createTable(), systemClock))

vaultContract('KmsVault', async () => new KmsVault(await createKey()))

bucketContract('s3Bucket', async () => ({ bucket: s3Bucket(await createBucket()) }))

queueContract('sqsQueue', async () => {
  const url = await createQueue()
  return { queue: sqsQueue(url, systemClock), receive: () => receiveAll(url) }
})

async function receiveAll(QueueUrl: string): Promise<Message[]> {
  const client = new SQSClient()
  const received: Message[] = []
  for (;;) {
    const { Messages } = await client.send(new ReceiveMessageCommand({ QueueUrl, MaxNumberOfMessages: 10 }))
    if (!Messages?.length) return received
    received.push(...Messages.map(({ Body }) => JSON.parse(Body!)))
    const Entries = Messages.map(({ ReceiptHandle }, index) => ({ Id: String(index), ReceiptHandle }))
    await client.send(new DeleteMessageBatchCommand({ QueueUrl, Entries }))
  }
}
