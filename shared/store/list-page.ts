import { bornAt } from '#shared/domain/ids.ts'
import type { Item, Table } from '#shared/platform/ports.ts'
import { itemsOf } from './items-of.ts'
import { type Counted, cellsOf, closedUntil, countsOf, dayOf, hoursOf, isDay, sumOf } from './list-counts.ts'
import { ALL_BIRTHS, deletionsRow, entriesOf, type List, type Span } from './list-keys.ts'

/** Which page of which part of a list. Births are in epoch milliseconds. */
export interface PageWanted {
  /** From 1. */
  readonly page: number
  readonly per_page: number
  /** Only what was born then or later. */
  readonly born_from?: number
  /** Only what was born earlier. */
  readonly born_before?: number
  /** Only what has such a facet. The list is then read whole. */
  readonly accepts?: (facet: string) => boolean
  /** Epoch milliseconds. */
  readonly now: number
  /** Reads what will be shown of these ids, side by side with the last look at whether the page still holds. */
  readonly load?: (ids: readonly string[]) => Promise<unknown>
}

/** The ids of one page, newest first, and how many entries all pages have together. */
export interface Page {
  readonly total: number
  readonly ids: string[]
}

/** So many entries cost no more than looking up counts: as many are read, or passed over, without asking for any. */
const ENTRIES_AT_ONCE = 100

/** How often a page is read again because a delete crossed it. */
const MOST_READS = 5

/**
 * The births between two times that a merchant gives, both exclusive, in epoch milliseconds: those whose `created_at`,
 * which is shown in whole seconds, lies between them.
 */
export function bornBetween(start_time?: number, end_time?: number): { born_from?: number; born_before?: number } {
  return {
    born_from: start_time === undefined ? undefined : (Math.floor(start_time / 1000) + 1) * 1000,
    born_before: end_time === undefined ? undefined : Math.ceil(end_time / 1000) * 1000,
  }
}

/**
 * One page of a list, as the list was at one moment while it was read. Two things are weaker: what takes more than one
 * page of 1 MB to read (about 10,000 entries under a filter, or in the last hour) is as each entry was when its page was
 * read; and when deletes cross the reading time after time, the last reading is answered, in which `total` and `ids` may
 * differ by those deletes. A whole list and a part of it in time cost about the same on every page, a filtered one what it
 * costs to read it.
 */
export async function pageOf(table: Table, list: List, wanted: PageWanted): Promise<Page> {
  const { born_from = ALL_BIRTHS.from, born_before = ALL_BIRTHS.to, accepts } = wanted
  const span = { from: Math.max(born_from, ALL_BIRTHS.from), to: Math.min(born_before, ALL_BIRTHS.to) }
  if (span.from >= span.to) return { total: 0, ids: [] }
  if (list.counted && !accepts) return countedPage(table, list, span, wanted)
  return filteredPage(table, list, span, wanted)
}

/** Reads the whole span, but holds no more than the page. */
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
  const first = oldest.items[0] ? dayOf(bornAt(oldest.items[0].sk)) : closed
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

/** A number that every delete from the list changes. */
async function deletionsOf(table: Table, list: List): Promise<number> {
  const [row] = await table.get([deletionsRow(list)])
  return row?.version ?? 0
}

/** The open part is read once, for the total and for the page: so both know of the same new entries. */
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

/** Where to begin reading downwards, and how many entries to pass over from there, so that `skip` of all were passed. */
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
  // Only when a delete crossed: the counts add up to less than they did together.
  return { to: cells[0]?.from ?? 0, skip: 0 }
}
