import { creationTimeOf } from '#shared/domain/ids.ts'
import type { Item, Table } from '#shared/platform/ports.ts'
import {
  type Counted,
  cellsOf,
  countsOf,
  dayOf,
  hoursOf,
  isDay,
  isExact,
  keepCounts,
  type Reading,
  sumOf,
} from './list-counts.ts'
import { ALL_TIMES, entriesOf, HOUR_MS, type List, type Span } from './list-keys.ts'
import { advance, closedIn, isCounted, tallyOf, usableTally } from './list-tally.ts'

/** A request for one page of a list or of a part of it. Creation times are in epoch milliseconds. */
export interface PageWanted {
  /** The number of the page, from 1. */
  readonly page: number
  readonly per_page: number
  /** Only entries created at this time or later. */
  readonly created_from?: number
  /** Only entries created before this time. */
  readonly created_before?: number
  /** Only entries whose facet this function accepts. The list is then read whole. */
  readonly accepts?: (facet: string) => boolean
  /** The current time in epoch milliseconds. */
  readonly now: number
  /** Reads the records of these ids, in parallel with the last check that the page is still valid. */
  readonly load?: (ids: readonly string[]) => Promise<unknown>
}

/** The ids of one page, newest first, and the number of entries on all pages. */
export interface Page {
  readonly total: number
  readonly ids: string[]
}

/** Reading or skipping up to this number of entries costs no more than a look-up of counts. */
const ENTRIES_AT_ONCE = 100

/** A page is read with this number of entries more, because entries that were added since the tally are left out. */
const ENTRIES_SPARE = 10

/** How often a page is read at most when concurrent deletes change the list. */
const MOST_READS = 5

/**
 * The span between two times of a request, both exclusive, as creation times in epoch milliseconds. A record is in the
 * span if its `created_at`, which is shown in whole seconds, is between the two times.
 */
export function createdBetween(
  start_time?: number,
  end_time?: number,
): { created_from?: number; created_before?: number } {
  return {
    created_from: start_time === undefined ? undefined : (Math.floor(start_time / 1000) + 1) * 1000,
    created_before: end_time === undefined ? undefined : Math.ceil(end_time / 1000) * 1000,
  }
}

/**
 * One page of a list, as the list was at one moment during the read. There are two exceptions. A filtered read of more
 * than 1 MB (about 10,000 entries) shows each entry as it was when its part was read. If deletes change the list during
 * every read, the last read is returned, and its `total` and `ids` can differ by those deletes. Page 1 of a whole list
 * costs the same however many entries the list or its last hour has. A later page or a time span costs as much as
 * reading a part of an hour more. A filtered page costs as much as reading the whole span.
 */
export async function pageOf(table: Table, list: List, wanted: PageWanted): Promise<Page> {
  const { created_from = ALL_TIMES.from, created_before = ALL_TIMES.to, accepts } = wanted
  const span = { from: Math.max(created_from, ALL_TIMES.from), to: Math.min(created_before, ALL_TIMES.to) }
  if (span.from >= span.to) return { total: 0, ids: [] }
  if (list.counted && !accepts) return countedPage(table, list, span, wanted)
  return filteredPage(table, list, span, wanted)
}

/** Reads the whole span, but holds only one page in memory. */
async function filteredPage(table: Table, list: List, span: Span, wanted: PageWanted): Promise<Page> {
  const { page, per_page, accepts = () => true } = wanted
  const offset = (page - 1) * per_page
  const ids: string[] = []
  let total = 0
  let next: string | undefined
  do {
    const part = await table.query({ ...entriesOf(list, span), descending: true, after: next })
    for (const { sk, facet } of part.items) {
      if (!accepts(String(facet))) continue
      if (total >= offset && ids.length < per_page) ids.push(sk)
      total++
    }
    next = part.next
  } while (next !== undefined)
  return { total, ids }
}

function cutPage(entries: readonly Item[], { page, per_page }: PageWanted): Page {
  const offset = (page - 1) * per_page
  return { total: entries.length, ids: entries.slice(offset, offset + per_page).map((entry) => entry.sk) }
}

async function countedPage(table: Table, list: List, span: Span, wanted: PageWanted): Promise<Page> {
  const range = entriesOf(list, span)
  const [found, newest, oldest] = await Promise.all([
    tallyOf(table, list, wanted.now),
    table.query({ ...range, descending: true, limit: ENTRIES_AT_ONCE }),
    table.query({ ...range, limit: 1 }),
  ])
  if (newest.next === undefined) return cutPage(newest.items, wanted)
  let tally = await usableTally(table, list, wanted.now, { found, newest: newest.items })
  for (let reads = 1; ; reads++) {
    const reading: Reading = { table, list, tally, closed: closedIn(tally, wanted.now), found: new Map() }
    const page = await readPage(reading, cellsIn(reading, span, oldest.items[0], wanted.now), span, wanted)
    const [after] = await Promise.all([tallyOf(table, list, wanted.now), wanted.load?.(page.ids)])
    if (isExact(reading, after!)) {
      await (reading.found.size > 0 ? keepCounts(reading) : advance(table, list, after!, wanted.now))
      return page
    }
    if (reads === MOST_READS) return page
    tally = after!
  }
}

/** The cells of a span, oldest first, from its oldest entry to the last hour that the lanes count. */
function cellsIn({ tally, closed }: Reading, span: Span, oldest: Item | undefined, now: number): Span[] {
  const hours = [...tally.changes.keys()]
  const first = dayOf(Math.min(oldest ? creationTimeOf(oldest.sk) : now, ...hours))
  const last = Math.max(now - (now % HOUR_MS), ...hours) + HOUR_MS
  const from = Math.max(span.from, first)
  const open = { from: Math.max(from, closed), to: span.to }
  // While there may be writers that do not use lanes, the open hours are counted entry by entry.
  const is_in_lanes = tally.head.since <= closed
  const open_cells = is_in_lanes ? hoursOf({ ...open, to: Math.min(open.to, last) }) : [open]
  return [...cellsOf({ from, to: Math.min(closed, span.to) }), ...open_cells.filter((cell) => cell.from < cell.to)]
}

async function readPage(
  reading: Reading,
  cells: readonly Span[],
  span: Span,
  { page, per_page }: PageWanted,
): Promise<Page> {
  const offset = (page - 1) * per_page
  const is_near = offset <= ENTRIES_AT_ONCE
  const [counts, near] = await Promise.all([
    countsOf(reading, cells),
    is_near ? idsBackwards(reading, span, offset, per_page) : [],
  ])
  const total = sumOf(counts)
  if (is_near || offset >= total) return { total, ids: near }
  const start = await startIn(reading, counts, offset)
  const ids = await idsBackwards(reading, { from: span.from, to: Math.min(start.to, span.to) }, start.skip, per_page)
  return { total, ids }
}

/** The ids of `count` entries that the tally includes, newest first, after skipping some. */
async function idsBackwards(
  { table, list, tally }: Reading,
  span: Span,
  skip: number,
  count: number,
): Promise<string[]> {
  const ids: string[] = []
  let next: string | undefined
  do {
    const limit = skip + count - ids.length + ENTRIES_SPARE
    const part = await table.query({ ...entriesOf(list, span), descending: true, limit, after: next })
    for (const entry of part.items) if (isCounted(tally, entry)) ids.push(entry.sk)
    next = part.next
  } while (next !== undefined && ids.length < skip + count)
  return ids.slice(skip, skip + count)
}

/**
 * Finds where to start reading backwards, and how many entries to skip from there, so that `skip` entries are skipped
 * in all.
 */
async function startIn(
  reading: Reading,
  cells: readonly Counted[],
  skip: number,
): Promise<{ to: number; skip: number }> {
  let rest = skip
  for (const cell of cells.toReversed()) {
    if (rest < cell.count) {
      if (rest <= ENTRIES_AT_ONCE || !isDay(cell)) return { to: cell.to, skip: rest }
      return startIn(reading, await countsOf(reading, hoursOf(cell)), rest)
    }
    rest -= cell.count
  }
  // A concurrent delete can make the counts of the hours sum to less than the count of their day.
  return { to: cells[0]?.from ?? 0, skip: 0 }
}
