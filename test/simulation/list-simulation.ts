import { creationTimeOf, idOf } from '#shared/domain/ids.ts'
import { type Item, type Key, type Table, type Write, WriteConflict } from '#shared/platform/ports.ts'
import { attributesOf } from '#shared/store/kind.ts'
import { type Entry, entryWrites, type Stamps } from '#shared/store/list-entries.ts'
import { headKey, hourLetters, type List, wholeFacet } from '#shared/store/list-keys.ts'
import { LaneWrites } from '#shared/store/list-lanes.ts'
import { type Page, type PageWanted, pageOf } from '#shared/store/list-page.ts'
import { randomOf } from '#test/faults/random.ts'
import type { Violation } from './invariants.ts'
import { MemoryTable } from './memory-table.ts'

/** A deliberate fault in the lists, made by changing what their readers and writers see. */
export interface ListMutant {
  readonly table?: (table: Table) => Table
  readonly now?: (now: number) => number
}

export const list_invariants = {
  page_of_a_moment: 'A page is exactly the page of the list at some moment while it was read.',
} as const

type Snapshot = readonly { readonly id: string; readonly facet: string }[]

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const SKEW = 2 * MINUTE
const TRAVEL = 5 * MINUTE

/** The most deletes and late entries of a history. A page that retries its reads for each of them is exact. */
const MOST_MISCOUNTS = 4

/** The list without counted facets. */
export const list: List = { pk: 'list#payment#mer_1', prefix: 'pay_', counted: true }

/** The list whose entries are counted by their facets. */
const by_facet: List = { ...list, facetOf: wholeFacet }

/**
 * Simulates readers and writers of one list. Each of their calls waits for its turn, and the clock jumps between turns,
 * so a seed always gives the same history. Requests travel for up to 5 minutes, and clocks differ by up to 2 minutes.
 */
export async function simulateLists(
  seed: number,
  { mutant = {}, tally = new Map() }: { readonly mutant?: ListMutant; readonly tally?: Map<string, number> } = {},
): Promise<Violation | undefined> {
  const world = new World(seed, tally)
  let violation: Violation | undefined
  const read = async (skew: number, query: Omit<PageWanted, 'now'>) => {
    const table = (mutant.table ?? unchanged)(world.table(skew))
    const wanted = { ...query, now: (mutant.now ?? unchanged)(world.now + skew) }
    const since = world.history.length - 1
    const page = await pageOf(table, world.list, wanted)
    const moments = world.history.slice(since)
    world.happened('reads')
    if (moments.length > 1) world.happened('crossed')
    const right = moments.map((moment) => naive(moment, wanted))
    if (right.some((one) => isSame(one, page))) return
    const at = new Date(world.now).toISOString()
    const rule = list_invariants.page_of_a_moment
    violation ??= { invariant: 'page_of_a_moment', rule, seed, at, seen: JSON.stringify({ wanted, page, right }) }
  }
  const reader = async () => {
    const skew = world.skew()
    for (let reads = 0; reads < 4; reads++) {
      await world.turn()
      await read(skew, world.wanted())
    }
  }
  const writer = async () => {
    const skew = world.skew()
    const table = (mutant.table ?? unchanged)(world.table(skew))
    for (let writes = 0; writes < 4; writes++) {
      await world.turn()
      await world.change(table, skew)
    }
  }
  await world.play([reader, reader, writer, writer, writer])
  await world.play([() => read(0, { page: 1, per_page: 1 })])
  return violation
}

/** Returns the correct page, computed from an array of all entries of the list, newest first. */
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

const unchanged = <T>(value: T): T => value

const isSame = (one: Page, other: Page): boolean =>
  one.total === other.total && one.ids.length === other.ids.length && one.ids.every((id, n) => id === other.ids[n])

class World {
  now: number
  readonly list: List
  /** The list after each write that changed it. */
  readonly history: Snapshot[] = []
  readonly #tally: Map<string, number>
  readonly #random: () => number
  readonly #memory = new MemoryTable()
  #waiting: { go: () => void; before: number }[] = []
  #miscounts = 0

  constructor(seed: number, tally: Map<string, number>) {
    this.#tally = tally
    this.#random = randomOf(seed)
    this.list = this.#pick([list, by_facet])
    this.now = Date.UTC(2025, 1, 2) + this.#near(HOUR * this.#below(24))
    this.#fill()
    this.#snapshot()
  }

  happened(name: string): void {
    this.#tally.set(name, (this.#tally.get(name) ?? 0) + 1)
  }

  skew(): number {
    return this.#pick([0, -SKEW, SKEW, this.#below(2 * SKEW) - SKEW])
  }

  /** Waits for a turn. The turn comes before the time `before`. */
  turn(before = Number.POSITIVE_INFINITY): Promise<void> {
    return new Promise((go) => this.#waiting.push({ go, before }))
  }

  /** Runs one call at a time until all are done. `steadiness` is the probability that the same actor continues. */
  async play(actors: readonly (() => Promise<void>)[]): Promise<void> {
    const steadiness = this.#pick([0, 0.5, 0.9, 0.98])
    let left = actors.length
    const all = Promise.all(actors.map((actor) => actor().finally(() => left--)))
    for (;;) {
      await new Promise((resolve) => setImmediate(resolve))
      if (left === 0 || this.#waiting.length === 0) break
      const continues = this.#random() < steadiness
      if (!continues && this.#random() < 0.3) this.#jump()
      const [next] = this.#waiting.splice(continues ? -1 : this.#below(this.#waiting.length), 1)
      next!.go()
    }
    await all
  }

  /** The table as one machine sees it: reads have short pages, and writes arrive late. */
  table(skew: number): Table {
    const memory = this.#memory
    return {
      get: (keys) => this.turn().then(() => memory.get(keys)),
      query: (range) =>
        this.turn().then(() => memory.query({ ...range, limit: range.limit && Math.min(range.limit, 25) })),
      count: (range) => this.turn().then(() => memory.count({ ...range, limit: 25 })),
      write: async (writes, { latest = Number.POSITIVE_INFINITY } = {}) => {
        await this.turn()
        if (this.now + skew > latest) {
          this.happened('refused')
          throw new WriteConflict([])
        }
        const arrives = this.now + TRAVEL
        // A few requests travel while others make many calls.
        for (let turns = this.#pick([1, 1, 1, 1, 30]); turns > 0; turns--) await this.turn(arrives)
        await memory.write(writes)
        if (writes.some((write) => 'put' in write && write.put.pk !== `${list.pk}#count`)) this.#snapshot()
        else if (writes.some((write) => 'delete' in write)) this.#snapshot()
      },
      due: memory.due,
    }
  }

  /** A request that creates, adds late, changes or deletes a record. It ends at a failed version check. */
  async change(table: Table, skew: number): Promise<void> {
    const kind = this.#random()
    try {
      if (kind < 0.5) {
        if (kind < 0.25) this.#jumpTo(this.#near(this.#hourOf(this.now + skew) + HOUR) - skew)
        let record = await this.#create(table, this.now + skew, this.now + skew)
        this.happened('created')
        while (this.#random() < 0.6) record = await this.#changeFacet(table, record, this.now + skew)
        return
      }
      if (kind < 0.6) {
        if (this.#miscounts++ >= MOST_MISCOUNTS) return
        await this.#create(table, this.#bornBefore(), this.now + skew)
        this.happened('late')
        return
      }
      const entries = this.history.at(-1)!
      const { id } = entries[this.#below(this.#random() < 0.5 ? entries.length : 20)]!
      const [record] = await table.get([recordKey(id)])
      if (!record) return
      const { facet } = attributesOf<{ readonly facet: string }>(record)
      const before = [{ list: this.list, id, facet }]
      const was = record.version
      if (kind < 0.75) {
        await this.#changeFacet(table, record, this.now + skew)
      } else if (this.#miscounts++ < MOST_MISCOUNTS) {
        await this.#commit(table, { delete: recordKey(id), was }, { before, after: [], now: this.now + skew }, record)
        this.happened('deleted')
      }
    } catch (error) {
      if (!(error instanceof WriteConflict)) throw error
    }
  }

  /** Adds a record with the creation time `born`, and returns it. `now` is the time by the clock of the writer. */
  async #create(table: Table, born: number, now: number): Promise<Item> {
    const id = this.#idAt(born)
    const put = { ...recordKey(id), version: 1, facet: 'a' }
    return this.#commit(table, { put, was: 0 }, { before: [], after: [{ list: this.list, id, facet: 'a' }], now })
  }

  /** Changes the facet of a record, and returns the record. A payment changes so within a second of its creation. */
  async #changeFacet(table: Table, record: Item, now: number): Promise<Item> {
    const [id, was, facet] = [record.pk.split('#')[2]!, record.version, this.#pick(['a', 'b'])]
    const before = [{ list: this.list, id, facet: attributesOf<{ readonly facet: string }>(record).facet }]
    const put = { ...record, version: was + 1, facet }
    const changed = await this.#commit(
      table,
      { put, was },
      { before, after: [{ list: this.list, id, facet }], now },
      record,
    )
    this.happened('changed')
    return changed
  }

  /** Commits a change of a record with its entries and lanes, as the unit of work does. */
  async #commit(
    table: Table,
    record: Exclude<Write, { check: Key }>,
    { before, after, now }: { before: readonly Entry[]; after: readonly Entry[]; now: number },
    known?: Item,
  ): Promise<Item> {
    const lanes = new LaneWrites(table, now)
    const { counted_in, moved_in } = attributesOf<Stamps>(known ?? {})
    const stamps = { ...(counted_in && { counted_in }), ...(moved_in && { moved_in }) }
    const counted = entryWrites(before, after, { lanes, stamps })
    const stamped = 'put' in record ? { ...record, put: { ...record.put, ...counted.stamps } } : record
    const writes = [stamped, ...counted.writes, ...lanes.writes()]
    try {
      await table.write(writes, { latest: lanes.latest })
    } catch (error) {
      lanes.failed(error, writes)
      throw error
    }
    lanes.committed()
    return 'put' in stamped ? stamped.put : { ...stamped.delete, version: 0 }
  }

  /**
   * Draws a creation time of up to hours ago, by the clock of another machine. A record that is added after an outage
   * has such a time.
   */
  #bornBefore(): number {
    const ago = this.#below(this.#pick([2 * MINUTE, 15 * MINUTE, 2 * HOUR, 12 * HOUR]))
    return this.#pick([this.now - ago, this.#near(this.#hourOf(this.now - ago))]) + this.skew()
  }

  /** Draws a page of the list or of a part of it. The part often begins or ends near a full hour. */
  wanted(): Omit<PageWanted, 'now'> {
    const per_page = this.#pick([1, 3, 10, 100])
    const pages = Math.ceil(this.history.at(-1)!.length / per_page)
    const edge = () => this.#near(this.#hourOf(this.now - this.#below(4 * DAY)))
    return {
      per_page,
      page: this.#pick([1, 2, 1 + this.#below(pages + 1)]),
      created_from: this.#random() < 0.3 ? edge() : undefined,
      created_before: this.#random() < 0.2 ? edge() + this.#pick([0, DAY]) : undefined,
      accepts: this.#random() < 0.4 ? (facet) => facet === 'a' : undefined,
    }
  }

  /**
   * Fills the list with a few sparse days and one full day. In most histories the list has a head, and
   * every entry is counted in lanes. In the others an older version has written the entries.
   */
  #fill(): void {
    const births = [
      ...Array.from({ length: 30 }, () => this.now - HOUR - this.#below(3 * DAY)),
      ...Array.from({ length: 10 }, () => this.#hourOf(this.now - HOUR - this.#below(3 * DAY)) - this.#below(2)),
      ...Array.from({ length: 130 }, () => this.now - (this.now % DAY) - DAY - this.#below(DAY)),
      ...Array.from({ length: 5 }, () => this.now - this.#below(HOUR)),
    ]
    const has_head = this.#random() < 0.8
    if (has_head) this.#storeHead()
    for (const born of births) {
      const id = this.#idAt(born)
      const lanes = new LaneWrites(this.#memory, born)
      const { writes, stamps } = entryWrites([], [{ list: this.list, id, facet: 'a' }], { lanes, stamps: {} })
      const plain = [{ put: { pk: list.pk, sk: id, version: 1, facet: 'a' } }]
      this.#memory.write([
        { put: { ...recordKey(id), version: 1, facet: 'a', ...(has_head && stamps) } },
        ...(has_head ? [...writes, ...lanes.writes()] : plain),
      ])
      if (has_head) lanes.committed()
    }
  }

  #storeHead(): void {
    const before = this.now - 2 * HOUR
    const head = {
      ...headKey(list),
      version: 1,
      through: hourLetters(before),
      epoch: 1,
      since: this.#hourOf(before),
      is_settled: true,
    }
    this.#memory.write([{ put: head }])
  }

  #snapshot(): void {
    const entries = this.#memory.items.get(list.pk)!.toReversed()
    this.history.push(entries.map(({ sk, facet }) => ({ id: sk, facet: String(facet) })))
  }

  /** Advances the clock, but not past the time at which a request in flight arrives at the latest. */
  #jump(): void {
    const next_hour = this.#hourOf(this.now) + HOUR
    const to = this.#pick([
      this.now + this.#below(5_000),
      this.now + MINUTE - this.#below(2),
      this.now + TRAVEL,
      this.#near(next_hour),
      this.#hourOf(this.now) + this.#below(12 * MINUTE),
      this.#hourOf(this.now) + this.#pick([0, 3, 5, 8, 10]) * MINUTE,
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
