import { fanOut, sweep, workedQueues, workers } from '#shared/background.ts'
import type { Message, QueueName } from '#shared/platform/ports.ts'
import { AHEAD_MS } from '#shared/store/due.ts'
import { cursorKey, due_kinds } from '#shared/store/keys.ts'
import { DeliveryPool } from './delivery-pool.ts'
import type { LocalPlatform } from './local-platform.ts'
import { earliestOf, nextSweep } from './sweep-times.ts'

/** Messages that a worker gets at a time, as on AWS. */
const BATCH = 10

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
  #working: Promise<void> = Promise.resolve()
  #telling: Promise<void> = Promise.resolve()
  #swept_at: number | undefined

  constructor(platform: LocalPlatform, invoke: Invoke) {
    this.#platform = platform
    this.#invoke = invoke
    const { queues, clock } = platform
    this.#deliveries = new DeliveryPool(queues.deliveries, clock, (message) => this.#handOver('deliveries', [message]))
  }

  /** Makes the next sweep look at everything: what an earlier process had queued died with it. */
  async forgetCursors(): Promise<void> {
    await this.#platform.table.write(due_kinds.map((kind) => ({ delete: cursorKey(kind) })))
  }

  /**
   * Does all that is due by now; calls to receivers are begun, and end when they do. It looks for what falls due as seldom
   * as a sweep looks ahead.
   */
  work(): Promise<void> {
    return this.#inTurn(async () => {
      if (this.#swept_at === undefined || this.#swept_at + AHEAD_MS <= this.#platform.clock.now())
        await this.#sweepDue()
      await this.#empty()
    })
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

  /** Turns the clock to a moment, and on the way to every moment at which something falls due, and does it there, to the end. */
  advanceTo(at: number): Promise<void> {
    return this.#inTurn(async () => {
      await this.#deliveries.idle()
      for (let next = this.#nextMoment(); next !== undefined && next <= at; next = this.#nextMoment()) {
        this.#platform.clock.turnTo(next)
        await this.#sweepDue()
        await this.#empty()
        await this.#deliveries.idle()
      }
      this.#platform.clock.turnTo(at)
    })
  }

  #inTurn(act: () => Promise<void>): Promise<void> {
    this.#working = this.#working.catch(() => undefined).then(act)
    return this.#working
  }

  async #sweepDue(): Promise<void> {
    const { table, clock } = this.#platform
    const now = clock.now()
    const sweep_at = nextSweep(table, this.#swept_at)
    if (sweep_at === undefined || sweep_at > now) return
    await this.#invoke(sweep, {})
    this.#swept_at = now
  }

  /** Hands over what the stream and the queues hold, until they hold no more. */
  async #empty(): Promise<void> {
    const { stream, queues, clock } = this.#platform
    for (let worked = true; worked; ) {
      await this.flow()
      worked = !stream.isEmpty
      for (const { queue } of workedQueues()) {
        const batch = queue === 'deliveries' ? [] : queues[queue].due(clock.now(), BATCH)
        if (batch.length > 0) await this.#handOver(queue, batch)
        worked ||= batch.length > 0
      }
    }
  }

  async #tell(): Promise<void> {
    const { stream } = this.#platform
    for (let Records = stream.take(); Records.length > 0; Records = stream.take()) {
      await this.#invoke(fanOut, { Records })
      this.#deliveries.start()
    }
    this.#deliveries.start()
  }

  async #handOver(queue: QueueName, messages: readonly Message[]): Promise<void> {
    const Records = messages.map((message, index) => ({ messageId: String(index), body: JSON.stringify(message) }))
    await this.#invoke(workers[queue], { Records })
  }

  /** The earliest moment at which there is something to do, be it past already; undefined when there is none. */
  #nextMoment(): number | undefined {
    const { queues, stream, table, clock } = this.#platform
    const moments = workedQueues().map(({ queue }) => queues[queue].earliest())
    if (!stream.isEmpty) moments.push(clock.now())
    return earliestOf([...moments, nextSweep(table, this.#swept_at)])
  }
}
