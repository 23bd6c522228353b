import { DescribeContinuousBackupsCommand, DescribeTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { GetObjectCommand, S3Client } from '@aws-sdk/client-s3'
import {
  GetQueueAttributesCommand,
  GetQueueUrlCommand,
  ListMessageMoveTasksCommand,
  SQSClient,
  StartMessageMoveTaskCommand,
} from '@aws-sdk/client-sqs'
import { mockClient } from 'aws-sdk-client-mock'
import { beforeEach, describe, expect, test } from 'vitest'
import { ownerOf, queueUrl, readObject, recoveryWindow, startRedrive } from '#shared/platform/aws/operating.ts'

const sqs = mockClient(SQSClient)
const dynamodb = mockClient(DynamoDBClient)
beforeEach(() => {
  sqs.reset()
  dynamodb.reset()
  sqs.on(GetQueueUrlCommand, { QueueName: 'dead' }).resolves({ QueueUrl: 'https://sqs/dead' })
})

test('queueUrl returns the URL of a queue name', async () => {
  expect(await queueUrl('dead')).toBe('https://sqs/dead')
})

describe('startRedrive', () => {
  const holding = (ApproximateNumberOfMessages: string) =>
    sqs
      .on(GetQueueAttributesCommand, { QueueUrl: 'https://sqs/dead' })
      .resolves({ Attributes: { QueueArn: 'arn:dead', ApproximateNumberOfMessages } })

  test('moves nothing if the queue is empty', async () => {
    holding('0')
    expect(await startRedrive('dead')).toBeUndefined()
    expect(sqs.commandCalls(StartMessageMoveTaskCommand)).toEqual([])
  })

  test('moves all messages back to their source queues, and reports the progress', async () => {
    holding('7')
    sqs.on(StartMessageMoveTaskCommand).resolves({})
    sqs
      .on(ListMessageMoveTasksCommand, { SourceArn: 'arn:dead', MaxResults: 1 })
      .resolvesOnce({ Results: [{ Status: 'RUNNING', ApproximateNumberOfMessagesToMove: 7 }] })
      .resolves({
        Results: [{ Status: 'COMPLETED', ApproximateNumberOfMessagesMoved: 7, ApproximateNumberOfMessagesToMove: 7 }],
      })
    const task = await startRedrive('dead')
    const [start] = sqs.commandCalls(StartMessageMoveTaskCommand)
    expect(start!.args[0].input).toEqual({ SourceArn: 'arn:dead' })
    expect(await task!.progress()).toEqual({ moved: 0, of: 7, status: 'RUNNING' })
    expect(await task!.progress()).toEqual({ moved: 7, of: 7, status: 'COMPLETED' })
  })
})

describe('recoveryWindow', () => {
  const described = (PointInTimeRecoveryDescription: object) =>
    dynamodb.on(DescribeContinuousBackupsCommand, { TableName: 'table' }).resolves({
      ContinuousBackupsDescription: { ContinuousBackupsStatus: 'ENABLED', PointInTimeRecoveryDescription },
    })

  test('returns the earliest and the latest time that can be restored', async () => {
    const [EarliestRestorableDateTime, LatestRestorableDateTime] = [new Date(1_000), new Date(2_000)]
    described({ PointInTimeRecoveryStatus: 'ENABLED', EarliestRestorableDateTime, LatestRestorableDateTime })
    expect(await recoveryWindow('table')).toEqual({ from: EarliestRestorableDateTime, to: LatestRestorableDateTime })
  })

  test('returns undefined if recovery is switched off', async () => {
    described({ PointInTimeRecoveryStatus: 'DISABLED' })
    expect(await recoveryWindow('table')).toBeUndefined()
  })
})

test('ownerOf returns the AWS account and the region of a table', async () => {
  const TableArn = 'arn:aws:dynamodb:eu-west-1:123456789012:table/own'
  dynamodb.on(DescribeTableCommand, { TableName: 'own' }).resolves({ Table: { TableArn } })
  expect(await ownerOf('own')).toEqual({ account: '123456789012', region: 'eu-west-1' })
})

test('readObject returns the bytes of an object', async () => {
  const s3 = mockClient(S3Client)
  const Body = { transformToByteArray: async () => Uint8Array.of(1, 2) } as unknown as undefined
  s3.on(GetObjectCommand, { Bucket: 'files', Key: 'mer_1/fil_1' }).resolves({ Body })
  expect(await readObject('files', 'mer_1/fil_1')).toEqual(Uint8Array.of(1, 2))
  s3.restore()
})
