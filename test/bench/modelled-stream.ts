import type { Partition } from '#test/partitions/partition.ts'
import type { VirtualTime } from '#test/partitions/virtual-time.ts'
import type { Act } from './modelled-queue.ts'
import { assumed } from './usage.ts'

/**
 * Lambda polls each shard of a stream four times a second: https://docs.aws.amazon.com/lambda/latest/dg/with-ddb.html
 * The time until a write is in the stream is assumed; AWS calls it near real time.
 */
const POLL_EVERY_MS = 250
const STREAM_LAG_MS = 100

/** The event source mapping of the fan-out: see `FunctionsStack`. */
const BATCH_MAX = 100
const BATCHES_AT_ONCE = 4

interface Shard<M> {
  readonly waiting: M[]
  batches: number
  is_polled: boolean
}

/** The stream of a table with one shard per partition, and the function that gets its records. */
export class ModelledStream<M> {
  readonly #time: VirtualTime
  readonly #act: Act<M>
  readonly #shards = new Map<Partition, Shard<M>>()

  constructor(time: VirtualTime, act: Act<M>) {
    this.#time = time
    this.#act = act
  }

  /** Adds the record of a write to a partition. */
  add(partition: Partition, message: M): void {
    const shard = this.#shards.get(partition) ?? { waiting: [], batches: 0, is_polled: false }
    this.#shards.set(partition, shard)
    this.#time.after(STREAM_LAG_MS, () => {
      shard.waiting.push(message)
      this.#poll(shard)
    })
  }

  #poll(shard: Shard<M>): void {
    if (shard.is_polled || shard.waiting.length === 0 || shard.batches === BATCHES_AT_ONCE) return
    shard.is_polled = true
    this.#time.after(POLL_EVERY_MS - (this.#time.now % POLL_EVERY_MS), () => {
      shard.is_polled = false
      while (shard.waiting.length > 0 && shard.batches < BATCHES_AT_ONCE) this.#begin(shard)
    })
  }

  #begin(shard: Shard<M>): void {
    const batch = shard.waiting.splice(0, BATCH_MAX)
    shard.batches += 1
    let left = batch.length
    const end = () => {
      left -= 1
      if (left > 0) return
      shard.batches -= 1
      this.#poll(shard)
    }
    this.#time.after(assumed.own_ms, () => {
      for (const message of batch) this.#act(message, batch.length, end)
    })
  }
}
