import { randomBytes } from 'node:crypto'
import { creationTimeOf, letters } from '#shared/domain/ids.ts'
import { type Item, type Table, type Write, WriteConflict } from '#shared/platform/ports.ts'
import { HOUR_LETTERS, hourLetters, LANE_PREFIX, type List, lanesPk, nameInLanes, startOfLetters } from './list-keys.ts'
import { addTo, type Numbers, plus, storedNumbers, UNNAMED } from './list-numbers.ts'

/**
 * How long after its preparation a transaction may be sent that adds entries to a counted list or deletes some. A
 * request commits within seconds. A slower transaction is refused, and its retry uses the lane of a later hour.
 */
export const ENTRY_LATEST_MS = 60_000

/** How long a lane is kept. The head of a list that was not read for half of this time is renewed. */
export const LANE_DAYS = 60

const DAY_SECONDS = 86_400

/**
 * A lane is a row that counts what one process has added to a list in an hour of its clock. At most one transaction at
 * a time writes a lane, so transactions of different processes do not contend. Every transaction checks the version of
 * its lane, so a lane is right even if two processes use it.
 */
export interface Lane extends Item {
  /** The number of entries that were added less those that were deleted, by the names of `cellName`. */
  readonly added: Readonly<Record<string, number>>
  /** The number of deleted entries, by the name of the list. */
  readonly gone: Readonly<Record<string, number>>
}

/** Stands for a facet where a lane counts its changes of entries of an earlier hour. */
const TOUCHED = '~'

/** The name under which a lane counts the entries of a list that were created in an hour and have a facet. */
export const cellName = (list: List, hour: string, facet: string): string =>
  hour + nameInLanes(list) + (facet === UNNAMED ? '' : FACET_MARK + facet)

const FACET_MARK = '='

/** What a lane says of an hour of a list. */
export interface LaneCell {
  /** The start of the hour in epoch milliseconds. */
  readonly hour: number
  readonly facet: string
  readonly number: number
}

/** What a lane says of a list: the numbers by hour and facet, and how often it changed entries of earlier hours. */
export function cellsOfLane(list: List, { added }: Lane): { cells: LaneCell[]; touched: LaneCell[] } {
  const name = nameInLanes(list)
  const [cells, touched]: [LaneCell[], LaneCell[]] = [[], []]
  for (const [cell, number] of Object.entries(added)) {
    const [of_list, facet = UNNAMED] = cell.slice(HOUR_LETTERS).split(FACET_MARK, 2)
    if (of_list !== name) continue
    const hour = startOfLetters(cell.slice(0, HOUR_LETTERS))
    ;(facet === TOUCHED ? touched : cells).push({ hour, facet, number })
  }
  return { cells, touched }
}

/** How many entries of a list a lane counts as deleted. */
export const goneIn = (list: List, { gone }: Lane): number => gone[nameInLanes(list) || UNNAMED] ?? 0

/** The last hour of any list whose entries a lane counts, as letters. */
export const lastHourOf = ({ added }: Lane): string =>
  Object.keys(added)
    .reduce((last, cell) => (cell > last ? cell : last), '')
    .slice(0, HOUR_LETTERS)

/** The lanes that no transaction of this process is using, by their `pk`. All of them belong to the same hour. */
interface FreeLanes {
  readonly hour: string
  readonly by_pk: Map<string, Lane[]>
}

const free_of = new WeakMap<Table, FreeLanes>()

/** A lane that a transaction writes, and what the transaction adds to it. */
interface Used {
  readonly before: Lane
  readonly added: Map<string, number>
  readonly gone: Map<string, number>
}

/** Counts the entries that one transaction adds to counted lists, deletes, or gives another facet. */
export class LaneWrites {
  readonly #table: Table
  readonly #now: number
  readonly #used = new Map<string, Used>()

  /** `now` is when the transaction is prepared, in epoch milliseconds. */
  constructor(table: Table, now: number) {
    this.#table = table
    this.#now = now
  }

  /** Counts an added entry. Returns its stamp, which tells a reader whether a state of the lanes includes the entry. */
  add(list: List, id: string, facet: string): string {
    return this.#change(list, id, [[facet, 1]])
  }

  /** Counts a deleted entry. */
  remove(list: List, id: string, facet: string): void {
    this.#change(list, id, [[facet, -1]])
    const { gone } = this.#used.get(lanesPk(list))!
    addTo(gone, nameInLanes(list) || UNNAMED, 1)
  }

  /** Counts an entry under another facet. Returns the stamp of this change; undefined if the facet is not counted. */
  move(list: List, id: string, from: string, to: string): string | undefined {
    if (countedFacet(list, from) === countedFacet(list, to)) return undefined
    return this.#change(list, id, [
      [from, -1],
      [to, 1],
    ])
  }

  /** Epoch milliseconds after which the transaction must not be sent. */
  get latest(): number {
    return this.#used.size > 0 ? this.#now + ENTRY_LATEST_MS : Number.POSITIVE_INFINITY
  }

  /** The next versions of the lanes. */
  writes(): Write[] {
    return [...this.#used.values()].map((used) => ({ put: nextOf(used), was: used.before.version }))
  }

  /** Lets later transactions use the lanes of a transaction that was committed. */
  committed(): void {
    for (const used of this.#used.values()) this.#release(nextOf(used))
  }

  /**
   * Lets later transactions use the lanes of a transaction that was refused, unless the version of a lane had changed.
   * After any other error the transaction may have been committed, so its lanes are not used again.
   */
  failed(error: unknown, writes: readonly Write[]): void {
    if (!(error instanceof WriteConflict)) return
    const lost = new Set(error.lost.map((index) => writes[index]))
    const isLost = ({ pk, sk }: Lane) =>
      [...lost].some((one) => one && 'put' in one && one.put.pk === pk && one.put.sk === sk)
    for (const { before } of this.#used.values()) if (!isLost(before)) this.#release(before)
  }

  #change(list: List, id: string, changes: readonly (readonly [string, number])[]): string {
    const pk = lanesPk(list)
    const used = this.#used.get(pk) ?? { before: this.#take(pk), added: new Map(), gone: new Map() }
    this.#used.set(pk, used)
    const { before, added } = used
    const hour = hourLetters(creationTimeOf(id))
    for (const [facet, by] of changes) addTo(added, cellName(list, hour, countedFacet(list, facet)), by)
    if (hour !== hourOfLane(before.sk)) addTo(added, cellName(list, hour, TOUCHED), 1)
    return `${before.sk.slice(LANE_PREFIX.length)}.${before.version + 1}`
  }

  #take(pk: string): Lane {
    const hour = hourLetters(this.#now)
    const sk = LANE_PREFIX + hour + letters(randomBytes(8))
    const ttl = Math.floor(this.#now / 1000) + LANE_DAYS * DAY_SECONDS
    return freeLanes(this.#table, hour).by_pk.get(pk)?.pop() ?? { pk, sk, version: 0, ttl, added: {}, gone: {} }
  }

  #release(lane: Lane): void {
    const { hour, by_pk } = freeLanes(this.#table, hourLetters(this.#now))
    if (hourOfLane(lane.sk) !== hour) return
    const lanes = by_pk.get(lane.pk) ?? []
    by_pk.set(lane.pk, lanes)
    lanes.push(lane)
  }
}

/** The hour of a lane, from its `sk` without the prefix or with it, or from the stamp of an entry. */
export const hourOfLane = (sk: string): string => {
  const from = sk.startsWith(LANE_PREFIX) ? LANE_PREFIX.length : 0
  return sk.slice(from, from + HOUR_LETTERS)
}

function freeLanes(table: Table, hour: string): FreeLanes {
  const known = free_of.get(table)
  if (known?.hour === hour) return known
  const lanes = { hour, by_pk: new Map() }
  free_of.set(table, lanes)
  return lanes
}

function nextOf({ before, added, gone }: Used): Lane {
  const sum = (stored: Readonly<Record<string, number>>, more: Numbers) =>
    storedNumbers(plus(new Map(Object.entries(stored)), more))
  return { ...before, version: before.version + 1, added: sum(before.added, added), gone: sum(before.gone, gone) }
}

/** The facet under which an entry is counted. */
export const countedFacet = ({ facetOf }: List, facet: string): string => facetOf?.(facet) ?? UNNAMED
