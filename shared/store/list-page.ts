import { creationTimeOf } from '#shared/domain/ids.ts'
import type { Item, Table } from '#shared/platform/ports.ts'
import { cellsOf, finerCells, hoursOf, monthOf } from './list-cells.ts'
import { type Counted, countsOf, facetIn, isExact, keepCounts, type Reading, sumOf } from './list-counts.ts'
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
  /** Only entries whose facet this function accepts. A list whose facets are not counted is then read whole. */
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
 * One page of a list, as the list was at one moment during the read. There are two exceptions. A read of more than 1 MB
 * (about 10,000 entries) of a list that is read whole shows each entry as it was when its part was read. If deletes
 * change the list during every read, the last read is returned, and its `total` and `ids` can differ by those deletes.
 * Page 1 of a whole list costs the same however many entries the list or its last hour has. A later page or a time span
 * costs as much as reading a part of an hour more. A filtered page reads only hours that have matching entries, if the
 * facets of the list are counted.
 */
export async function pageOf(table: Table, list: List, wanted: PageWanted): Promise<Page> {
  const { created_from = ALL_TIMES.from, created_before = ALL_TIMES.to, accepts } = wanted
  const span = { from: Math.max(created_from, ALL_TIMES.from), to: Math.min(created_before, ALL_TIMES.to) }
  if (span.from >= span.to) return { total: 0, ids: [] }
  if (list.counted && (!accepts || list.facetOf)) return countedPage(table, list, span, wanted)
  return wholePage(table, list, span, wanted)
}

/** Reads the whole span, but holds only one page in memory. */
async function wholePage(table: Table, list: List, span: Span, wanted: PageWanted): Promise<Page> {
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

function cutPage(entries: readonly Item[], { page, per_page, accepts = () => true }: PageWanted): Page {
  const offset = (page - 1) * per_page
  const matching = entries.filter(({ facet }) => accepts(String(facet)))
  return { total: matching.length, ids: matching.slice(offset, offset + per_page).map((entry) => entry.sk) }
}

async function countedPage(table: Table, list: List, span: Span, wanted: PageWanted): Promise<Page> {
  const { now, accepts } = wanted
  const range = entriesOf(list, span)
  const [found, newest, oldest] = await Promise.all([
    tallyOf(table, list, now),
    table.query({ ...range, descending: true, limit: ENTRIES_AT_ONCE }),
    table.query({ ...range, limit: 1 }),
  ])
  if (newest.next === undefined) return cutPage(newest.items, wanted)
  let tally = await usableTally(table, list, now, { found, newest: newest.items })
  // An older version, which may be in use, changes facets without counting it.
  if (accepts && !tally.head.is_settled) return wholePage(table, list, span, wanted)
  for (let reads = 1; ; reads++) {
    const closed = closedIn(tally, now)
    const reading: Reading = { table, list, tally, closed, accepts, found: new Map(), is_torn: false }
    const page = await readPage(reading, cellsIn(reading, span, oldest.items[0], now), span, wanted)
    const [after] = await Promise.all([tallyOf(table, list, now), wanted.load?.(page.ids)])
    if (isExact(reading, after!)) {
      await (reading.found.size > 0 ? keepCounts(reading) : advance(table, list, after!, now))
      return page
    }
    if (reads === MOST_READS) return page
    tally = after!
  }
}

/** The cells of a span, oldest first, from its oldest entry to the last hour that the lanes count. */
function cellsIn({ tally, closed }: Reading, span: Span, oldest: Item | undefined, now: number): Span[] {
  const hours = [...tally.changes.keys()]
  const first = monthOf(Math.min(oldest ? creationTimeOf(oldest.sk) : now, ...hours))
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
  const is_near = offset <= ENTRIES_AT_ONCE && !reading.accepts
  const [counts, near] = await Promise.all([
    countsOf(reading, cells),
    is_near ? idsBackwards(reading, { ...span, skip: offset, take: per_page }) : [],
  ])
  const total = sumOf(counts)
  if (is_near || offset >= total) return { total, ids: near }
  const parts = await partsOf(reading, counts, offset, per_page)
  const within = (part: Part) => ({ ...part, from: Math.max(part.from, span.from), to: Math.min(part.to, span.to) })
  const ids = await Promise.all(parts.map((part) => idsBackwards(reading, within(part))))
  return { total, ids: ids.flat() }
}

/** A part of a list with entries of the page: how many entries to skip in it, newest first, and how many to take. */
interface Part extends Span {
  readonly skip: number
  readonly take: number
  /** How many entries there are for each matching one. */
  readonly sparsity?: number
}

/** The ids of the wanted entries that the tally includes, newest first. */
async function idsBackwards(reading: Reading, part: Part): Promise<string[]> {
  const { table, list, tally, accepts } = reading
  const { skip, take, sparsity = 1 } = part
  const ids: string[] = []
  let next: string | undefined
  do {
    const limit = Math.ceil((skip + take - ids.length) * sparsity) + ENTRIES_SPARE
    const found = await table.query({ ...entriesOf(list, part), descending: true, limit, after: next })
    for (const entry of found.items)
      if (isCounted(tally, entry) && (!accepts || accepts(facetIn(reading, entry)))) ids.push(entry.sk)
    next = found.next
  } while (next !== undefined && ids.length < skip + take)
  return ids.slice(skip, skip + take)
}

/**
 * The parts that have the page, newest first. A filtered page has the hours with matching entries. Any other page is
 * read backwards from its first entry, in one part.
 */
async function partsOf(reading: Reading, cells: readonly Counted[], skip: number, take: number): Promise<Part[]> {
  const is_filtered = reading.accepts !== undefined
  const narrowed = async (part: Part): Promise<Part[]> => {
    const finer = is_filtered || part.skip > ENTRIES_AT_ONCE ? finerCells(part) : undefined
    if (!finer) return [part]
    const parts = windowOf(await countsOf(reading, finer), part.skip, part.take)
    return (await Promise.all(parts.map(narrowed))).flat()
  }
  const parts = (await Promise.all(windowOf(cells, skip, is_filtered ? take : 1).map(narrowed))).flat()
  return is_filtered ? parts : parts.map((part) => ({ ...part, from: ALL_TIMES.from, take }))
}

/** The cells that contain the entries after the first `skip` ones, newest first. */
function windowOf(cells: readonly Counted[], skip: number, take: number): Part[] {
  const parts: Part[] = []
  let [rest, left] = [skip, take]
  for (const { from, to, count, of } of cells.toReversed()) {
    if (left === 0) break
    const taken = Math.min(Math.max(count - rest, 0), left)
    if (taken > 0) parts.push({ from, to, skip: rest, take: taken, sparsity: of / count })
    rest = Math.max(rest - count, 0)
    left -= taken
  }
  return parts
}
