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
}

/**
 * An item that falls due within this time is queued by the code that writes the item, because the next sweep may run
 * too late.
 */
const SOON_MS = 59_000

/**
 * Queues the items just written that fall due before a sweep is certain to see them. A failed send is ignored, because
 * the write is already committed. A later sweep sends the message again.
 */
export async function sendSoonDue(platform: Platform, written: readonly Item[], now: number): Promise<void> {
  const entries = written.flatMap(({ pk, sk, due_shard, due_at }) => {
    if (due_shard === undefined || due_at === undefined || Date.parse(due_at) > now + SOON_MS) return []
    return entryOf(kindOf(due_shard), { pk, sk, due_at }, now)
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
