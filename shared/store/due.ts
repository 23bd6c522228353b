import { timestamp } from '#shared/domain/timestamp.ts'
import {
  type Item,
  type Key,
  type Message,
  type Platform,
  type QueueName,
  WriteConflict,
} from '#shared/platform/ports.ts'
import { cursorKey, type DueKind, groupOf, kindOf, SHARDS, shardName } from './keys.ts'

/** Which queue does the work of what falls due, by kind. */
export const queue_of: Readonly<Record<DueKind, QueueName>> = {
  payment: 'chores',
  attempt: 'chores',
  outbox: 'chores',
  delivery: 'deliveries',
  webhook: 'chores',
}

/**
 * How far ahead a sweep looks: what falls due within it is sent at once, with the delay that remains. What is written
 * about the time of a sweep and due a minute later is beyond it even when the index shows it late.
 */
export const AHEAD_MS = 55_000

/** What falls due sooner than this is sent by whoever writes it, since no sweep may come by in time. */
const SOON_MS = 59_000

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000

/** How long after its time a thing that is still there is sent again, since its message or its worker was lost. */
export const RESEND_AFTER_MS = [5, 15, 60, 240].map((minutes) => minutes * MINUTE_MS)

/** Shards that are swept side by side. */
const SHARDS_AT_A_TIME = 16

/** A stretch of due times: above `after`, up to `until`. */
interface Window {
  readonly after: string
  readonly until: string
}

/**
 * Sends what falls due of a kind to its queue, each thing once: every shard from where its cursor stands to a minute
 * ahead, so that a sweep that was missed is made up. What is overdue is sent again at growing distances, never each time.
 * A shard that fails holds up no other; its failure is thrown at the end.
 */
export async function sweep(platform: Platform, kind: DueKind): Promise<void> {
  const shards = Array.from({ length: SHARDS }, (_, shard) => shardName(kind, shard))
  const cursors = await platform.table.get(shards.map(cursorKey))
  const now = platform.clock.now()
  const failures: PromiseRejectedResult[] = []
  while (shards.length > 0) {
    const some = shards.splice(0, SHARDS_AT_A_TIME)
    const their = cursors.splice(0, SHARDS_AT_A_TIME)
    const swept = await Promise.allSettled(
      some.map((shard, index) => sweepShard(platform, kind, shard, now, their[index] as Cursor | undefined)),
    )
    failures.push(...swept.filter((result) => result.status === 'rejected'))
  }
  if (failures[0]) throw failures[0].reason
}

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
function entryOf(kind: DueKind, { pk, sk, due_at }: Omit<Message, 'kind'>, now: number) {
  const message: Message = { kind, pk, sk, due_at }
  return { message, delay_seconds: secondsUntil(due_at, now), group: groupOf(kind, pk) }
}

const secondsUntil = (due_at: string, now: number): number => Math.max(0, Math.ceil((Date.parse(due_at) - now) / 1000))

type Cursor = Key & { readonly version: number; readonly swept_until: number }

async function sweepShard(
  platform: Platform,
  kind: DueKind,
  shard: string,
  now: number,
  cursor?: Cursor,
): Promise<void> {
  const swept_until = now + AHEAD_MS
  if (cursor && cursor.swept_until >= swept_until) return
  for (const window of windowsOf(cursor?.swept_until, swept_until)) await send(platform, kind, shard, window, now)
  try {
    const was = cursor?.version ?? 0
    await platform.table.write([{ put: { ...cursorKey(shard), version: was + 1, swept_until }, was }])
  } catch (error) {
    // Another sweep of this shard was faster; what both have sent is done once by whoever comes first.
    if (!(error instanceof WriteConflict)) throw error
  }
}

/** What a sweep has to look at: what is new since the one before, and what has been overdue for some time. */
function windowsOf(before: number | undefined, until: number): Window[] {
  if (before === undefined) return [{ after: '', until: timestamp(until) }]
  // What is new is sent as such, however overdue it is.
  const overdue = (wait: number) => timestamp(Math.min(before, until - AHEAD_MS - wait))
  const again = RESEND_AFTER_MS.map((wait) => ({ after: timestamp(before - AHEAD_MS - wait), until: overdue(wait) }))
  const isNewDay = Math.floor(before / DAY_MS) < Math.floor(until / DAY_MS)
  const daily = isNewDay ? [{ after: '', until: overdue(DAY_MS) }] : []
  return [{ after: timestamp(before), until: timestamp(until) }, ...again, ...daily]
}

async function send(platform: Platform, kind: DueKind, shard: string, window: Window, now: number): Promise<void> {
  let next: string | undefined
  do {
    const page = await platform.table.due({ shard, ...window, next })
    const messages = page.keys.map((key) => entryOf(kind, key, now))
    if (messages.length > 0) await platform.queues[queue_of[kind]].send(messages)
    next = page.next
  } while (next !== undefined)
}
