import type { Clock, Message } from '#shared/platform/ports.ts'
import type { LocalQueue, Waiting } from './local-queue.ts'
import { ReceiverLimits } from './receiver-limits.ts'

/** The maximum number of concurrent calls to receivers. A call mostly waits for its receiver and uses little CPU. */
const AT_ONCE = 512

/** A delivery in progress. */
interface Running extends Waiting {
  readonly ended: Promise<void>
}

/**
 * Processes the queue of deliveries, where each message can take long: up to 512 at a time. A receiver that
 * accepts events fast gets more calls at once, and one that answers slowly gets fewer. While the pool is more than half full, no receiver
 * gets more than an equal share of it, so receivers that hang leave room for the others.
 *
 * Deliveries that a clock call waits for come first. The limits for these deliveries do not count other deliveries, so
 * other deliveries do not use up these limits.
 */
export class DeliveryPool {
  readonly #queue: LocalQueue
  readonly #clock: Clock
  readonly #deliver: (message: Message) => Promise<boolean>
  readonly #limits: ReceiverLimits
  readonly #running = new Set<Running>()
  readonly #by_group = new Map<string, Set<Running>>()
  /**
   * The latest run of each delivery in progress, by the `pk` of the delivery. The next run of the delivery waits for
   * it.
   */
  readonly #last = new Map<string, Promise<void>>()

  /**
   * `deliver` returns whether its delivery has succeeded. `elapsed` is the real time in milliseconds, also while the
   * clock is turned.
   */
  constructor(
    queue: LocalQueue,
    clock: Clock,
    deliver: (message: Message) => Promise<boolean>,
    elapsed = () => performance.now(),
  ) {
    this.#queue = queue
    this.#clock = clock
    this.#deliver = deliver
    this.#limits = new ReceiverLimits(elapsed)
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
      const free = (group: string) => count(this.#by_group.get(group), served) < this.#limits.of(group)
      const [waited] = this.#queue.take(now, 1, { before: served, free })
      if (waited) return waited
    }
    if (this.#running.size >= AT_ONCE) return undefined
    const share = this.#share()
    const free = (group: string) => (this.#by_group.get(group)?.size ?? 0) < Math.min(this.#limits.of(group), share)
    return this.#queue.take(now, 1, { free })[0]
  }

  /** The most calls at once of one receiver that leave room for the others. */
  #share(): number {
    if (this.#running.size < AT_ONCE / 2) return AT_ONCE
    return Math.max(Math.floor(AT_ONCE / (this.#by_group.size + 1)), 1)
  }

  #begin(waiting: Waiting): void {
    const { group, message } = waiting
    const end = this.#limits.begin(group)
    const ended = this.#run(waiting, this.#last.get(message.pk)).then((has_delivered) => {
      end(has_delivered)
      this.#running.delete(running)
      others.delete(running)
      if (others.size === 0) {
        this.#by_group.delete(group)
        this.#limits.forget(group)
      }
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
  async #run({ message, epoch }: Waiting, before: Promise<void> | undefined): Promise<boolean> {
    if (before) await before
    try {
      return await this.#queue.epochs.within(epoch, () => this.#deliver(message), message.pk)
    } catch {
      // The function has logged the error. The sweep queues the delivery again.
      return false
    }
  }
}

function count(running: ReadonlySet<Running> = new Set(), before: number): number {
  let found = 0
  for (const { epoch } of running) if (epoch < before) found += 1
  return found
}
