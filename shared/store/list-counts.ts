import type { Item, Table, Write } from '#shared/platform/ports.ts'
import { itemsOf } from './items-of.ts'
import { finerCells, isMonth, rowOf, runOf } from './list-cells.ts'
import { entriesOf, HOUR_MS, type List, type Span } from './list-keys.ts'
import { countedFacet } from './list-lanes.ts'
import { addTo, NO_NUMBERS, type Numbers, numberOf, plus, storedNumbers, UNNAMED } from './list-numbers.ts'
import { attempt, changeOf, facetAt, isCounted, storedCount, type Tally, touchesOf } from './list-tally.ts'

/** A part of a list, and the numbers of its entries: of those that the filter accepts, and of all. */
export interface Counted extends Span {
  readonly count: number
  readonly of: number
}

/** One read of a page: what it reads from, and what it learns. */
export interface Reading {
  readonly table: Table
  readonly list: List
  /** The moment whose state of the list the page shows. */
  readonly tally: Tally
  /** The end of the last closed hour. */
  readonly closed: number
  /** The facets of the entries that are wanted; absent if all are. */
  readonly accepts?: ((facet: string) => boolean) | undefined
  /** The closed cells whose entries were counted, by the `sk` of their rows, to be stored with `keepCounts`. */
  readonly found: Map<string, { readonly cell: Span; readonly numbers: Numbers; readonly was: number }>
  /** Whether an entry was read whose facet at the moment of the tally is not known. */
  is_torn: boolean
}

/** The number of cells that are counted in parallel, and stored in one transaction. Days are counted in parallel. */
const CELLS_AT_A_TIME = 50
const MONTHS_AT_A_TIME = 1

/**
 * The number of entries of each cell at the moment of the reading's tally. A closed hour, day or month has a stored count, to
 * which the tally adds its changes. An open hour is counted by the lanes alone. Stored counts are read with one query
 * per day of hours, one per month of days and one for all months. Other cells, and those whose count is not stored, are counted entry by
 * entry.
 */
export async function countsOf(reading: Reading, cells: readonly Span[]): Promise<Counted[]> {
  const numbers = await numbersOf(reading, cells)
  return cells.map((cell, index) => ({
    ...cell,
    count: numberOf(numbers[index]!, reading.accepts),
    of: numberOf(numbers[index]!, undefined),
  }))
}

async function numbersOf(reading: Reading, cells: readonly Span[]): Promise<Numbers[]> {
  const { tally, closed } = reading
  const isStored = (cell: Span) => cell.to <= closed && rowOf(reading.list, cell) !== undefined
  const isInLanes = (cell: Span) => cell.from >= Math.max(closed, tally.head.since) && cell.to - cell.from === HOUR_MS
  const counts = new Map<Span, Numbers>()
  const parts = cells.filter((cell) => !isStored(cell) && !isInLanes(cell))
  const [rows, ends] = await Promise.all([
    rowsOf(reading, cells.filter(isStored)),
    Promise.all(parts.map((cell) => countPart(reading, cell))),
  ])
  for (const [index, cell] of parts.entries()) counts.set(cell, ends[index]!)
  const unknown: Span[] = []
  for (const cell of cells) {
    if (counts.has(cell)) continue
    const { sk } = rowOf(reading.list, cell)!
    const found = reading.found.get(sk)?.numbers
    const stored = isInLanes(cell) ? NO_NUMBERS : storedCount(rows.get(sk), tally.head)
    if (found !== undefined) counts.set(cell, found)
    else if (stored !== undefined) counts.set(cell, plus(stored, changeOf(tally, cell)))
    else unknown.push(cell)
  }
  while (unknown.length > 0) {
    const some = unknown.splice(0, unknown.some(isMonth) ? MONTHS_AT_A_TIME : CELLS_AT_A_TIME)
    const numbers = await Promise.all(some.map((cell) => countNow(reading, cell)))
    for (const [index, cell] of some.entries()) {
      const { sk } = rowOf(reading.list, cell)!
      counts.set(cell, numbers[index]!)
      reading.found.set(sk, { cell, numbers: numbers[index]!, was: rows.get(sk)?.version ?? 0 })
    }
  }
  return cells.map((cell) => counts.get(cell)!)
}

/**
 * Whether a page of the reading shows the list as it was at the moment of its tally, by a tally taken after the page
 * was read: no entry was deleted meanwhile, and nothing has changed in a cell whose entries were counted.
 */
export function isExact({ tally, found, is_torn }: Reading, after: Tally): boolean {
  if (is_torn) return false
  const { through, epoch } = tally.head
  if (after.head.through !== through || after.head.epoch !== epoch || after.gone !== tally.gone) return false
  return [...found.values()].every(({ cell }) => touchesOf(after, cell) === touchesOf(tally, cell))
}

/**
 * Stores the counts that an exact reading has found, less what the lanes count. If a row or the head has changed since,
 * a count may be wrong: the version check fails, and the count is not stored. The head gets another version, so that no
 * reader adds lanes to the stored counts meanwhile and misses these.
 */
export async function keepCounts({ table, list, tally, found }: Reading): Promise<void> {
  let { head } = tally
  const puts = [...found.values()].map(({ cell, numbers, was }): Write => {
    const stored = storedNumbers(plus(numbers, changeOf(tally, cell), -1))
    return { put: { ...rowOf(list, cell)!, version: was + 1, epoch: head.epoch, stored }, was }
  })
  while (puts.length > 0) {
    const next = { ...head, version: head.version + 1 }
    const some = puts.splice(0, CELLS_AT_A_TIME)
    if (!(await attempt(table, [...some, { put: next, was: head.version }]))) return
    head = next
  }
}

/** The stored rows of the cells, by their `sk`. Only whole hours, days and months have rows. */
async function rowsOf({ table, list }: Reading, cells: readonly Span[]): Promise<Map<string, Item>> {
  const runs = Map.groupBy(cells, runOf)
  const found = await Promise.all(
    [...runs.values()].map((run) => {
      const [first, last] = [rowOf(list, run[0]!)!, rowOf(list, run.at(-1)!)!]
      return itemsOf(table, { pk: first.pk, from: first.sk, to: last.sk })
    }),
  )
  return new Map(found.flat().map((row) => [row.sk, row]))
}

/**
 * Counts the entries themselves. A day that exceeds one page is counted by its hours in parallel, and a month always by
 * its days.
 */
async function countNow(reading: Reading, cell: Span): Promise<Numbers> {
  const { list } = reading
  if (isMonth(cell)) return countFiner(reading, cell)
  if (!list.facetOf) return countAll(reading, cell)
  const numbers = new Map<string, number>()
  const is_whole = await entriesIn(reading, cell, finerCells(cell) ? 1 : Number.POSITIVE_INFINITY, ({ facet }) =>
    addTo(numbers, countedFacet(list, String(facet)), 1),
  )
  return is_whole ? numbers : countFiner(reading, cell)
}

/** Counts the entries without reading their facets. */
async function countAll(reading: Reading, cell: Span): Promise<Numbers> {
  const { table, list } = reading
  const range = entriesOf(list, cell)
  let { count, next } = await table.count(range)
  if (next !== undefined && finerCells(cell)) return countFiner(reading, cell)
  while (next !== undefined) {
    const more = await table.count({ ...range, after: next })
    count += more.count
    next = more.next
  }
  return new Map(count > 0 ? [[UNNAMED, count]] : [])
}

/** The numbers of a month or day, as the sum of those of its days or hours. */
async function countFiner(reading: Reading, cell: Span): Promise<Numbers> {
  const numbers = await numbersOf(reading, finerCells(cell)!)
  return numbers.reduce((sum, one) => plus(sum, one), NO_NUMBERS)
}

/** Counts the entries that the tally includes, by the facets that they had then. */
async function countPart(reading: Reading, cell: Span): Promise<Numbers> {
  const { list, tally } = reading
  const numbers = new Map<string, number>()
  await entriesIn(reading, cell, Number.POSITIVE_INFINITY, (entry) => {
    if (isCounted(tally, entry)) addTo(numbers, countedFacet(list, facetIn(reading, entry)), 1)
  })
  return numbers
}

/** The facet of an entry at the moment of the tally. If it is not known, the reading is torn. */
export function facetIn(reading: Reading, entry: Item): string {
  const facet = facetAt(reading.tally, entry)
  if (facet === undefined) reading.is_torn = true
  return facet ?? ''
}

/** Reads up to so many pages of the entries of a cell. Returns whether these were all. */
async function entriesIn(
  { table, list }: Reading,
  cell: Span,
  pages_max: number,
  visit: (entry: Item) => void,
): Promise<boolean> {
  let next: string | undefined
  for (let pages = 0; pages < pages_max; pages++) {
    const page = await table.query({ ...entriesOf(list, cell), after: next })
    for (const entry of page.items) visit(entry)
    next = page.next
    if (next === undefined) return true
  }
  return false
}

/** The total number of entries of these cells. */
export function sumOf(cells: readonly Counted[]): number {
  return cells.reduce((sum, cell) => sum + cell.count, 0)
}
