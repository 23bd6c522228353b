import type { DueRange, Item, Key, Write } from '#shared/platform/ports.ts'
import { RESEND_AFTER_MS } from '#shared/scheduling/sweep-windows.ts'
import { cursorKey, type DueKind, kindOf } from '#shared/store/keys.ts'
import { DAY, MINUTE, SECOND, type World } from './delivery-world.ts'
import type { DueKey } from './memory-due.ts'
import type { MemoryTable } from './memory-table.ts'

/** How far ahead a sweep looks. */
const AHEAD = 55 * SECOND

/** How far the due index may lag behind the table. */
const LAG = 2 * MINUTE

/** A row of the due index as it was before a write. */
interface Indexed {
  readonly at: number
  readonly key: Key
  readonly before: Item | undefined
}

/**
 * When the clock sweeps: each full minute. The sweeps that would find nothing are not made one by one; their cursors are
 * moved as they would have moved them, so that a history of weeks costs no more than what happens in it.
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

  /** No sweep comes earlier, whatever it finds. */
  get soonest(): number {
    return Math.max(this.#last, minuteBefore(this.#world.now)) + MINUTE
  }

  /** The next sweep that finds something; infinity when nothing falls due. */
  next(): number {
    this.#next ??= this.#find()
    return Math.max(this.#next, this.soonest)
  }

  /** The kinds to be swept now, the time being that of a sweep. */
  begin(): Set<DueKind> {
    const { now } = this.#world
    const kinds = this.#kinds()
    if (now > this.#last + MINUTE) for (const kind of kinds) this.#move(kind, now - MINUTE + AHEAD)
    this.#last = now
    this.#next = undefined
    return kinds
  }

  /** The rows of the cursors. Where nothing of a kind falls due a sweep has nothing to do. */
  cursors(keys: readonly Key[]): (Item | undefined)[] {
    const held = new Set([...this.#kinds()].map((kind) => cursorKey(kind).pk))
    return keys.map((key) => (held.has(key.pk) ? this.#memory.at(key) : PASSED))
  }

  /** To be told of each commit before it is done, with the items as they are. */
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

  /** Whether a shard holds nothing, and held nothing as long ago as the index may tell of. */
  isQuiet(shard: string): boolean {
    if (this.#memory.due_index.shards.get(shard)?.length) return false
    return (this.#changed_at.get(shard) ?? Number.NEGATIVE_INFINITY) < this.#world.now - LAG
  }

  /** A page of the due index as it was some time ago. */
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

  /** Moves the cursor of a kind past the sweeps until now, if they have found nothing. */
  #passBy(kind: DueKind): void {
    const until = this.#idle + AHEAD
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

/** How far a kind has been swept, and the shards that failed. */
interface Cursor extends Item {
  readonly swept_until: number
  readonly left_behind: Readonly<Record<string, number>>
}

/** A cursor that no sweep has anything to do behind. */
const PASSED: Item = { pk: '', sk: '', version: 1, swept_until: Number.POSITIVE_INFINITY }

/** When a sweep finds what is due then for the next time, if the cursor stands there. */
function foundAt(due: number, swept_until: number): number {
  if (due > swept_until) return due - AHEAD
  const again = RESEND_AFTER_MS.find((wait) => due > swept_until - AHEAD - wait)
  const next_day = (Math.floor(swept_until / DAY) + 1) * DAY - AHEAD
  return Math.min(again === undefined ? Number.POSITIVE_INFINITY : due + again, Math.max(next_day, due + DAY))
}

const minuteBefore = (at: number): number => Math.floor(at / MINUTE) * MINUTE

const nameOf = ({ pk, sk }: Key): string => `${pk}|${sk}`

const known_times = new Map<string, number>()

/** As `Date.parse`, which is slow where few times are asked for often. */
function millisecondsOf(text: string): number {
  const known = known_times.get(text)
  if (known !== undefined) return known
  if (known_times.size > 1_000) known_times.clear()
  const at = Date.parse(text)
  known_times.set(text, at)
  return at
}
