import { causeOf } from '#shared/domain/operation-progress.ts'
import type { Message, Platform } from '#shared/platform/ports.ts'
import { merchantAndId, merchantKey, service_kinds } from '#shared/store/keys.ts'
import { recordOf } from '#shared/store/kind.ts'
import { merchants } from '#shared/store/merchants.ts'
import { serviceWork } from '#shared/store/service-work.ts'
import { UnitOfWork } from '#shared/store/unit-of-work.ts'

/** One message as the queue delivers it. */
export interface QueueRecord {
  readonly messageId: string
  readonly body: string
}

/** The partial batch response: the failed messages of a batch, which the queue delivers again. */
export interface BatchResult {
  batchItemFailures: { itemIdentifier: string }[]
}

/**
 * Runs `act` for each message with a unit of work for its merchant. A message that fails is logged and returned in the
 * partial batch response. The other messages of the batch still run.
 */
export async function workThrough(
  platform: Platform,
  records: readonly QueueRecord[],
  act: (work: UnitOfWork, message: Message) => Promise<void>,
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

/**
 * A unit of work for the merchant of an item, with the item already read. The unit of work on an item of the service
 * has no merchant.
 */
export async function workOn(platform: Platform, { pk, sk }: Pick<Message, 'pk' | 'sk'>): Promise<UnitOfWork> {
  if (service_kinds.has(pk.split('#')[0]!)) {
    const [item] = await platform.table.get([{ pk, sk }])
    return serviceWork(platform, item && [item])
  }
  const [row, item] = await platform.table.get([merchantKey(merchantAndId(pk).merchant), { pk, sk }])
  const { id, mode } = recordOf(merchants, row!)
  const work = new UnitOfWork({ platform, merchant: id, mode, known: item && [item] })
  await work.readTestClock()
  return work
}

/**
 * Runs messages about the same `pk` one after the other, because parallel runs would cause version conflicts.
 */
function inTurn(messages: readonly Message[], act: (message: Message) => Promise<void>): Promise<void>[] {
  const last = new Map<string, Promise<void>>()
  return messages.map((message) => {
    const before = last.get(message.pk)?.catch(() => undefined)
    const turn = Promise.resolve(before).then(() => act(message))
    last.set(message.pk, turn)
    return turn
  })
}

/**
 * Logs a failure with the class of its error. The error message is left out, because it may repeat data of a request.
 */
export function logFailure(platform: Platform, { pk }: Pick<Message, 'pk'>, reason: unknown): void {
  const { merchant, id: record } = merchantAndId(pk)
  const cause = causeOf(reason)
  const error = cause instanceof Error ? cause.name : 'unknown'
  platform.log({ level: 'error', event: 'work_failed', merchant, record, error })
}
