import type { Item, Message, Platform, QueueName } from '#shared/platform/ports.ts'
import { type DueKind, groupOf, kindOf } from './keys.ts'

/** Which queue does the work of what falls due, by kind. */
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
}

/** What falls due sooner than this is sent by whoever writes it, since no sweep may come by in time. */
const SOON_MS = 59_000

/**
 * Sends what was just written and falls due before a sweep can be sure to see it. What cannot be sent is left to the
 * sweep's second look: the write is done, so nothing may fail for it.
 */
export async function sendSoonDue(platform: Platform, written: readonly Item[], now: number): Promise<void> {
  const entries = written.flatMap(({ pk, sk, due_shard, due_at }) => {
    if (due_shard === undefined || due_at === undefined || Date.parse(due_at) > now + SOON_MS) return []
    return entryOf(kindOf(due_shard), { pk, sk, due_at }, now)
  })
  const by_queue = Map.groupBy(entries, ({ message }) => queue_of[message.kind as DueKind])
  await Promise.all([...by_queue].map(([queue, messages]) => platform.queues[queue].send(messages).catch(() => {})))
}

/** What a queue is sent of a thing that falls due. */
export function entryOf(kind: DueKind, { pk, sk, due_at }: Omit<Message, 'kind'>, now: number) {
  const message: Message = { kind, pk, sk, due_at }
  return { message, delay_seconds: secondsUntil(due_at, now), group: groupOf(kind, pk) }
}

const secondsUntil = (due_at: string, now: number): number => Math.max(0, Math.ceil((Date.parse(due_at) - now) / 1000))
