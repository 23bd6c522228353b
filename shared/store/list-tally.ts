import { randomInt } from 'node:crypto'
import { creationTimeOf } from '#shared/domain/ids.ts'
import { type Item, type Table, type Write, WriteConflict } from '#shared/platform/ports.ts'
import { itemsOf } from './items-of.ts'
import { rowsAround } from './list-cells.ts'
import {
  HEAD_PREFIX,
  HOUR_MS,
  headKey,
  hourLetters,
  LANE_PREFIX,
  type List,
  type Span,
  startOfLetters,
} from './list-keys.ts'
import { cellsOfLane, goneIn, hourOfLane, LANE_DAYS, type Lane, lastHourOf } from './list-lanes.ts'
import { addTo, NO_NUMBERS, type Numbers, plus, storedNumbers } from './list-numbers.ts'

/** The head of a list says which lanes its stored counts include. */
export interface Head extends Item {
  /** The letters of the last hour whose lanes are included in every stored count of this epoch. */
  readonly through: string
  /** Stored counts of another epoch are not used. */
  readonly epoch: number
  /** From this hour on, in epoch milliseconds, every writer counts its changes in lanes. */
  readonly since: number
  /** Whether the stored counts of this epoch were all counted after `since`, when no older version was in use. */
  readonly is_settled: boolean
}

/** What a list's lanes counted at one moment, beyond what its stored counts include. */
export interface Tally {
  readonly head: Head
  readonly lanes: ReadonlyMap<string, Lane>
  /** How the numbers of entries of each hour have changed, by the hour in epoch milliseconds. */
  readonly changes: ReadonlyMap<number, Numbers>
  /** How often lanes of later hours have changed entries of each hour. */
  readonly touched: ReadonlyMap<number, number>
  /** The number of deletes. */
  readonly gone: number
}

/**
 * The time from the end of an hour until the hour is closed: until then, its lanes can still be written. A transaction is
 * sent at most `ENTRY_LATEST_MS` (1 min) after its preparation, by the sender's clock. AWS refuses a request that
 * arrives more than 5 min after its signature. The other 4 min allow for a sender's clock that is 2 min slow and a
 * reader's clock that is 2 min fast.
 */
export const CLOSED_AFTER_MS = 10 * 60_000

const DAY_MS = 24 * HOUR_MS

/** A release is rolled out within this time, from the first reader of the new version to the last writer of the old. */
const ROLLOUT_MS = HOUR_MS

/** The most stored counts that one transaction can update, with the head. */
const UPDATED_MAX = 99

/** The end of the last closed hour. */
export function closedUntil(now: number): number {
  return startOfHour(now - CLOSED_AFTER_MS)
}

/** The end of the last hour that is closed at `now` or by the head of the tally. */
export function closedIn({ head }: Tally, now: number): number {
  return Math.max(closedUntil(now), startOfLetters(head.through) + HOUR_MS)
}

/** What the lanes of a list count now. Undefined if the list has no head yet. */
export async function tallyOf(table: Table, list: List, now: number): Promise<Tally | undefined> {
  // If the list was read in this hour, no older lane is needed.
  const from = hourLetters(closedUntil(now))
  const { pk, sk: to } = headKey(list)
  const recent = await itemsOf(table, { pk, from: LANE_PREFIX + from, to })
  const head = recent.find(({ sk }) => sk === to) as Head | undefined
  if (!head) return undefined
  const next = hourAfter(head.through)
  const older = next < from ? await itemsOf(table, { pk, from: LANE_PREFIX + next, to: LANE_PREFIX + from }) : []
  const isLane = ({ sk }: Item) => !sk.startsWith(HEAD_PREFIX) && hourOfLane(sk) > head.through
  const lanes = [...older, ...recent].filter(isLane) as Lane[]
  return tallied(list, head, lanes)
}

/**
 * The tally of a list that has a usable head. A head is stored if the list has none, if stored counts may miss lanes
 * that were dropped, or if a recent entry shows that a writer of an older version is in use.
 */
export async function usableTally(
  table: Table,
  list: List,
  now: number,
  { found, newest }: { readonly found: Tally | undefined; readonly newest: readonly Item[] },
): Promise<Tally> {
  let tally = found
  for (;;) {
    const head = tally?.head
    const is_current = head && head.through > hourLetters(now - (LANE_DAYS / 2) * DAY_MS)
    const is_due = head && !head.is_settled && head.since <= closedUntil(now)
    const isUncounted = ({ sk, counted_in }: Item) => counted_in === undefined && creationTimeOf(sk) >= head!.since
    const has_gap = !tally || !is_current || newest.some(isUncounted)
    if (tally && !has_gap && !is_due) return tally
    const version = (head?.version ?? 0) + 1
    const since = startOfHour(now) + HOUR_MS + ROLLOUT_MS
    const put = has_gap
      ? { ...newHead(list, now), version, since, is_settled: false }
      : { ...head!, version, epoch: newEpoch(), is_settled: true }
    await attempt(table, [{ put, was: version - 1 }])
    tally = await tallyOf(table, list, now)
    if (tally && tally.head.since > now) return tally
  }
}

/** The numbers by which the lanes change the stored counts of a span of whole hours. */
export function changeOf({ changes }: Tally, { from, to }: Span): Numbers {
  let sum = NO_NUMBERS
  for (const [hour, change] of changes) if (hour >= from && hour < to) sum = plus(sum, change)
  return sum
}

/** How often lanes of later hours have changed entries of a span of whole hours. */
export function touchesOf({ touched }: Tally, { from, to }: Span): number {
  let sum = 0
  for (const [hour, times] of touched) if (hour >= from && hour < to) sum += times
  return sum
}

/** Whether a tally includes an entry. Entries of older versions are always included. */
export const isCounted = (tally: Tally, { counted_in }: Item): boolean => includes(tally, counted_in)

/** The facet of an entry at the moment of a tally; undefined if it has changed twice since. */
export function facetAt(tally: Tally, { facet, moved_in, facet_was, was_in }: Item): string | undefined {
  if (includes(tally, moved_in)) return String(facet)
  return includes(tally, was_in) ? String(facet_was) : undefined
}

/** Whether a tally includes the transaction with this stamp. It includes all of older versions, which have no stamp. */
function includes({ head, lanes }: Tally, stamp: unknown): boolean {
  if (typeof stamp !== 'string' || hourOfLane(stamp) <= head.through) return true
  const [lane = '', version] = stamp.split('.')
  return (lanes.get(LANE_PREFIX + lane)?.version ?? 0) >= Number(version)
}

/**
 * Adds what the lanes of closed hours count to the stored counts, so that later reads do not read these lanes. A
 * concurrent change of the head or of one of the counts makes it fail, and the next reader tries again.
 */
export async function advance(table: Table, list: List, { head, lanes }: Tally, now: number): Promise<void> {
  const through = hourLetters(includable(lanes, closedUntil(now) - HOUR_MS))
  if (through <= head.through) return
  const included = [...lanes.values()].filter(({ sk }) => hourOfLane(sk) <= through)
  const puts = await updatesOf(table, list, tallied(list, head, included))
  const put = { ...head, version: head.version + 1, through }
  const is_too_much = puts.length > UPDATED_MAX
  const next = is_too_much ? { ...put, epoch: newEpoch() } : put
  await attempt(table, [{ put: next, was: head.version }, ...(is_too_much ? [] : puts)])
}

/**
 * The last hour, up to `last`, whose lanes can be included in stored counts: none of its lanes or of an earlier one
 * counts entries of a later hour, which can still be open for another reader.
 */
function includable(lanes: Tally['lanes'], last: number): number {
  const isAhead = (lane: Lane) => hourOfLane(lane.sk) <= hourLetters(last) && lastHourOf(lane) > hourLetters(last)
  const ahead = [...lanes.values()].filter(isAhead)
  if (ahead.length === 0) return last
  return includable(lanes, Math.min(...ahead.map(({ sk }) => startOfLetters(hourOfLane(sk)))) - HOUR_MS)
}

/** The puts that add a tally to the stored counts of its hours, days and months. */
async function updatesOf(table: Table, list: List, { head, changes }: Tally): Promise<Write[]> {
  if (changes.size === 0) return []
  const by_row = new Map<string, Numbers>()
  for (const [hour, change] of changes)
    for (const { sk } of rowsAround(list, hour)) by_row.set(sk, plus(by_row.get(sk) ?? NO_NUMBERS, change))
  const [first, last] = [Math.min(...changes.keys()), Math.max(...changes.keys())].map((at) => rowsAround(list, at))
  const ranges = first!.map(({ pk, sk: from }, size) => ({ pk, from, to: last![size]!.sk }))
  const rows = await Promise.all(ranges.map((range) => itemsOf(table, range)))
  return rows.flat().flatMap((row) => {
    const [stored, change] = [storedCount(row, head), by_row.get(row.sk) ?? NO_NUMBERS]
    if (stored === undefined || change.size === 0) return []
    const put = { ...row, version: row.version + 1, stored: storedNumbers(plus(stored, change)) }
    return [{ put, was: row.version }]
  })
}

/** The stored numbers in a row; undefined if the row does not have those of this epoch. */
export const storedCount = (row: Item | undefined, { epoch }: Head): Numbers | undefined =>
  row?.epoch === epoch ? new Map(Object.entries(row.stored as Record<string, number>)) : undefined

/** Writes, and returns whether it was written. It is not if another reader has written something newer meanwhile. */
export async function attempt(table: Table, writes: readonly Write[]): Promise<boolean> {
  try {
    await table.write(writes)
    return true
  } catch (error) {
    if (!(error instanceof WriteConflict)) throw error
    return false
  }
}

const newHead = (list: List, now: number) => ({
  ...headKey(list),
  through: hourLetters(closedUntil(now) - HOUR_MS),
  epoch: newEpoch(),
})

const newEpoch = () => randomInt(1, 2 ** 48 - 1)

function tallied(list: List, head: Head, rows: readonly Lane[]): Tally {
  const changes = new Map<number, Map<string, number>>()
  const touched = new Map<number, number>()
  const numbersOf = (hour: number) => {
    const numbers = changes.get(hour) ?? new Map<string, number>()
    changes.set(hour, numbers)
    return numbers
  }
  let gone = 0
  for (const lane of rows) {
    gone += goneIn(list, lane)
    const of_list = cellsOfLane(list, lane)
    for (const { hour, facet, number } of of_list.cells) addTo(numbersOf(hour), facet, number)
    for (const { hour, number } of of_list.touched) touched.set(hour, (touched.get(hour) ?? 0) + number)
  }
  return { head, lanes: new Map(rows.map((lane) => [lane.sk, lane])), changes, touched, gone }
}

const hourAfter = (letters: string): string => hourLetters(startOfLetters(letters) + HOUR_MS)

const startOfHour = (at: number): number => at - (at % HOUR_MS)
