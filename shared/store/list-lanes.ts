import { randomBytes } from 'node:crypto'
import { creationTimeOf, letters } from '#shared/domain/ids.ts'
import { type Item, type Table, type Write, WriteConflict } from '#shared/platform/ports.ts'
import { HOUR_LETTERS, hourLetters, LANE_PREFIX, type List, lanesPk, nameInLanes } from './list-keys.ts'

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
  /** The number of entries that were added less those that were deleted, by the name of the list and their hour. */
  readonly added: Readonly<Record<string, number>>
  /** The number of entries that were deleted. */
  readonly gone: number
}

/** The name of a list's hour in a lane. */
export const cellName = (list: List, hour: string): string => hour + nameInLanes(list)

/** The lanes that no transaction of this process is using, by their `pk`. All of them belong to the same hour. */
interface FreeLanes {
  readonly hour: string
  readonly by_pk: Map<string, Lane[]>
}

const free_of = new WeakMap<Table, FreeLanes>()

/** Counts the entries that one transaction adds to counted lists or deletes. */
export class LaneWrites {
  readonly #table: Table
  readonly #now: number
  readonly #used = new Map<string, { before: Lane; added: Record<string, number>; gone: number }>()

  /** `now` is when the transaction is prepared, in epoch milliseconds. */
  constructor(table: Table, now: number) {
    this.#table = table
    this.#now = now
  }

  /** Counts an added entry. Returns its stamp, which tells a reader whether a state of the lanes includes the entry. */
  add(list: List, id: string): string {
    const { before } = this.#change(list, id, 1)
    return `${before.sk.slice(LANE_PREFIX.length)}.${before.version + 1}`
  }

  /** Counts a deleted entry. */
  remove(list: List, id: string): void {
    this.#change(list, id, -1).gone++
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

  #change(list: List, id: string, by: number) {
    const pk = lanesPk(list)
    const used = this.#used.get(pk) ?? { before: this.#take(pk), added: {}, gone: 0 }
    this.#used.set(pk, used)
    const cell = cellName(list, hourLetters(creationTimeOf(id)))
    used.added[cell] = (used.added[cell] ?? 0) + by
    return used
  }

  #take(pk: string): Lane {
    const hour = hourLetters(this.#now)
    const sk = LANE_PREFIX + hour + letters(randomBytes(8))
    const ttl = Math.floor(this.#now / 1000) + LANE_DAYS * DAY_SECONDS
    return freeLanes(this.#table, hour).by_pk.get(pk)?.pop() ?? { pk, sk, version: 0, ttl, added: {}, gone: 0 }
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

function nextOf({
  before,
  added,
  gone,
}: {
  before: Lane
  added: Readonly<Record<string, number>>
  gone: number
}): Lane {
  const sums = { ...before.added }
  for (const [cell, number] of Object.entries(added)) sums[cell] = (sums[cell] ?? 0) + number
  return { ...before, version: before.version + 1, added: sums, gone: before.gone + gone }
}
