import type { DueRange, Item, Key, Write } from '#shared/platform/ports.ts'
import { AHEAD_MS, RESEND_AFTER_MS } from '#shared/scheduling/sweep-windows.ts'
import { cursorKey, type DueKind, kindOf } from '#shared/store/keys.ts'
import type { DueKey } from './memory-due.ts'
import type { MemoryTable } from './memory-table.ts'
import { DAY, MINUTE, type World } from './world.ts'

/** How far the due index may lag behind the table. */
const LAG = 2 * MINUTE

/** An item as it was before a write changed its row of the due index. */
interface Indexed {
  readonly at: number
  readonly key: Key
  readonly before: Item | undefined
}

/**
 * The schedule of the sweeps: each full minute. A sweep that would find nothing is skipped, and the cursors are moved
 * as it would have moved them. So a history of weeks takes only as long as its events.
 */
export class Sweeps {
  readonly #world: World
  readonly #memory: MemoryTable
  readonly #changes: Indexed[] = []
  readonly #changed_at = new Map<string, number>()
  #last: number
  #next: number | undefined

  constructor(world: World, memory: MemoryTable) {
    this.#world = world
    this.#memory = memory
    this.#last = minuteBefore(world.now)
  }

  /** The earliest time of the next sweep. */
  get soonest(): number {
    return Math.max(this.#last, minuteBefore(this.#world.now)) + MINUTE
  }

  /** The time of the next sweep that finds something; infinity if nothing falls due. */
  next(): number {
    this.#next ??= this.#find()
    return Math.max(this.#next, this.soonest)
  }

  /** Begins the sweep of this minute, and returns the kinds that have work. */
  begin(): Set<DueKind> {
    const { now } = this.#world
    const kinds = this.#kinds()
    if (now > this.#last + MINUTE) for (const kind of kinds) this.#move(kind, now - MINUTE + AHEAD_MS)
    this.#last = now
    this.#next = undefined
    return kinds
  }

  /** The cursors of these keys. The cursor of a kind without due work is already past every sweep. */
  cursors(keys: readonly Key[]): (Item | undefined)[] {
    const held = new Set([...this.#kinds()].map((kind) => cursorKey(kind).pk))
    return keys.map((key) => (held.has(key.pk) ? this.#memory.at(key) : PASSED))
  }

  /** Called before each commit, with the items before it. */
  committing(writes: readonly Write[], items: readonly (Item | undefined)[]): void {
    for (const [index, write] of writes.entries()) {
      if ('check' in write) continue
      const key = 'put' in write ? write.put : write.delete
      const { due_shard, due_at } = 'put' in write ? write.put : ({} as Item)
      const before = items[index]
      if (key.pk.startsWith('cursor#')) this.#next = undefined
      if (before?.due_at === due_at && before?.due_shard === due_shard) continue
      this.#changes.push({ at: this.#world.now, key, before })
      for (const shard of [before?.due_shard, due_shard]) if (shard) this.#changed_at.set(shard, this.#world.now)
      this.#next = undefined
      if (due_shard) this.#passBy(kindOf(due_shard))
    }
  }

  /** Whether a shard is empty, and was empty for longer than the due index can lag behind. */
  isQuiet(shard: string): boolean {
    if (this.#memory.due_index.shards.get(shard)?.length) return false
    return (this.#changed_at.get(shard) ?? Number.NEGATIVE_INFINITY) < this.#world.now - LAG
  }

  /** A page of the due index as it was at a random moment within its lag. */
  stale({ shard, after, until }: DueRange): { keys: DueKey[] } {
    const since = this.#world.now - this.#world.below(LAG)
    const keys = new Map((this.#memory.due_index.shards.get(shard) ?? []).map((key) => [nameOf(key), key]))
    for (const { at, key, before } of this.#changes.toReversed()) {
      if (at < since) break
      keys.delete(nameOf(key))
      if (before?.due_shard === shard) keys.set(nameOf(key), { pk: before.pk, sk: before.sk, due_at: before.due_at! })
    }
    const due = [...keys.values()].filter(({ due_at }) => due_at > after && due_at <= until)
    return { keys: due.sort((one, other) => (one.due_at < other.due_at ? -1 : 1)) }
  }

  get #idle(): number {
    return Math.max(this.#last, minuteBefore(this.#world.now))
  }

  #shards(): string[] {
    return [...this.#memory.due_index.shards].flatMap(([shard, keys]) => (keys.length > 0 ? [shard] : []))
  }

  #kinds(): Set<DueKind> {
    return new Set(this.#shards().map(kindOf))
  }

  /** Moves the cursor of a kind past the sweeps until now, if they would have found nothing. */
  #passBy(kind: DueKind): void {
    const until = this.#idle + AHEAD_MS
    if ((this.#cursor(kind)?.swept_until ?? 0) >= until) return
    const shards = this.#shards().filter((shard) => kindOf(shard) === kind)
    if (this.#find(shards) > this.#idle) this.#move(kind, until)
  }

  #find(shards = this.#shards()): number {
    const moments = shards.flatMap((shard) => {
      const swept_until = this.#sweptUntil(shard)
      return this.#memory.due_index.shards.get(shard)!.map(({ due_at }) => foundAt(millisecondsOf(due_at), swept_until))
    })
    return Math.ceil(Math.min(...moments) / MINUTE) * MINUTE
  }

  #sweptUntil(shard: string): number {
    const cursor = this.#cursor(kindOf(shard))
    return cursor?.left_behind[shard] ?? cursor?.swept_until ?? 0
  }

  #cursor(kind: DueKind): Cursor | undefined {
    return this.#memory.at(cursorKey(kind)) as Cursor | undefined
  }

  #move(kind: DueKind, swept_until: number): void {
    const cursor = this.#cursor(kind)
    if (cursor && cursor.swept_until >= swept_until) return
    const version = (cursor?.version ?? 0) + 1
    this.#memory.write([{ put: { ...cursorKey(kind), version, swept_until, left_behind: {}, unfinished: {} } }])
  }
}

/** The cursor of a kind: the time until which it is swept, and the earlier times of its shards that failed. */
interface Cursor extends Item {
  readonly swept_until: number
  readonly left_behind: Readonly<Record<string, number>>
}

/** The cursor of a kind that no sweep needs to look at. */
const PASSED: Item = { pk: '', sk: '', version: 1, swept_until: Number.POSITIVE_INFINITY }

/** Returns when a sweep next finds an item with this due time, if the cursor stays where it is. */
function foundAt(due: number, swept_until: number): number {
  if (due > swept_until) return due - AHEAD_MS
  const again = RESEND_AFTER_MS.find((wait) => due > swept_until - AHEAD_MS - wait)
  const next_day = (Math.floor(swept_until / DAY) + 1) * DAY - AHEAD_MS
  return Math.min(again === undefined ? Number.POSITIVE_INFINITY : due + again, Math.max(next_day, due + DAY))
}

const minuteBefore = (at: number): number => Math.floor(at / MINUTE) * MINUTE

const nameOf = ({ pk, sk }: Key): string => `${pk}|${sk}`

const known_times = new Map<string, number>()

/** Like `Date.parse`, with a cache, because the same few times are parsed often. */
function millisecondsOf(text: string): number {
  const known = known_times.get(text)
  if (known !== undefined) return known
  if (known_times.size > 1_000) known_times.clear()
  const at = Date.parse(text)
  known_times.set(text, at)
  return at
}
