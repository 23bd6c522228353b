import { timestamp } from '#shared/domain/timestamp.ts'
import { type Platform, WriteConflict } from '#shared/platform/ports.ts'
import { entryOf, queue_of } from './due-messages.ts'
import { cursorKey, type DueKind, shardsOf } from './keys.ts'

/**
 * How far ahead a sweep looks: what falls due within it is sent at once, with the delay that remains. What is written
 * about the time of a sweep and due a minute later is beyond it even when the index shows it late.
 */
export const AHEAD_MS = 55_000

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000

/** How long after its time a thing that is still there is sent again, since its message or its worker was lost. */
export const RESEND_AFTER_MS = [5, 15, 60, 240].map((minutes) => minutes * MINUTE_MS)

/** Shards that are swept side by side. */
const SHARDS_AT_A_TIME = 16

/** A stretch of due times: above `after`, up to `until`. */
type Window = {
  readonly after: string
  readonly until: string
}

/** How long a sweep sends. What is left then the next one goes on with, so that no amount of things due is sent in vain. */
const SENDING_MS = 40_000

/** A stretch of which a sweep has not sent everything: it goes on behind the page that `next` names. */
type Rest = Window & {
  readonly next?: string
}

/**
 * Sends what falls due of a kind to its queue, each thing once: every shard from where its cursor stands to a minute
 * ahead, so that a sweep that was missed is made up. What is overdue is sent again at growing distances, never each time.
 * A shard that fails holds up no other: it stays where it was, and its failure is thrown at the end.
 */
export async function sweep(platform: Platform, kind: DueKind): Promise<void> {
  const [item] = await platform.table.get([cursorKey(kind)])
  const cursor = item as unknown as Cursor | undefined
  const now = platform.clock.now()
  if (cursor && cursor.swept_until >= now + AHEAD_MS) return
  const left_behind: Record<string, number> = {}
  const unfinished: Record<string, Rest> = {}
  let failure: PromiseRejectedResult | undefined
  const windows = windowsAt(now)
  for (const shards of chunks(inTurn(shardsOf(kind), now), SHARDS_AT_A_TIME)) {
    const swept = await Promise.allSettled(
      shards.map((shard) => sweepShard(platform, { kind, shard, now, windows, ...positionIn(cursor, shard) })),
    )
    for (const [index, result] of swept.entries()) {
      const shard = shards[index]!
      const { from, rest } = positionIn(cursor, shard)
      const { is_behind, rest: left } = result.status === 'fulfilled' ? result.value : { is_behind: true, rest }
      if (is_behind) left_behind[shard] = from
      if (left) unfinished[shard] = left
      if (result.status === 'rejected') failure ??= result
    }
  }
  const version = cursor?.version ?? 0
  await moveCursor(platform, kind, { version, swept_until: now + AHEAD_MS, left_behind, unfinished })
  if (failure) throw failure.reason
}

/** How long the oldest thing of a kind has been overdue, in seconds; 0 when nothing is. */
export async function overdueSeconds({ table, clock }: Platform, kind: DueKind): Promise<number> {
  const until = timestamp(clock.now())
  const firsts = await Promise.all(shardsOf(kind).map((shard) => table.due({ shard, after: '', until, limit: 1 })))
  const due = firsts.flatMap(({ keys }) => keys.map(({ due_at }) => Date.parse(due_at)))
  return due.length > 0 ? Math.floor((clock.now() - Math.min(...due)) / 1000) : 0
}

/** How far a kind has been swept, in epoch milliseconds; further back in the shards that are left behind. */
interface Cursor {
  readonly version: number
  readonly swept_until: number
  readonly left_behind: Readonly<Record<string, number>>
  readonly unfinished: Readonly<Record<string, Rest>>
}

/** Where a shard stands that was never swept. */
const NEVER = 0

async function moveCursor({ table }: Platform, kind: DueKind, { version, ...cursor }: Cursor): Promise<void> {
  try {
    await table.write([{ put: { ...cursorKey(kind), ...cursor, version: version + 1 }, was: version }])
  } catch (error) {
    // Another sweep was faster; what both have sent is done once by whoever comes first.
    if (!(error instanceof WriteConflict)) throw error
  }
}

/** Where a shard stands: swept up to `from`, but for the rest of what an earlier sweep did not get through. */
interface Position {
  readonly from: number
  readonly rest: Rest | undefined
}

const positionIn = (cursor: Cursor | undefined, shard: string): Position => ({
  from: cursor?.left_behind[shard] ?? cursor?.swept_until ?? NEVER,
  rest: cursor?.unfinished[shard],
})

interface ShardSweep extends Position {
  readonly kind: DueKind
  readonly shard: string
  readonly now: number
  readonly windows: (from: number) => readonly Window[]
}

/** Answers what it did not get through, and whether that is so much that the shard stays where it was. */
async function sweepShard(
  platform: Platform,
  { rest, ...shard }: ShardSweep,
): Promise<{ is_behind: boolean; rest?: Rest }> {
  const still = rest && (await send(platform, shard, rest))
  if (still) return { is_behind: true, rest: still }
  const [fresh, ...again] = shard.windows(shard.from)
  const left = await send(platform, shard, fresh!)
  // A second look that is cut short is left to the next one.
  for (const window of again) await send(platform, shard, window)
  return { is_behind: false, rest: left }
}

/** The windows of a sweep at `now`, by where a shard stands: nearly all stand at the same place. */
function windowsAt(now: number): (from: number) => readonly Window[] {
  const known = new Map<number, readonly Window[]>()
  return (from) => {
    const windows = known.get(from) ?? windowsOf(from, now + AHEAD_MS)
    known.set(from, windows)
    return windows
  }
}

/** What a sweep has to look at: what is new since the one before, and what has been overdue for some time. */
function windowsOf(before: number, until: number): Window[] {
  if (before === NEVER) return [{ after: '', until: timestamp(until) }]
  // What is new is sent as such, however overdue it is.
  const overdue = (wait: number) => timestamp(Math.min(before, until - AHEAD_MS - wait))
  const again = RESEND_AFTER_MS.map((wait) => ({ after: timestamp(before - AHEAD_MS - wait), until: overdue(wait) }))
  const isNewDay = Math.floor(before / DAY_MS) < Math.floor(until / DAY_MS)
  const daily = isNewDay ? [{ after: '', until: overdue(DAY_MS) }] : []
  return [{ after: timestamp(before), until: timestamp(until) }, ...again, ...daily]
}

/** Sends a stretch of a shard, page after page, as long as there is time; answers what is left of it. */
async function send(
  platform: Platform,
  { kind, shard, now }: Pick<ShardSweep, 'kind' | 'shard' | 'now'>,
  { after, until, next: first }: Rest,
): Promise<Rest | undefined> {
  let next = first
  do {
    if (platform.clock.now() >= now + SENDING_MS) return { after, until, ...(next !== undefined && { next }) }
    const page = await platform.table.due({ shard, after, until, next })
    const messages = page.keys.map((key) => entryOf(kind, key, platform.clock.now()))
    if (messages.length > 0) await platform.queues[queue_of[kind]].send(messages)
    next = page.next
  } while (next !== undefined)
  return undefined
}

function chunks<T>(all: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(all.length / size) }, (_, index) => all.slice(index * size, (index + 1) * size))
}

/** The shards, each minute beginning with others, so that none is always the last when time runs out. */
function inTurn(shards: readonly string[], now: number): string[] {
  const first = (Math.floor(now / MINUTE_MS) * SHARDS_AT_A_TIME) % shards.length
  return [...shards.slice(first), ...shards.slice(0, first)]
}
