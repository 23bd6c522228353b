import { createHash } from 'node:crypto'
import { SendMessageBatchCommand, type SendMessageBatchRequestEntry, SQSClient } from '@aws-sdk/client-sqs'
import { type Clock, PlatformUnavailable, type Queue } from '../ports.ts'
import { answered, backoffMs, client_options, TRIES_MAX } from './calls.ts'

/**
 * The most messages in one call. A message contains only a few keys of limited length, so ten messages stay far below
 * the limit in bytes.
 */
const BATCH_MAX = 10

/** The endpoint of the region, or `AWS_ENDPOINT_URL`, is called. The queue URL only names the queue. */
const sqs_options = { ...client_options, useQueueUrlAsEndpoint: false }

/** A standard queue of SQS. A send whose response is lost can send its messages twice. */
export function sqsQueue(url: string, clock: Clock): Queue {
  let client: SQSClient | undefined

  async function sendBatch(entries: SendMessageBatchRequestEntry[]): Promise<void> {
    let rest = entries
    for (let tries = 1; ; tries++) {
      client ??= new SQSClient(sqs_options)
      const command = new SendMessageBatchCommand({ QueueUrl: url, Entries: rest })
      const { Failed = [] } = await answered(client.send(command))
      if (Failed.length === 0) return
      if (tries === TRIES_MAX) throw new PlatformUnavailable(`a queue did not take messages: ${Failed[0]!.Code}`)
      rest = rest.filter(({ Id }) => Failed.some((failed) => failed.Id === Id))
      await clock.wait(backoffMs(tries))
    }
  }

  return {
    async send(messages) {
      const entries = messages.map(({ message, delay_seconds, group }, index) => ({
        Id: String(index),
        MessageBody: JSON.stringify(message),
        DelaySeconds: delay_seconds,
        // On a standard queue, a group provides fairness between groups, not order.
        MessageGroupId: group === undefined ? undefined : groupId(group),
      }))
      const batches = Array.from({ length: Math.ceil(entries.length / BATCH_MAX) }, (_, index) =>
        entries.slice(index * BATCH_MAX, (index + 1) * BATCH_MAX),
      )
      await Promise.all(batches.map(sendBatch))
    },
  }
}

/**
 * The message group for SQS, which limits its length and characters. The group of a receiver can exceed these limits.
 */
const groupId = (group: string): string => createHash('sha256').update(group).digest('hex')
