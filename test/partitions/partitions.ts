import { FIRST, HASHES, isBefore, type Position } from './key-position.ts'
import { type Operation, Partition } from './partition.ts'
import { published } from './published-limits.ts'

/** Units that a call consumes at one place of the key space. */
export interface Consumption {
  readonly position: Position
  readonly units: number
}

export interface PartitionsOptions {
  /** The number of partitions at first, which divide the hashes evenly. The default is that of a new table. */
  readonly count?: number
  /** The present time in milliseconds. */
  readonly now?: number
  readonly burst_seconds?: number
}

const MINUTE_MS = 60_000

/** The partitions of a new on-demand table or index. */
export const NEW_TABLE_PARTITIONS = published.new_table_write_units.value / published.write_units_per_second.value

/**
 * The partitions of a table, or of an index, which has partitions of its own. Each partition can use its whole limit at
 * any time, as adaptive capacity provides. Partitions are split and never merged.
 */
export class Partitions {
  /** All partitions in the order of their key ranges. */
  readonly all: Partition[]
  /** The partitions that were split. */
  readonly replaced: Partition[] = []
  readonly #burst_seconds: number
  #minute_ends: number

  constructor({ count = NEW_TABLE_PARTITIONS, now = 0, burst_seconds }: PartitionsOptions = {}) {
    this.#burst_seconds = burst_seconds ?? published.burst_seconds.value
    this.all = Array.from({ length: count }, (_, number) => {
      const from = number === 0 ? FIRST : { hash: Math.round((HASHES * number) / count), sk: '' }
      return new Partition(from, this.#burst_seconds, now)
    })
    this.#minute_ends = now + MINUTE_MS
  }

  /** The partition that holds a place. */
  at(position: Position): Partition {
    let [low, high] = [0, this.all.length]
    while (high - low > 1) {
      const middle = (low + high) >> 1
      if (isBefore(position, this.all[middle]!.from)) high = middle
      else low = middle
    }
    return this.all[low]!
  }

  /**
   * Whether all partitions serve their part of a call now. Otherwise the call is throttled, which is counted at the
   * partition that lacks the units. Nothing is consumed before `consume`.
   */
  serve(operation: Operation, wanted: readonly Consumption[], now: number): boolean {
    this.#endMinutes(now)
    const asked = wanted.map(({ position, units }) => {
      const partition = this.at(position)
      partition.asked += units
      partition.note(position, now)
      return partition
    })
    const busy = asked.find((partition) => !partition.serves(operation, partition.asked, now))
    for (const partition of asked) partition.asked = 0
    if (busy) busy.throttled[operation] += 1
    return !busy
  }

  /** Consumes the units of a call that all partitions serve. */
  consume(operation: Operation, wanted: readonly Consumption[], now: number): void {
    for (const { position, units } of wanted) this.at(position).consume(operation, units, now)
  }

  /** Consumes what all partitions retain for bursts. */
  spendBursts(now: number): void {
    for (const partition of this.all) partition.spendBurst(now)
  }

  #endMinutes(now: number): void {
    for (; now >= this.#minute_ends; this.#minute_ends += MINUTE_MS)
      for (const partition of [...this.all]) if (partition.endMinute(this.#minute_ends)) this.#split(partition, now)
  }

  /** Replaces a partition by two. Both begin without retained capacity, because the partition was near its limit. */
  #split(partition: Partition, now: number): void {
    const place = partition.splitPoint()
    if (!place) return
    const halves = [partition.from, place].map((from) => new Partition(from, this.#burst_seconds, now))
    for (const half of halves) half.spendBurst(now)
    this.all.splice(this.all.indexOf(partition), 1, ...halves)
    this.replaced.push(partition)
  }
}
