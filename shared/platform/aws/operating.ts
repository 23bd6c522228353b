import { DescribeContinuousBackupsCommand, DescribeTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { GetObjectCommand, S3Client } from '@aws-sdk/client-s3'
import {
  GetQueueAttributesCommand,
  GetQueueUrlCommand,
  ListMessageMoveTasksCommand,
  SQSClient,
  StartMessageMoveTaskCommand,
} from '@aws-sdk/client-sqs'
import { answered, client_options } from './calls.ts'

/*
 * Calls to AWS that are outside the ports. Only an operator makes these calls, never a function of the service.
 */

/** The URL of a queue by its name. */
export async function queueUrl(name: string): Promise<string> {
  const { QueueUrl } = await answered(new SQSClient(client_options).send(new GetQueueUrlCommand({ QueueName: name })))
  return QueueUrl!
}

/** The progress of a redrive: the dead letters that are moved back, all that are to be moved, and the status. */
export interface RedriveProgress {
  readonly moved: number
  readonly of: number
  /** `RUNNING`, `COMPLETED`, or the status of a redrive that ended otherwise. */
  readonly status: string
}

/** Starts to redrive all messages of a dead-letter queue to their source queue; undefined if there are none. */
export async function startRedrive(
  dead_letters: string,
): Promise<{ progress(): Promise<RedriveProgress> } | undefined> {
  const client = new SQSClient(client_options)
  const QueueUrl = await queueUrl(dead_letters)
  const AttributeNames = ['QueueArn' as const, 'ApproximateNumberOfMessages' as const]
  const { Attributes } = await answered(client.send(new GetQueueAttributesCommand({ QueueUrl, AttributeNames })))
  if (Attributes?.ApproximateNumberOfMessages === '0') return undefined
  const SourceArn = Attributes!.QueueArn!
  await answered(client.send(new StartMessageMoveTaskCommand({ SourceArn })))
  return {
    async progress() {
      const { Results = [] } = await answered(
        client.send(new ListMessageMoveTasksCommand({ SourceArn, MaxResults: 1 })),
      )
      const { ApproximateNumberOfMessagesMoved = 0, ApproximateNumberOfMessagesToMove = 0, Status = '' } = Results[0]!
      return { moved: ApproximateNumberOfMessagesMoved, of: ApproximateNumberOfMessagesToMove, status: Status }
    },
  }
}

/** The times between which a table can be restored (point-in-time recovery); undefined if recovery is off. */
export async function recoveryWindow(TableName: string): Promise<{ from?: Date; to?: Date } | undefined> {
  const client = new DynamoDBClient(client_options)
  const answer = await answered(client.send(new DescribeContinuousBackupsCommand({ TableName })))
  const recovery = answer.ContinuousBackupsDescription?.PointInTimeRecoveryDescription
  if (recovery?.PointInTimeRecoveryStatus !== 'ENABLED') return undefined
  return { from: recovery.EarliestRestorableDateTime, to: recovery.LatestRestorableDateTime }
}

/** The AWS account and the region of a table. The name of the bucket beside it contains both. */
export async function ownerOf(TableName: string): Promise<{ account: string; region: string }> {
  const { Table } = await answered(new DynamoDBClient(client_options).send(new DescribeTableCommand({ TableName })))
  const [, , , region = '', account = ''] = Table!.TableArn!.split(':')
  return { account, region }
}

/** The bytes of an object of a bucket. */
export async function readObject(Bucket: string, Key: string): Promise<Uint8Array> {
  const { Body } = await answered(new S3Client(client_options).send(new GetObjectCommand({ Bucket, Key })))
  return answered(Body!.transformToByteArray())
}
