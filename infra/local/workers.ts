import { sweep, workedQueues } from '#shared/background.ts'
import { timestamp } from '#shared/domain/timestamp.ts'
import type { Message, QueueName } from '#shared/platform/ports.ts'
import { RESEND_AFTER_MS } from '#shared/store/due.ts'
import { cursorKey, due_kinds, SHARDS, shardName } from '#shared/store/keys.ts'
import type { LocalPlatform } from './local-platform.ts'

/** When something that is overdue is looked for again, in milliseconds after its time. */
const LOOK_AGAIN_MS = [...RESEND_AFTER_MS, 24 * 60 * 60_000]

/** Messages that a worker gets at a time, as on AWS. */
const BATCH = 10

/** What API Gateway, EventBridge and SQS do on AWS: calls a function's handler with the platform in its context. */
export type Invoke = (file: string, event: unknown) => Promise<unknown>

/**
 * The part of the service that works by itself: sweeps when something falls due, and empties the queues. It does what
 * is due by the clock, in order, and can turn the clock ahead doing each thing at its own moment.
 */
export class Workers {
  readonly #platform: LocalPlatform
  readonly #invoke: Invoke
  #working: Promise<void> = Promise.resolve()
  #swept_until = Number.NEGATIVE_INFINITY

  constructor(platform: LocalPlatform, invoke: Invoke) {
    this.#platform = platform
    this.#invoke = invoke
  }

  /** Makes the next sweep look at everything: what an earlier process had queued died with it. */
  async forgetCursors(): Promise<void> {
    for (const kind of due_kinds)
      await this.#platform.table.write(
        Array.from({ length: SHARDS }, (_, shard) => ({ delete: cursorKey(shardName(kind, shard)) })),
      )
  }

  /** Does all that is due by now. Calls wait for each other. */
  work(): Promise<void> {
    return this.advanceTo(this.#platform.clock.now())
  }

  /** Turns the clock to a moment, and on the way to every moment at which something falls due, and does it there. */
  advanceTo(at: number): Promise<void> {
    const { clock } = this.#platform
    this.#working = this.#working
      .catch(() => undefined)
      .then(async () => {
        for (let next = this.#nextMoment(); next !== undefined && next <= at; next = this.#nextMoment()) {
          clock.turnTo(next)
          await this.#sweepAndWork()
        }
        clock.turnTo(at)
      })
    return this.#working
  }

  async #sweepAndWork(): Promise<void> {
    this.#swept_until = this.#platform.clock.now()
    await this.#invoke(sweep, {})
    for (const { queue, file } of workedQueues())
      for (let batch = this.#batch(queue); batch.length > 0; batch = this.#batch(queue)) {
        const Records = batch.map((message, index) => ({ messageId: String(index), body: JSON.stringify(message) }))
        await this.#invoke(file, { Records })
      }
  }

  #batch(queue: QueueName): Message[] {
    return this.#platform.queues[queue].due(this.#platform.clock.now(), BATCH)
  }

  /** The earliest moment at which there is something to do, be it past already; undefined when there is none. */
  #nextMoment(): number | undefined {
    const { table, queues } = this.#platform
    const now = this.#platform.clock.now()
    const moments = workedQueues().map(({ queue }) => queues[queue].earliest())
    const first = table.earliestDue()
    if (first !== undefined) {
      const due = Date.parse(first)
      const again = LOOK_AGAIN_MS.map((wait) => due + wait).find((moment) => moment > this.#swept_until)
      moments.push(due > this.#swept_until ? due : again)
      const ahead = table.earliestDue(timestamp(Math.max(now, this.#swept_until)))
      if (ahead !== undefined) moments.push(Date.parse(ahead))
    }
    const known = moments.filter((moment) => moment !== undefined)
    return known.length > 0 ? Math.min(...known) : undefined
  }
}
