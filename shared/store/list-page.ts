import { creationTimeOf } from '#shared/domain/ids.ts'
import type { Item, Table } from '#shared/platform/ports.ts'
import { itemsOf } from './items-of.ts'
import { type Counted, cellsOf, closedUntil, countsOf, dayOf, hoursOf, isDay, sumOf } from './list-counts.ts'
import { ALL_TIMES, deletionsRow, entriesOf, type List, type Span } from './list-keys.ts'

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
 * (about 10,000 entries under a filter or in the last hour) shows each entry as it was when its part was read. If
 * deletes change the list during every read, the last read is returned, and its `total` and `ids` can differ by those
 * deletes. Every page of a whole list or of a time span costs about the same. A filtered page costs as much as reading
 * the whole span.
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
  let [deletions, newest, oldest] = await Promise.all([
    deletionsOf(table, list),
    table.query({ ...range, descending: true, limit: ENTRIES_AT_ONCE }),
    table.query({ ...range, limit: 1 }),
  ])
  if (newest.next === undefined) return cutPage(newest.items, wanted)
  const closed = Math.min(closedUntil(wanted.now), span.to)
  const first = oldest.items[0] ? dayOf(creationTimeOf(oldest.items[0].sk)) : closed
  const parts = {
    counted: { from: Math.max(span.from, first), to: closed },
    open: { from: Math.max(span.from, closed), to: span.to },
  }
  for (let reads = 1; ; reads++) {
    const page = await readPage(table, list, parts, wanted)
    const [deletions_now] = await Promise.all([deletionsOf(table, list), wanted.load?.(page.ids)])
    if (deletions_now === deletions || reads === MOST_READS) return page
    deletions = deletions_now
  }
}

/** A number that changes with every delete from the list. */
async function deletionsOf(table: Table, list: List): Promise<number> {
  const [row] = await table.get([deletionsRow(list)])
  return row?.version ?? 0
}

/** Reads the open part once for both the total and the page, so both include the same new entries. */
async function readPage(
  table: Table,
  list: List,
  { counted, open }: { counted: Span; open: Span },
  { page, per_page }: PageWanted,
): Promise<Page> {
  const [opened, cells] = await Promise.all([
    open.from < open.to ? itemsOf(table, { ...entriesOf(list, open), descending: true }) : [],
    countsOf(table, list, cellsOf(counted)),
  ])
  const total = opened.length + sumOf(cells)
  const offset = (page - 1) * per_page
  const ids = opened.slice(offset, offset + per_page).map((entry) => entry.sk)
  const missing = Math.min(per_page, total - offset) - ids.length
  if (missing <= 0) return { total, ids }
  const start = await startIn(table, list, cells, Math.max(offset - opened.length, 0))
  const range = entriesOf(list, { from: counted.from, to: start.to })
  const entries = await itemsOf(table, { ...range, descending: true, limit: start.skip + missing })
  return { total, ids: [...ids, ...entries.slice(start.skip).map((entry) => entry.sk)] }
}

/**
 * Finds where to start reading backwards, and how many entries to skip from there, so that `skip` entries are skipped
 * in all.
 */
async function startIn(
  table: Table,
  list: List,
  cells: readonly Counted[],
  skip: number,
): Promise<{ to: number; skip: number }> {
  let rest = skip
  for (const cell of cells.toReversed()) {
    if (rest < cell.count) {
      if (rest <= ENTRIES_AT_ONCE || !isDay(cell)) return { to: cell.to, skip: rest }
      return startIn(table, list, await countsOf(table, list, hoursOf(cell)), rest)
    }
    rest -= cell.count
  }
  // A concurrent delete can make the counts of the hours sum to less than the count of their day.
  return { to: cells[0]?.from ?? 0, skip: 0 }
}
