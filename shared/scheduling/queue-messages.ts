import type { Item, Message, Platform, QueueName } from '#shared/platform/ports.ts'
import { type DueKind, groupOf, kindOf } from '#shared/store/keys.ts'

/** The queue of each kind of due work. The worker of the queue handles the items of that kind. */
export const queue_of: Readonly<Record<DueKind, QueueName>> = {
  payment: 'chores',
  attempt: 'chores',
  outbox: 'chores',
  delivery: 'deliveries',
  webhook: 'chores',
  subscription: 'captures',
  occurrence: 'captures',
  settling: 'chores',
  file: 'chores',
  secure_token: 'chores',
  notification: 'chores',
  provider_events: 'chores',
  test_clock: 'clocks',
}

/**
 * An item that falls due within this time is queued by the code that writes the item, because the next sweep may run
 * too late.
 */
const SOON_MS = 59_000

/**
 * The same time for a merchant whose test clock is ahead. Its worker looks for due records every ten minutes. A queue
 * delays a message by 15 minutes at most.
 */
export const SOON_ON_TEST_CLOCK_MS = 14 * 60_000

/** The kinds whose work is usually done before it falls due. Only a sweep or a look at a test clock queues it. */
const safeguards: ReadonlySet<DueKind> = new Set<DueKind>(['outbox', 'file'])

/**
 * Queues the items just written that fall due before a sweep is certain to see them. A failed send is ignored, because
 * the write is already committed. A later sweep sends the message again.
 */
export async function sendSoonDue(
  platform: Platform,
  written: readonly Item[],
  now: number,
  soon_ms = SOON_MS,
): Promise<void> {
  const entries = written.flatMap(({ pk, sk, due_shard, due_at }) => {
    if (due_shard === undefined || due_at === undefined) return []
    const kind = kindOf(due_shard)
    if (Date.parse(due_at) > now + (safeguards.has(kind) ? SOON_MS : soon_ms)) return []
    return entryOf(kind, { pk, sk, due_at }, now)
  })
  const by_queue = Map.groupBy(entries, ({ message }) => queue_of[message.kind as DueKind])
  await Promise.all([...by_queue].map(([queue, messages]) => platform.queues[queue].send(messages).catch(() => {})))
}

/** The queue entry of an item that falls due: its message, the delay until the due time in seconds, and its group. */
export function entryOf(kind: DueKind, { pk, sk, due_at }: Omit<Message, 'kind'>, now: number) {
  const message: Message = { kind, pk, sk, due_at }
  return { message, delay_seconds: secondsUntil(due_at, now), group: groupOf(kind, pk) }
}

const secondsUntil = (due_at: string, now: number): number => Math.max(0, Math.ceil((Date.parse(due_at) - now) / 1000))
