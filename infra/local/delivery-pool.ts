import type { Clock, Message } from '#shared/platform/ports.ts'
import { type DueKind, groupOf } from '#shared/store/keys.ts'
import type { LocalQueue } from './local-queue.ts'

/** Calls to receivers at the same time, in all: they wait for others and take next to nothing here. */
const AT_ONCE = 512

/** Of these to one receiver, so that one that hangs leaves room for all others. */
const PER_RECEIVER = 4

/** Works on a queue whose messages may each take long: many at a time, few of one receiver. */
export class DeliveryPool {
  readonly #queue: LocalQueue
  readonly #clock: Clock
  readonly #deliver: (message: Message) => Promise<unknown>
  readonly #busy = new Map<string, number>()
  readonly #running = new Set<Promise<void>>()

  constructor(queue: LocalQueue, clock: Clock, deliver: (message: Message) => Promise<unknown>) {
    this.#queue = queue
    this.#clock = clock
    this.#deliver = deliver
  }

  /** Begins whatever can be begun, and goes on by itself as room gets free. */
  start(): void {
    while (this.#running.size < AT_ONCE) {
      const [message] = this.#queue.due(this.#clock.now(), 1, (group) => this.#count(group) < PER_RECEIVER)
      if (!message) return
      const running = this.#run(message).finally(() => {
        this.#running.delete(running)
        this.start()
      })
      this.#running.add(running)
    }
  }

  /** Settles once nothing is under way. */
  async idle(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running)
  }

  async #run(message: Message): Promise<void> {
    const group = groupOf(message.kind as DueKind, message.pk) ?? ''
    this.#busy.set(group, this.#count(group) + 1)
    try {
      await this.#deliver(message)
    } catch {
      // The function has told its log; what was not done the sweep sends again.
    } finally {
      const others = this.#count(group) - 1
      if (others > 0) this.#busy.set(group, others)
      else this.#busy.delete(group)
    }
  }

  #count(group: string): number {
    return this.#busy.get(group) ?? 0
  }
}
