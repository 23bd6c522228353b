import { fanOut, sweep, workedQueues, workers } from '#shared/background.ts'
import type { Message, QueueName } from '#shared/platform/ports.ts'
import { AHEAD_MS } from '#shared/scheduling/sweep.ts'
import { cursorKey, due_kinds } from '#shared/store/keys.ts'
import { DeliveryPool } from './delivery-pool.ts'
import type { ClockCall } from './epochs.ts'
import type { LocalPlatform } from './local-platform.ts'
import { type DueTimes, earliestOf, nextSweep } from './sweep-times.ts'

/** The maximum number of messages in one call of a worker, as on AWS. */
const BATCH = 10

/** The queues that are processed in batches. `DeliveryPool` processes the queue of deliveries. */
const batched = workedQueues().flatMap(({ queue }) => (queue === 'deliveries' ? [] : queue))

/** Calls a function's handler with the platform in its context, as API Gateway, EventBridge and SQS do on AWS. */
export type Invoke = (file: string, event: unknown) => Promise<unknown>

/**
 * Runs the background work of the service: passes outbox records to the fan-out, sweeps when a record falls due, and
 * processes the queues. It does the work that is due by the clock, in order. It can also advance the clock and do all
 * work on the way at its due time.
 */
export class Workers {
  readonly #platform: LocalPlatform
  readonly #invoke: Invoke
  readonly #deliveries: DeliveryPool
  /** The due times of all records, except for safeguards for which the served clock call does not wait. */
  readonly #own_times: DueTimes
  #working: Promise<unknown> = Promise.resolve()
  #telling: Promise<void> = Promise.resolve()
  #advancing: Promise<void> = Promise.resolve()
  #swept_at: number | undefined

  constructor(platform: LocalPlatform, invoke: Invoke) {
    this.#platform = platform
    this.#invoke = invoke
    const { queues, clock, table, epochs } = platform
    this.#deliveries = new DeliveryPool(queues.deliveries, clock, (message) => this.#handOver('deliveries', [message]))
    this.#own_times = { earliestDue: (after) => table.earliestDue(after, (key) => epochs.isForeign(key)) }
  }

  /** Deletes the cursors, so that the next sweep queues every due record. The queues of an earlier process are lost. */
  async forgetCursors(): Promise<void> {
    await this.#platform.table.write(due_kinds.map((kind) => ({ delete: cursorKey(kind) })))
  }

  /**
   * Does all work that is due by now. It starts due deliveries and does not wait for them. It looks for due records
   * only once `AHEAD_MS` has passed since the last sweep, because that sweep has queued what falls due until then.
   */
  async work(): Promise<void> {
    let has_worked = await this.#inTurn(async () => {
      if (this.#swept_at === undefined || this.#swept_at + AHEAD_MS <= this.#platform.clock.now())
        await this.#sweepDue(this.#platform.table, this.#platform.clock.now())
      return this.#round()
    })
    while (has_worked) has_worked = await this.#inTurn(() => this.#round())
  }

  /** Passes the outbox records that were written to the fan-out, without waiting for other work. */
  flow(): Promise<void> {
    this.#telling = this.#telling.catch(() => undefined).then(() => this.#tell())
    return this.#telling
  }

  /** Starts as many due deliveries as the limits of `DeliveryPool` allow. */
  deliver(): void {
    this.#deliveries.start()
  }

  /**
   * Advances the clock to `at`, in epoch milliseconds. It stops at every moment at which work falls due and completes
   * the work there. It waits for the work that existed at the call, for work that falls due on the way, and for all
   * work that results from these, including deliveries. It does not wait for deliveries that other requests cause
   * meanwhile, and does not block them or `work`. Calls run one after the other.
   */
  advanceTo(at: number): Promise<void> {
    const { epochs } = this.#platform
    const call = epochs.open(at)
    this.#advancing = this.#advancing
      .catch(() => undefined)
      .then(() => this.#advance(call))
      .finally(() => epochs.close(call))
    return this.#advancing
  }

  async #advance(call: ClockCall): Promise<void> {
    while (!(await this.#inTurn(() => this.#step(call))))
      if (!this.#hasWork(call.epoch)) await this.#deliveries.idle(call.epoch)
    // Work of other requests that fell due on the way is done as well, without waiting for deliveries.
    const epoch = this.#platform.epochs.begin()
    await this.#inTurn(() => this.#sweepDue(this.#platform.table, call.at))
    while (this.#hasWork(epoch)) await this.#inTurn(() => this.#round())
  }

  /**
   * Does some of the due work. Once none is left, advances the clock to the next moment. Returns whether `at` is
   * reached.
   */
  async #step({ epoch, at }: ClockCall): Promise<boolean> {
    await this.#round()
    if (this.#hasWork(epoch) || !this.#deliveries.isIdle(epoch)) return false
    const next = this.#nextMoment(epoch)
    const is_there = next === undefined || next > at
    this.#platform.clock.turnTo(is_there ? at : next)
    if (!is_there) await this.#sweepDue(this.#own_times, this.#platform.clock.now())
    return is_there
  }

  /** Whether a stream record, or a visible message of a batched queue, belongs to an epoch before `before`. */
  #hasWork(before: number): boolean {
    const { queues, stream, clock } = this.#platform
    const now = clock.now()
    return stream.holds(before) || batched.some((queue) => (queues[queue].earliest(before) ?? now + 1) <= now)
  }

  /**
   * Returns the earliest moment at which there is work, which can be in the past; undefined if there is none. It
   * ignores deliveries that belong to `epoch` or later, and safeguards for which the served clock call does not wait.
   */
  #nextMoment(epoch: number): number | undefined {
    const { queues, clock } = this.#platform
    const others = batched.flatMap((queue) => [queues[queue].earliest(epoch), queues[queue].nextAfter(clock.now())])
    return earliestOf([queues.deliveries.earliest(epoch), ...others, nextSweep(this.#own_times, this.#swept_at)])
  }

  #inTurn<T>(act: () => Promise<T>): Promise<T> {
    const turn = this.#working.catch(() => undefined).then(() => this.#platform.epochs.apart(act))
    this.#working = turn
    return turn
  }

  /** Sweeps if `nextSweep` finds that something must be sent by `by`, in epoch milliseconds. */
  async #sweepDue(times: DueTimes, by: number): Promise<void> {
    const now = this.#platform.clock.now()
    const sweep_at = nextSweep(times, this.#swept_at)
    if (sweep_at === undefined || sweep_at > by) return
    await this.#invoke(sweep, {})
    this.#swept_at = now
  }

  /**
   * Passes outbox records to the fan-out, processes up to two batches of each batched queue, and starts the due
   * deliveries. One batch holds messages that a clock call waits for, the other does not. Returns whether there was a
   * batch. The work of a round is limited, so a round ends however much work arrives meanwhile.
   */
  async #round(): Promise<boolean> {
    const { queues, clock, epochs } = this.#platform
    await this.flow()
    let has_worked = false
    for (const queue of batched)
      for (const wanted of [{ before: epochs.served }, { from: epochs.served }]) {
        const batch = queues[queue].take(clock.now(), BATCH, wanted)
        if (batch.length === 0) continue
        const messages = batch.map(({ message }) => message)
        await epochs.within(batch[0]!.epoch, () => this.#handOver(queue, messages))
        has_worked = true
      }
    this.#deliveries.start()
    return has_worked
  }

  /** Passes the records that the stream holds at the call to the fan-out. */
  async #tell(): Promise<void> {
    const { stream, epochs } = this.#platform
    for (let left = stream.size; left > 0 && !stream.isEmpty; ) {
      const Records = stream.take()
      left -= Records.length
      await epochs.within(Records[0]!.epoch, () => this.#invoke(fanOut, { Records }))
      this.#deliveries.start()
    }
    this.#deliveries.start()
  }

  async #handOver(queue: QueueName, messages: readonly Message[]): Promise<void> {
    const Records = messages.map((message, index) => ({ messageId: String(index), body: JSON.stringify(message) }))
    await this.#invoke(workers[queue], { Records })
  }
}
