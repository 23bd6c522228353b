import { cursorKey, due_kinds } from '#shared/store/keys.ts'
import { DueWork, type Invoke } from './due-work.ts'
import type { ClockCall } from './epochs.ts'
import type { LocalPlatform } from './local-platform.ts'

/**
 * Runs the background work of the service: passes outbox records to the fan-out, sweeps when a record falls due, and
 * processes the queues. It does the work that is due by the clock, in order. It can also advance the clock and do all
 * work on the way at its due time.
 */
export class Workers {
  readonly #platform: LocalPlatform
  readonly #due: DueWork
  #working: Promise<unknown> = Promise.resolve()
  #advancing: Promise<void> = Promise.resolve()

  constructor(platform: LocalPlatform, invoke: Invoke) {
    this.#platform = platform
    this.#due = new DueWork(platform, invoke)
  }

  /** Deletes the cursors, so that the next sweep queues every due record. The queues of an earlier process are lost. */
  async forgetCursors(): Promise<void> {
    await this.#platform.table.write(due_kinds.map((kind) => ({ delete: cursorKey(kind) })))
  }

  /** Does all work that is due by now. It starts due deliveries and does not wait for them. */
  async work(): Promise<void> {
    let has_worked = await this.#inTurn(async () => {
      await this.#due.sweepNow()
      return this.#due.round()
    })
    while (has_worked) has_worked = await this.#inTurn(() => this.#due.round())
  }

  /** Passes the outbox records that were written to the fan-out, without waiting for other work. */
  fanOut(): Promise<void> {
    return this.#due.fanOut()
  }

  /** Starts as many due deliveries as the limits of `DeliveryPool` allow. */
  deliver(): void {
    this.#due.deliveries.start()
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
      if (!this.#due.has(call.epoch)) await this.#due.deliveries.idle(call.epoch)
    // Work of other requests that fell due on the way is done as well, without waiting for deliveries.
    const epoch = this.#platform.epochs.begin()
    await this.#inTurn(() => this.#due.sweepBy(call.at))
    while (this.#due.has(epoch)) await this.#inTurn(() => this.#due.round())
  }

  /**
   * Does some of the due work. Once none is left, advances the clock to the next moment. Returns whether `at` is
   * reached.
   */
  async #step({ epoch, at }: ClockCall): Promise<boolean> {
    await this.#due.round()
    if (this.#due.has(epoch) || !this.#due.deliveries.isIdle(epoch)) return false
    const next = this.#due.nextMoment(epoch)
    const is_there = next === undefined || next > at
    this.#platform.clock.turnTo(is_there ? at : next)
    if (!is_there) await this.#due.sweepAwaited()
    return is_there
  }

  /** Runs `act` after all earlier work has ended. */
  #inTurn<T>(act: () => Promise<T>): Promise<T> {
    const turn = this.#working.catch(() => undefined).then(() => this.#platform.epochs.apart(act))
    this.#working = turn
    return turn
  }
}
