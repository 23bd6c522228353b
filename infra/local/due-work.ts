import { fanOut, sweep, workedQueues, workers } from '#shared/background.ts'
import type { Message, QueueName } from '#shared/platform/ports.ts'
import { AHEAD_MS } from '#shared/scheduling/sweep-windows.ts'
import { DeliveryPool } from './delivery-pool.ts'
import type { LocalPlatform } from './local-platform.ts'
import { type DueTimes, earliestOf, nextSweep } from './sweep-times.ts'

/** The maximum number of messages in one call of a worker, as on AWS. */
const BATCH = 10

/** The queues that are processed in batches. `DeliveryPool` processes the queue of deliveries. */
const batched = workedQueues().flatMap(({ queue }) => (queue === 'deliveries' ? [] : queue))

/** Calls a function's handler with the platform in its context, as API Gateway, EventBridge and SQS do on AWS. */
export type Invoke = (file: string, event: unknown) => Promise<unknown>

/** Finds the work that is due by the clock, and calls the background functions that do it. */
export class DueWork {
  readonly deliveries: DeliveryPool
  readonly #platform: LocalPlatform
  readonly #invoke: Invoke
  /**
   * The due times that the served clock call waits for: those of all records, except for safeguards of later requests.
   */
  readonly #awaited: DueTimes
  #fanning_out: Promise<void> = Promise.resolve()
  #swept_at: number | undefined

  constructor(platform: LocalPlatform, invoke: Invoke) {
    this.#platform = platform
    this.#invoke = invoke
    const { queues, clock, table, epochs } = platform
    this.deliveries = new DeliveryPool(queues.deliveries, clock, async (message) => {
      await this.#handOver('deliveries', [message])
      const [delivery] = await table.get([message])
      return delivery?.status === 'delivered'
    })
    this.#awaited = { earliestDue: (after) => table.earliestDue(after, (key) => epochs.isForeign(key)) }
  }

  /**
   * Sweeps if something is due now and the last sweep cannot have queued it: a sweep queues what falls due within
   * `AHEAD_MS` after it.
   */
  async sweepNow(): Promise<void> {
    const now = this.#platform.clock.now()
    if (this.#swept_at === undefined || this.#swept_at + AHEAD_MS <= now) await this.sweepBy(now)
  }

  /** Sweeps if something must be sent by `by`, in epoch milliseconds. */
  sweepBy(by: number): Promise<void> {
    return this.#sweepDue(this.#platform.table, by)
  }

  /** Sweeps if something that the served clock call waits for must be sent now. */
  sweepAwaited(): Promise<void> {
    return this.#sweepDue(this.#awaited, this.#platform.clock.now())
  }

  async #sweepDue(times: DueTimes, by: number): Promise<void> {
    const now = this.#platform.clock.now()
    const sweep_at = nextSweep(times, this.#swept_at)
    if (sweep_at === undefined || sweep_at > by) return
    await this.#invoke(sweep, {})
    this.#swept_at = now
  }

  /** Whether a stream record, or a visible message of a batched queue, belongs to an epoch before `before`. */
  has(before: number): boolean {
    const { queues, stream, clock } = this.#platform
    const now = clock.now()
    return stream.holds(before) || batched.some((queue) => (queues[queue].earliest(before) ?? now + 1) <= now)
  }

  /**
   * Returns the earliest moment at which there is work, which can be in the past; undefined if there is none. It
   * ignores deliveries that belong to `epoch` or later, and safeguards for which the served clock call does not wait.
   */
  nextMoment(epoch: number): number | undefined {
    const { queues, clock } = this.#platform
    const others = batched.flatMap((queue) => [queues[queue].earliest(epoch), queues[queue].nextAfter(clock.now())])
    return earliestOf([queues.deliveries.earliest(epoch), ...others, nextSweep(this.#awaited, this.#swept_at)])
  }

  /**
   * Passes outbox records to the fan-out, processes up to two batches of each batched queue, and starts the due
   * deliveries. One batch holds messages that a clock call waits for, the other does not. Returns whether there was a
   * batch. The work of a round is limited, so a round ends however much work arrives meanwhile.
   */
  async round(): Promise<boolean> {
    const { queues, clock, epochs } = this.#platform
    await this.fanOut()
    let has_worked = false
    for (const queue of batched)
      for (const wanted of [{ before: epochs.served }, { from: epochs.served }]) {
        const batch = queues[queue].take(clock.now(), BATCH, wanted)
        if (batch.length === 0) continue
        const messages = batch.map(({ message }) => message)
        await epochs.within(batch[0]!.epoch, () => this.#handOver(queue, messages))
        has_worked = true
      }
    this.deliveries.start()
    return has_worked
  }

  /** Passes the records that the stream holds to the fan-out, after earlier calls have ended. */
  fanOut(): Promise<void> {
    this.#fanning_out = this.#fanning_out.catch(() => undefined).then(() => this.#fanOutStream())
    return this.#fanning_out
  }

  async #fanOutStream(): Promise<void> {
    const { stream, epochs } = this.#platform
    for (let left = stream.size; left > 0 && !stream.isEmpty; ) {
      const Records = stream.take()
      left -= Records.length
      await epochs.within(Records[0]!.epoch, () => this.#invoke(fanOut, { Records }))
      this.deliveries.start()
    }
    this.deliveries.start()
  }

  async #handOver(queue: QueueName, messages: readonly Message[]): Promise<void> {
    const Records = messages.map((message, index) => ({ messageId: String(index), body: JSON.stringify(message) }))
    await this.#invoke(workers[queue], { Records })
  }
}
