import type { Clock, Message } from '#shared/platform/ports.ts'
import type { LocalQueue, Waiting } from './local-queue.ts'

/** Calls to receivers at the same time, in all: they wait for others and take next to nothing here. */
const AT_ONCE = 512

/** Of these to one receiver, so that one that hangs leaves room for all others. */
const PER_RECEIVER = 4

/** A delivery that is under way. */
interface Running extends Waiting {
  readonly ended: Promise<void>
}

/**
 * Works on a queue whose messages may each take long: many at a time, few of one receiver. The deliveries that a clock call
 * waits for come first and have room of their own: both limits hold for them apart from all others.
 */
export class DeliveryPool {
  readonly #queue: LocalQueue
  readonly #clock: Clock
  readonly #deliver: (message: Message) => Promise<unknown>
  readonly #running = new Set<Running>()
  readonly #by_group = new Map<string, Set<Running>>()
  /** The last run of each delivery that is under way, by the `pk` of the delivery. */
  readonly #last = new Map<string, Promise<void>>()

  constructor(queue: LocalQueue, clock: Clock, deliver: (message: Message) => Promise<unknown>) {
    this.#queue = queue
    this.#clock = clock
    this.#deliver = deliver
  }

  /** Begins whatever can be begun, and goes on by itself as room gets free. */
  start(): void {
    for (let next = this.#next(); next; next = this.#next()) this.#begin(next)
  }

  /** Whether no delivery of the epochs before `before` is under way. */
  isIdle(before = Number.POSITIVE_INFINITY): boolean {
    return count(this.#running, before) === 0
  }

  /** Settles once no delivery of the epochs before `before` is under way. */
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
   * Makes one delivery, after `before`, which is the same delivery. The hold of a worker ends by the clock, which may be
   * turned while the receiver is called, so it cannot keep a second worker away here.
   */
  async #run({ message, epoch }: Waiting, before: Promise<void> | undefined): Promise<void> {
    if (before) await before
    try {
      await this.#queue.epochs.within(epoch, () => this.#deliver(message), message.pk)
    } catch {
      // The function has told its log; what was not done the sweep sends again.
    }
  }
}

function count(running: ReadonlySet<Running> = new Set(), before: number): number {
  let found = 0
  for (const { epoch } of running) if (epoch < before) found += 1
  return found
}
