import { collectionAround, isBefore, type Position } from './key-position.ts'
import { assumed, published } from './published-limits.ts'
import { TokenBucket } from './token-bucket.ts'

export type Operation = 'read' | 'write'

const MINUTE_MS = 60_000

/** How far apart the places of the traffic are noted, and how many of them a partition remembers. */
const NOTED_EVERY_MS = 50
const NOTED_MAX = 400

/** What a partition consumed of its limits in a minute, as parts of them: 0.6 is 60 %. */
export interface Minute {
  /** The end of the minute in milliseconds. */
  readonly ends: number
  readonly read: number
  readonly write: number
}

/** One partition: the key range from `from` to the `from` of the next partition. */
export class Partition {
  readonly from: Position
  /** The minutes so far, oldest first. */
  readonly minutes: Minute[] = []
  /** The number of calls that this partition has throttled. */
  readonly throttled = { read: 0, write: 0 }
  /** Units that a call asks for. They are consumed only if no partition throttles the call. */
  asked = 0
  readonly #buckets: Readonly<Record<Operation, TokenBucket>>
  readonly #used = { read: 0, write: 0 }
  #noted: Position[] = []
  #noted_at = Number.NEGATIVE_INFINITY
  #hot_minutes = 0

  constructor(from: Position, burst_seconds: number, now: number) {
    this.from = from
    this.#buckets = {
      read: new TokenBucket(published.read_units_per_second.value, burst_seconds, now),
      write: new TokenBucket(published.write_units_per_second.value, burst_seconds, now),
    }
  }

  serves(operation: Operation, units: number, now: number): boolean {
    return this.#buckets[operation].available(now) >= units
  }

  consume(operation: Operation, units: number, now: number): void {
    this.#buckets[operation].take(units, now)
    this.#used[operation] += units
  }

  /** Remembers where the traffic goes, also of a throttled call. */
  note(position: Position, now: number): void {
    if (now - this.#noted_at < NOTED_EVERY_MS) return
    this.#noted_at = now
    this.#noted.push(position)
    if (this.#noted.length > 2 * NOTED_MAX) this.#noted = this.#noted.slice(-NOTED_MAX)
  }

  spendBurst(now: number): void {
    for (const bucket of Object.values(this.#buckets)) bucket.spendBurst(now)
  }

  /** Ends a minute. Returns whether the partition has been hot for so many minutes that it is to be split. */
  endMinute(ends: number): boolean {
    const part = (operation: Operation) =>
      this.#used[operation] / ((this.#buckets[operation].per_second * MINUTE_MS) / 1000)
    const minute = { ends, read: part('read'), write: part('write') }
    this.minutes.push(minute)
    this.#used.read = 0
    this.#used.write = 0
    this.#hot_minutes = Math.max(minute.read, minute.write) >= assumed.split_above.value ? this.#hot_minutes + 1 : 0
    return this.#hot_minutes >= assumed.split_after_minutes.value
  }

  /**
   * The place at which a split would divide the traffic best; undefined if no split is beneficial. The places are those
   * of the earlier half of the noted traffic: its median, and the ends of the item collection there. The later half
   * decides, so a sort key that only increases shows that the traffic stays on one side.
   */
  splitPoint(): Position | undefined {
    const half = Math.floor(this.#noted.length / 2)
    const [earlier, later] = [this.#noted.slice(0, half), this.#noted.slice(half)]
    if (earlier.length === 0) return undefined
    const median = earlier.sort((one, other) => (isBefore(one, other) ? -1 : 1))[earlier.length >> 1]!
    const smallerPart = (place: Position) => {
      const left = later.filter((position) => isBefore(position, place)).length / later.length
      return isBefore(this.from, place) ? Math.min(left, 1 - left) : 0
    }
    const [best] = [median, ...collectionAround(median)]
      .map((place) => ({ place, part: smallerPart(place) }))
      .sort((one, other) => other.part - one.part)
    return best!.part >= assumed.split_at_least.value ? best!.place : undefined
  }
}
