import { timestamp } from '#shared/domain/timestamp.ts'
import { type Platform, WriteConflict } from '#shared/platform/ports.ts'
import { cursorKey, type DueKind, shardsOf } from '#shared/store/keys.ts'
import { attributesOf } from '#shared/store/kind.ts'
import { entryOf, queue_of } from './queue-messages.ts'
import { AHEAD_MS, NEVER, type Window, windowsAt } from './sweep-windows.ts'

const MINUTE_MS = 60_000

/** The number of shards that are swept in parallel. */
const SHARDS_AT_A_TIME = 16

/** How long a sweep sends messages. The next sweep continues with the rest, so a backlog of any size makes progress. */
const SENDING_MS = 40_000

/** A range of due times that a sweep has not finished. The next sweep continues after the page that `next` names. */
type Rest = Window & {
  readonly next?: string
}

/**
 * Queues every item of a kind that falls due, from the cursor of each shard to 55 seconds ahead, so it makes up for
 * missed sweeps. Each item is queued once when it falls due. If it is still due later, it is queued again after growing
 * waits, and not by every sweep.
 * A shard that fails does not affect the others: its cursor stays, and its error is thrown at the end.
 */
export async function sweep(platform: Platform, kind: DueKind): Promise<void> {
  const [item] = await platform.table.get([cursorKey(kind)])
  const cursor = item && attributesOf<Cursor>(item)
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

/** How long the oldest due item of a kind has been overdue, in seconds; 0 if none is overdue. */
export async function overdueSeconds({ table, clock }: Platform, kind: DueKind): Promise<number> {
  const until = timestamp(clock.now())
  const firsts = await Promise.all(shardsOf(kind).map((shard) => table.due({ shard, after: '', until, limit: 1 })))
  const due = firsts.flatMap(({ keys }) => keys.map(({ due_at }) => Date.parse(due_at)))
  return due.length > 0 ? Math.floor((clock.now() - Math.min(...due)) / 1000) : 0
}

/**
 * The cursor of a kind: the time up to which its shards are swept, in epoch milliseconds. `left_behind` holds the
 * earlier times of shards that are behind. `unfinished` holds the ranges that a sweep has not finished.
 */
interface Cursor {
  readonly version: number
  readonly swept_until: number
  readonly left_behind: Readonly<Record<string, number>>
  readonly unfinished: Readonly<Record<string, Rest>>
}

async function moveCursor({ table }: Platform, kind: DueKind, { version, ...cursor }: Cursor): Promise<void> {
  try {
    await table.write([{ put: { ...cursorKey(kind), ...cursor, version: version + 1 }, was: version }])
  } catch (error) {
    // A concurrent sweep has moved the cursor. Both sweeps may have sent the same message. Because of version checks,
    // the workers handle such a message only once.
    if (!(error instanceof WriteConflict)) throw error
  }
}

/** The position of a shard: it is swept up to `from`, except for the `rest` of an earlier sweep. */
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

/**
 * Sweeps one shard. Returns the range that is not finished. `is_behind` means that not even the rest of an earlier
 * sweep is finished, so the position of the shard stays.
 */
async function sweepShard(
  platform: Platform,
  { rest, ...shard }: ShardSweep,
): Promise<{ is_behind: boolean; rest?: Rest }> {
  const still = rest && (await send(platform, shard, rest))
  if (still) return { is_behind: true, rest: still }
  const [fresh, ...again] = shard.windows(shard.from)
  const left = await send(platform, shard, fresh!)
  // A resend that runs out of time is not continued. Its items are queued after their next wait.
  for (const window of again) await send(platform, shard, window)
  return { is_behind: false, rest: left }
}

/** Queues a range of a shard page by page while there is time. Returns what is left of the range. */
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

/** The shards in an order that rotates every minute, so no shard is always last when time runs out. */
function inTurn(shards: readonly string[], now: number): string[] {
  const first = (Math.floor(now / MINUTE_MS) * SHARDS_AT_A_TIME) % shards.length
  return [...shards.slice(first), ...shards.slice(0, first)]
}
