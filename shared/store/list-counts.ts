import { type Item, type Key, type Table, WriteConflict } from '#shared/platform/ports.ts'
import { itemsOf } from './items-of.ts'
import { dayRow, entriesOf, hourRow, type List, type Span } from './list-keys.ts'

/** A part of a list, and the number of its entries. */
export interface Counted extends Span {
  readonly count: number
}

/**
 * The time from the end of an hour until the hour is closed. Every entry that is added to a closed hour invalidates the
 * count of the hour, so the count can be stored. An in-time entry is sent at most `ENTRY_LATEST_MS` (1 min) after its
 * record was created, by the sender's clock. AWS refuses a request that arrives more than 5 min after its signature.
 * The other 4 min allow for a sender's clock that is 2 min slow and a reader's clock that is 2 min fast.
 */
export const CLOSED_AFTER_MS = 10 * 60_000

const HOUR_MS = 60 * 60_000
const DAY_MS = 24 * HOUR_MS

/** The number of cells that are counted in parallel, and stored in one transaction. */
const CELLS_AT_A_TIME = 50

/** The end of the last closed hour. */
export function closedUntil(now: number): number {
  return startOf(now - CLOSED_AFTER_MS, HOUR_MS)
}

/** The start of the UTC day that contains this moment. */
export function dayOf(at: number): number {
  return startOf(at, DAY_MS)
}

/**
 * Cuts a span into whole UTC days where it contains them, else into hours; oldest first. The first and last cell can be
 * part of an hour.
 */
export function cellsOf(span: Span): Span[] {
  return cut(span, (at) => (at === dayOf(at) && at + DAY_MS <= span.to ? DAY_MS : HOUR_MS))
}

/** Cuts a span into whole UTC hours, oldest first. */
export function hoursOf(span: Span): Span[] {
  return cut(span, () => HOUR_MS)
}

/** Whether the cell is a whole day, which `hoursOf` can cut further. */
export function isDay(cell: Span): boolean {
  return cell.to - cell.from === DAY_MS
}

/**
 * Counts the entries of each cell. All cells must end before `closedUntil`. The stored counts of whole hours and days
 * are read with one query per day of hours and one query for all days. Other cells are counted. New counts of whole
 * hours and days are stored, unless a concurrent delete or late entry makes the version check
 * fail.
 */
export async function countsOf(table: Table, list: List, cells: readonly Span[]): Promise<Counted[]> {
  const count = async (cell: Span) => [cell, await countNow(table, list, cell)] as const
  const [rows, ends] = await Promise.all([
    rowsOf(table, list, cells),
    Promise.all(cells.filter((cell) => !rowOf(list, cell)).map(count)),
  ])
  const counts = new Map<Span, number>(ends)
  for (const cell of cells) {
    const known = rows.get(rowOf(list, cell)?.sk ?? '')?.count
    if (typeof known === 'number') counts.set(cell, known)
  }
  const unknown = cells.filter((cell) => !counts.has(cell))
  while (unknown.length > 0) {
    const found = await Promise.all(unknown.splice(0, CELLS_AT_A_TIME).map(count))
    for (const [cell, number] of found) counts.set(cell, number)
    await remember(table, list, rows, found)
  }
  return cells.map((cell) => ({ ...cell, count: counts.get(cell)! }))
}

/** The stored rows of the cells, by their `sk`. Only whole hours and days have rows. */
async function rowsOf(table: Table, list: List, cells: readonly Span[]): Promise<Map<string, Item>> {
  const runs = Map.groupBy(
    cells.filter((cell) => rowOf(list, cell)),
    (cell) => (isDay(cell) ? 'days' : dayOf(cell.from)),
  )
  const found = await Promise.all(
    [...runs.values()].map((run) => {
      const [first, last] = [rowOf(list, run[0]!)!, rowOf(list, run.at(-1)!)!]
      return itemsOf(table, { pk: first.pk, from: first.sk, to: last.sk })
    }),
  )
  return new Map(found.flat().map((row) => [row.sk, row]))
}

/** Counts the entries themselves. A day that exceeds one page is counted by its hours in parallel. */
async function countNow(table: Table, list: List, cell: Span): Promise<number> {
  const range = entriesOf(list, cell)
  let { count, next } = await table.count(range)
  if (next !== undefined && isDay(cell)) return sumOf(await countsOf(table, list, hoursOf(cell)))
  while (next !== undefined) {
    const more = await table.count({ ...range, after: next })
    count += more.count
    next = more.next
  }
  return count
}

/** The total number of entries of these cells. */
export function sumOf(cells: readonly Counted[]): number {
  return cells.reduce((sum, cell) => sum + cell.count, 0)
}

/**
 * Stores counts that were taken after `rows` were read. If a row has changed since, a count may be wrong: the version
 * check fails, and none of these counts is stored.
 */
async function remember(
  table: Table,
  list: List,
  rows: ReadonlyMap<string, Item>,
  found: readonly (readonly [Span, number])[],
): Promise<void> {
  const puts = found.map(([cell, count]) => {
    const key = rowOf(list, cell)!
    const was = rows.get(key.sk)?.version ?? 0
    return { put: { ...key, version: was + 1, count }, was }
  })
  try {
    await table.write(puts)
  } catch (error) {
    if (!(error instanceof WriteConflict)) throw error
  }
}

function rowOf(list: List, cell: Span): Key | undefined {
  if (isDay(cell)) return dayRow(list, cell.from)
  return cell.to - cell.from === HOUR_MS ? hourRow(list, cell.from) : undefined
}

function cut(span: Span, sizeAt: (at: number) => number): Span[] {
  const cells: Span[] = []
  for (let at = span.from; at < span.to; at = cells.at(-1)!.to) {
    const size = sizeAt(at)
    cells.push({ from: at, to: Math.min(startOf(at, size) + size, span.to) })
  }
  return cells
}

function startOf(at: number, size: number): number {
  return at - (at % size)
}
