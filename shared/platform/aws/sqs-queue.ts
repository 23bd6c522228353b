import { createHash } from 'node:crypto'
import { SendMessageBatchCommand, type SendMessageBatchRequestEntry, SQSClient } from '@aws-sdk/client-sqs'
import { type Clock, PlatformUnavailable, type Queue } from '../ports.ts'
import { answered, backoffMs, client_options, TRIES_MAX } from './calls.ts'

/** Most messages in one call. Each is a few keys of limited length, so ten of them never come near the limit of bytes. */
const BATCH_MAX = 10

/** A standard queue of SQS. An answer that is lost may send its messages twice. */
export function sqsQueue(url: string, clock: Clock): Queue {
  let client: SQSClient | undefined

  async function sendBatch(entries: SendMessageBatchRequestEntry[]): Promise<void> {
    let rest = entries
    for (let tries = 1; ; tries++) {
      client ??= new SQSClient(client_options)
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
        // On a standard queue a group is not an order but a fair share.
        MessageGroupId: group === undefined ? undefined : groupId(group),
      }))
      const batches = Array.from({ length: Math.ceil(entries.length / BATCH_MAX) }, (_, index) =>
        entries.slice(index * BATCH_MAX, (index + 1) * BATCH_MAX),
      )
      await Promise.all(batches.map(sendBatch))
    },
  }
}

/** SQS limits the length and the letters of a group, which the name of a receiver may exceed. */
const groupId = (group: string): string => createHash('sha256').update(group).digest('hex')
