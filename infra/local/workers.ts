import { fanOut, sweep, workedQueues, workers } from '#shared/background.ts'
import type { Message, QueueName } from '#shared/platform/ports.ts'
import { AHEAD_MS } from '#shared/store/due.ts'
import { cursorKey, due_kinds } from '#shared/store/keys.ts'
import { DeliveryPool } from './delivery-pool.ts'
import type { ClockCall } from './epochs.ts'
import type { LocalPlatform } from './local-platform.ts'
import { type DueTimes, earliestOf, nextSweep } from './sweep-times.ts'

/** Messages that a worker gets at a time, as on AWS. */
const BATCH = 10

/** The queues that are worked on batch by batch; the pool works on that of deliveries. */
const batched = workedQueues().flatMap(({ queue }) => (queue === 'deliveries' ? [] : queue))

/** What API Gateway, EventBridge and SQS do on AWS: calls a function's handler with the platform in its context. */
export type Invoke = (file: string, event: unknown) => Promise<unknown>

/**
 * The part of the service that works by itself: tells receivers of what was written, sweeps when something falls due, and
 * empties the queues. It does what is due by the clock, in order, and can turn the clock ahead doing each thing at its own
 * moment.
 */
export class Workers {
  readonly #platform: LocalPlatform
  readonly #invoke: Invoke
  readonly #deliveries: DeliveryPool
  /** What falls due, without what the clock call that is being served does not wait for. */
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

  /** Makes the next sweep look at everything: what an earlier process had queued died with it. */
  async forgetCursors(): Promise<void> {
    await this.#platform.table.write(due_kinds.map((kind) => ({ delete: cursorKey(kind) })))
  }

  /**
   * Does all that is due by now; calls to receivers are begun, and end when they do. It looks for what falls due as seldom
   * as a sweep looks ahead.
   */
  async work(): Promise<void> {
    let has_worked = await this.#inTurn(async () => {
      if (this.#swept_at === undefined || this.#swept_at + AHEAD_MS <= this.#platform.clock.now())
        await this.#sweepDue(this.#platform.table, this.#platform.clock.now())
      return this.#round()
    })
    while (has_worked) has_worked = await this.#inTurn(() => this.#round())
  }

  /** Tells the receivers of what was just written, whatever else there is to do. */
  flow(): Promise<void> {
    this.#telling = this.#telling.catch(() => undefined).then(() => this.#tell())
    return this.#telling
  }

  /** Begins the deliveries that are due, as many as may be under way. */
  deliver(): void {
    this.#deliveries.start()
  }

  /**
   * Turns the clock to a moment, and on the way to every moment at which something falls due, and does it there, to the
   * end. It waits for what was there when it was called, for what falls due, and for all that comes of both, deliveries
   * included. It does not wait for deliveries that other requests cause meanwhile, and leaves room for them and for `work`.
   * Calls go one after the other.
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
    // What fell due of other requests meanwhile is done as well, without waiting for deliveries.
    const epoch = this.#platform.epochs.begin()
    await this.#inTurn(() => this.#sweepDue(this.#platform.table, call.at))
    while (this.#hasWork(epoch)) await this.#inTurn(() => this.#round())
  }

  /** Does some of what is due; once nothing is left, turns the clock to the next moment. Answers whether `at` is reached. */
  async #step({ epoch, at }: ClockCall): Promise<boolean> {
    await this.#round()
    if (this.#hasWork(epoch) || !this.#deliveries.isIdle(epoch)) return false
    const next = this.#nextMoment(epoch)
    const is_there = next === undefined || next > at
    this.#platform.clock.turnTo(is_there ? at : next)
    if (!is_there) await this.#sweepDue(this.#own_times, this.#platform.clock.now())
    return is_there
  }

  /** Whether there is anything of the epochs before `before` to be told, or to be handed over now; deliveries apart. */
  #hasWork(before: number): boolean {
    const { queues, stream, clock } = this.#platform
    const now = clock.now()
    return stream.holds(before) || batched.some((queue) => (queues[queue].earliest(before) ?? now + 1) <= now)
  }

  /**
   * The earliest moment at which there is something to do, be it past already; undefined when there is none. Deliveries of
   * later epochs, and what only safeguards requests of later epochs, have none.
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

  /** Sweeps, if there is something that a sweep has to send by `by`. */
  async #sweepDue(times: DueTimes, by: number): Promise<void> {
    const now = this.#platform.clock.now()
    const sweep_at = nextSweep(times, this.#swept_at)
    if (sweep_at === undefined || sweep_at > by) return
    await this.#invoke(sweep, {})
    this.#swept_at = now
  }

  /**
   * Tells of what was written, begins the deliveries that are due, and hands over a batch of each other queue: one that a
   * clock call waits for, then one that it does not wait for. Answers whether there was a batch. It ends however much comes
   * meanwhile.
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

  /** Hands over what the stream holds by now. */
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
