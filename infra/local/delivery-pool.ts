import type { Clock, Message } from '#shared/platform/ports.ts'
import type { LocalQueue, Waiting } from './local-queue.ts'

/** The maximum number of concurrent calls to receivers. A call mostly waits for its receiver and uses little CPU. */
const AT_ONCE = 512

/** The maximum number of concurrent calls to one receiver, so that a receiver that hangs leaves room for all others. */
const PER_RECEIVER = 4

/** A delivery in progress. */
interface Running extends Waiting {
  readonly ended: Promise<void>
}

/**
 * Processes the queue of deliveries, where each message can take long: up to 512 at a time, up to 4 of one receiver.
 * Deliveries that a clock call waits for come first. The limits for these deliveries do not count other deliveries, so
 * other deliveries do not use up these limits.
 */
export class DeliveryPool {
  readonly #queue: LocalQueue
  readonly #clock: Clock
  readonly #deliver: (message: Message) => Promise<unknown>
  readonly #running = new Set<Running>()
  readonly #by_group = new Map<string, Set<Running>>()
  /**
   * The latest run of each delivery in progress, by the `pk` of the delivery. The next run of the delivery waits for
   * it.
   */
  readonly #last = new Map<string, Promise<void>>()

  constructor(queue: LocalQueue, clock: Clock, deliver: (message: Message) => Promise<unknown>) {
    this.#queue = queue
    this.#clock = clock
    this.#deliver = deliver
  }

  /** Starts as many deliveries as the limits allow. Each delivery that ends starts the next. */
  start(): void {
    for (let next = this.#next(); next; next = this.#next()) this.#begin(next)
  }

  /** Whether no delivery of the epochs before `before` is in progress. */
  isIdle(before = Number.POSITIVE_INFINITY): boolean {
    return count(this.#running, before) === 0
  }

  /** Settles once no delivery of the epochs before `before` is in progress. */
  async idle(before = Number.POSITIVE_INFINITY): Promise<void> {
    while (!this.isIdle(before))
      await Promise.all([...this.#running].flatMap(({ epoch, ended }) => (epoch < before ? ended : [])))
  }

  #next(): Waiting | undefined {
    const now = this.#clock.now()
    const { served } = this.#queue.epochs
    if (served > 0 && count(this.#running, served) < AT_ONCE) {
      const free = (group: string) => count(this.#by_group.get(group), served) < PER_RECEIVER
      const [waited] = this.#queue.take(now, 1, { before: served, free })
      if (waited) return waited
    }
    if (this.#running.size >= AT_ONCE) return undefined
    const free = (group: string) => (this.#by_group.get(group)?.size ?? 0) < PER_RECEIVER
    return this.#queue.take(now, 1, { free })[0]
  }

  #begin(waiting: Waiting): void {
    const { group, message } = waiting
    const ended = this.#run(waiting, this.#last.get(message.pk)).finally(() => {
      this.#running.delete(running)
      others.delete(running)
      if (others.size === 0) this.#by_group.delete(group)
      if (this.#last.get(message.pk) === ended) this.#last.delete(message.pk)
      this.start()
    })
    const running = { ...waiting, ended }
    const others = this.#by_group.get(group) ?? new Set()
    this.#by_group.set(group, others.add(running))
    this.#running.add(running)
    this.#last.set(message.pk, ended)
  }

  /**
   * Makes one delivery, after `before`, the previous run of the same delivery. The lease of the delivery cannot exclude
   * a second worker here: it expires by the virtual clock, which can be advanced during the call to the receiver.
   */
  async #run({ message, epoch }: Waiting, before: Promise<void> | undefined): Promise<void> {
    if (before) await before
    try {
      await this.#queue.epochs.within(epoch, () => this.#deliver(message), message.pk)
    } catch {
      // The function has logged the error. The sweep queues the delivery again.
    }
  }
}

function count(running: ReadonlySet<Running> = new Set(), before: number): number {
  let found = 0
  for (const { epoch } of running) if (epoch < before) found += 1
  return found
}
