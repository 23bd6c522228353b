import type { Message, Platform } from '#shared/platform/ports.ts'
import { merchantAndId, merchantKey } from './keys.ts'
import type { Merchant } from './merchants.ts'
import { Work } from './work.ts'

/** One message as a queue hands it out. */
export interface QueueRecord {
  readonly messageId: string
  readonly body: string
}

/** Which messages of a batch were not done, for the queue to hand out again. */
export interface BatchResult {
  batchItemFailures: { itemIdentifier: string }[]
}

/** Does the work of each message for its merchant. One that fails fails alone, and the log says so. */
export async function workThrough(
  platform: Platform,
  records: readonly QueueRecord[],
  act: (work: Work, message: Message) => Promise<void>,
): Promise<BatchResult> {
  const messages = records.map(({ body }) => JSON.parse(body) as Message)
  const results = await Promise.allSettled(
    inTurn(messages, async (message) => act(await workOn(platform, message), message)),
  )
  const batchItemFailures = results.flatMap((result, index) => {
    if (result.status === 'fulfilled') return []
    logFailure(platform, messages[index]!, result.reason)
    return [{ itemIdentifier: records[index]!.messageId }]
  })
  return { batchItemFailures }
}

/** Work for the merchant that a message is about, with its record read already. */
export async function workOn(platform: Platform, { pk, sk }: Pick<Message, 'pk' | 'sk'>): Promise<Work> {
  const [row, item] = await platform.table.get([merchantKey(merchantAndId(pk).merchant), { pk, sk }])
  const { id, mode } = row as unknown as Merchant
  return new Work({ platform, merchant: id, mode, known: item && [item] })
}

/** Messages about one record come one after the other: side by side they would only lose races against each other. */
function inTurn(messages: readonly Message[], act: (message: Message) => Promise<void>): Promise<void>[] {
  const last = new Map<string, Promise<void>>()
  return messages.map((message) => {
    const before = last.get(message.pk)?.catch(() => undefined)
    const turn = Promise.resolve(before).then(() => act(message))
    last.set(message.pk, turn)
    return turn
  })
}

/** Tells what failed, without its message, which may repeat what was sent. */
export function logFailure(platform: Platform, { pk }: Pick<Message, 'pk'>, reason: unknown): void {
  const { merchant, id: record } = merchantAndId(pk)
  const error = reason instanceof Error ? reason.name : 'unknown'
  platform.log({ level: 'error', event: 'work_failed', merchant, record, error })
}
