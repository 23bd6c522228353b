import { creationTimeOf, idOf } from '#shared/domain/ids.ts'
import { type Table, type Write, WriteConflict } from '#shared/platform/ports.ts'
import { entryWrites } from '#shared/store/list-entries.ts'
import type { List } from '#shared/store/list-keys.ts'
import { type Page, type PageWanted, pageOf } from '#shared/store/list-page.ts'
import { MemoryTable } from './memory-table.ts'

/**
 * Writers and readers of one list whose every call waits for its turn, and a clock that jumps between turns: one seed is
 * one history, the same each time. Requests travel for up to 5 minutes and clocks are up to 2 minutes wrong.
 */

/** What a broken protocol does differently. */
export interface Mutant {
  readonly table?: (table: Table) => Table
  readonly now?: (now: number) => number
}

/** What happened in a history: how often each thing did, so that a test can tell that it was not idle. */
export interface Tally {
  reads: number
  created: number
  deleted: number
  late: number
  refused: number
  crossed: number
}

type Snapshot = readonly { readonly id: string; readonly facet: string }[]

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const SKEW = 2 * MINUTE
const TRAVEL = 5 * MINUTE

/** Deletes and late entries: below the number of reads that a page may take, so that each answer must be exact. */
const MOST_MISCOUNTS = 4

export const list: List = { pk: 'list#payment#mer_1', prefix: 'pay_', counted: true }

/** Plays one history. Answers the first page that the list never was while it was read, or undefined if all were right. */
export async function simulate(seed: number, tally: Tally, mutant: Mutant = {}): Promise<string | undefined> {
  const world = new World(seed)
  let wrong: string | undefined
  const read = async (skew: number, what: Omit<PageWanted, 'now'>) => {
    const table = (mutant.table ?? asIs)(world.table(skew, tally))
    const wanted = { ...what, now: (mutant.now ?? asIs)(world.now + skew) }
    const since = world.history.length - 1
    const page = await pageOf(table, list, wanted)
    const moments = world.history.slice(since)
    tally.reads++
    if (moments.length > 1) tally.crossed++
    if (!moments.some((moment) => isSame(naive(moment, wanted), page)))
      wrong ??= JSON.stringify({ seed, wanted, page, naive: moments.map((moment) => naive(moment, wanted)) })
  }
  const reader = async () => {
    const skew = world.skew()
    for (let reads = 0; reads < 3; reads++) {
      await world.turn()
      await read(skew, world.wanted())
    }
  }
  const writer = async () => {
    const skew = world.skew()
    const table = (mutant.table ?? asIs)(world.table(skew, tally))
    for (let writes = 0; writes < 4; writes++) {
      await world.turn()
      await world.change(table, skew, tally)
    }
  }
  await world.play([reader, reader, writer, writer, writer])
  await world.play([() => read(0, { page: 1, per_page: 1 })])
  return wrong
}

/** The page as it would be of a list that is no more than an array, newest first. */
export function naive(entries: Snapshot, { page, per_page, created_from, created_before, accepts }: PageWanted): Page {
  const ids = entries
    .filter(({ facet }) => !accepts || accepts(facet))
    .map(({ id }) => id)
    .filter(
      (id) =>
        creationTimeOf(id) >= (created_from ?? 0) && creationTimeOf(id) < (created_before ?? Number.POSITIVE_INFINITY),
    )
  return { total: ids.length, ids: ids.slice((page - 1) * per_page, page * per_page) }
}

const asIs = <T>(thing: T): T => thing

const isSame = (one: Page, other: Page): boolean =>
  one.total === other.total && one.ids.length === other.ids.length && one.ids.every((id, n) => id === other.ids[n])

/** Numbers from 0 to 1 that depend on the seed alone. */
export function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

class World {
  now: number
  /** The list after each write that changed it. */
  readonly history: Snapshot[] = []
  readonly #random: () => number
  readonly #memory = new MemoryTable()
  #waiting: { go: () => void; before: number }[] = []
  #miscounts = 0

  constructor(seed: number) {
    this.#random = randomFrom(seed)
    this.now = Date.UTC(2025, 0, 10) + this.#near(HOUR * this.#below(24))
    this.#fill()
    this.#remember()
  }

  skew(): number {
    return this.#pick([0, -SKEW, SKEW, this.#below(2 * SKEW) - SKEW])
  }

  /** Waits for its turn, which comes before that time. */
  turn(before = Number.POSITIVE_INFINITY): Promise<void> {
    return new Promise((go) => this.#waiting.push({ go, before }))
  }

  /** Lets one call at a time go on, until all are done. The steadier a history, the longer runs one while others wait. */
  async play(actors: readonly (() => Promise<void>)[]): Promise<void> {
    const steadiness = this.#pick([0, 0.5, 0.9, 0.98])
    let left = actors.length
    const all = Promise.all(actors.map((actor) => actor().finally(() => left--)))
    for (;;) {
      await new Promise((resolve) => setImmediate(resolve))
      if (left === 0 || this.#waiting.length === 0) break
      const goes_on = this.#random() < steadiness
      if (!goes_on && this.#random() < 0.3) this.#jump()
      const [next] = this.#waiting.splice(goes_on ? -1 : this.#below(this.#waiting.length), 1)
      next!.go()
    }
    await all
  }

  /** The table as one machine sees it: small pages where a limit or a count allows, and writes that travel. */
  table(skew: number, tally: Tally): Table {
    const memory = this.#memory
    return {
      get: (keys) => this.turn().then(() => memory.get(keys)),
      query: (range) =>
        this.turn().then(() => memory.query({ ...range, limit: range.limit && Math.min(range.limit, 25) })),
      count: (range) => this.turn().then(() => memory.count({ ...range, limit: 25 })),
      write: async (writes, { latest = Number.POSITIVE_INFINITY } = {}) => {
        await this.turn()
        if (this.now + skew > latest) tally.refused++
        if (this.now + skew > latest) throw new WriteConflict([])
        await this.turn(this.now + TRAVEL)
        await memory.write(writes)
        if (writes.some((write) => 'put' in write && write.put.pk !== `${list.pk}#count`)) this.#remember()
        else if (writes.some((write) => 'delete' in write)) this.#remember()
      },
      due: memory.due,
    }
  }

  /** One request that creates a record, or one for what was born before, changes its facet or deletes it; a lost race ends it. */
  async change(table: Table, skew: number, tally: Tally): Promise<void> {
    const kind = this.#random()
    try {
      if (kind < 0.5) {
        if (kind < 0.25) this.#jumpTo(this.#near(this.#hourOf(this.now + skew) + HOUR) - skew)
        await this.#create(table, this.now + skew, this.now + skew)
        tally.created++
        return
      }
      if (kind < 0.6) {
        if (this.#miscounts++ >= MOST_MISCOUNTS) return
        await this.#create(table, this.#bornBefore(), this.now + skew)
        tally.late++
        return
      }
      const entries = this.history.at(-1)!
      const { id, facet } = entries[this.#below(this.#random() < 0.5 ? entries.length : 20)]!
      const [record] = await table.get([recordKey(id)])
      if (!record) return
      const before = [{ list, id, facet }]
      const was = record.version
      if (kind < 0.75) {
        const put = { ...record, version: was + 1 }
        const after = [{ list, id, facet: this.#pick(['a', 'b']) }]
        await this.#commit(table, { put, was }, entryWrites(before, after, this.now + skew))
      } else if (this.#miscounts++ < MOST_MISCOUNTS) {
        await this.#commit(table, { delete: recordKey(id), was }, entryWrites(before, [], this.now + skew))
        tally.deleted++
      }
    } catch (error) {
      if (!(error instanceof WriteConflict)) throw error
    }
  }

  /** A record that was born then comes into the list at `now`, by the writer's clock. */
  async #create(table: Table, born: number, now: number): Promise<void> {
    const id = this.#idAt(born)
    const entries = entryWrites([], [{ list, id, facet: 'a' }], now)
    await this.#commit(table, { put: { ...recordKey(id), version: 1 }, was: 0 }, entries)
  }

  async #commit(table: Table, record: Write, { writes, latest }: ReturnType<typeof entryWrites>): Promise<void> {
    await table.write([record, ...writes], { latest })
  }

  /** A birth by another machine's clock, seconds to hours ago: of what is told of late, as after an outage. */
  #bornBefore(): number {
    const ago = this.#below(this.#pick([2 * MINUTE, 15 * MINUTE, 2 * HOUR, 12 * HOUR]))
    return this.#pick([this.now - ago, this.#near(this.#hourOf(this.now - ago))]) + this.skew()
  }

  /** Any page of the whole list or of a part of it, often one that ends at the edge of an hour. */
  wanted(): Omit<PageWanted, 'now'> {
    const per_page = this.#pick([1, 3, 10, 100])
    const pages = Math.ceil(this.history.at(-1)!.length / per_page)
    const edge = () => this.#near(this.#hourOf(this.now - this.#below(4 * DAY)))
    return {
      per_page,
      page: this.#pick([1, 2, 1 + this.#below(pages + 1)]),
      created_from: this.#random() < 0.3 ? edge() : undefined,
      created_before: this.#random() < 0.2 ? edge() + this.#pick([0, DAY]) : undefined,
      accepts: this.#random() < 0.1 ? (facet) => facet === 'a' : undefined,
    }
  }

  /** A past of some sparse days and one that is full. */
  #fill(): void {
    const births = [
      ...Array.from({ length: 30 }, () => this.now - HOUR - this.#below(3 * DAY)),
      ...Array.from({ length: 10 }, () => this.#hourOf(this.now - HOUR - this.#below(3 * DAY)) - this.#below(2)),
      ...Array.from({ length: 130 }, () => this.now - (this.now % DAY) - DAY - this.#below(DAY)),
      ...Array.from({ length: 5 }, () => this.now - this.#below(HOUR)),
    ]
    for (const born of births) {
      const id = this.#idAt(born)
      const { writes } = entryWrites([], [{ list, id, facet: 'a' }], born)
      this.#memory.write([{ put: { ...recordKey(id), version: 1 } }, ...writes])
    }
  }

  #remember(): void {
    const entries = this.#memory.items.get(list.pk)!.toReversed()
    this.history.push(entries.map(({ sk, facet }) => ({ id: sk, facet: String(facet) })))
  }

  /** Turns the clock on, but never past the time that a request in flight arrives before. */
  #jump(): void {
    const next_hour = this.#hourOf(this.now) + HOUR
    const to = this.#pick([
      this.now + this.#below(5_000),
      this.now + MINUTE - this.#below(2),
      this.now + TRAVEL,
      this.#near(next_hour),
      this.#hourOf(this.now) + this.#below(12 * MINUTE),
      next_hour + this.#below(12 * MINUTE),
      this.now + this.#below(5 * HOUR),
    ])
    this.#jumpTo(to)
  }

  #jumpTo(at: number): void {
    this.now = Math.max(this.now, Math.min(at, ...this.#waiting.map(({ before }) => before)))
  }

  #near(at: number): number {
    return at + this.#pick([-1, 0, 0, 1, this.#below(MINUTE)])
  }

  #hourOf(at: number): number {
    return at - (at % HOUR)
  }

  #idAt(born: number): string {
    return idOf(
      'payment',
      born,
      Uint8Array.from({ length: 16 }, () => this.#below(256)),
    )
  }

  #below(bound: number): number {
    return Math.floor(this.#random() * bound)
  }

  #pick<T>(from: readonly T[]): T {
    return from[this.#below(from.length)]!
  }
}

const recordKey = (id: string) => ({ pk: `payment#mer_1#${id}`, sk: 'payment' })
