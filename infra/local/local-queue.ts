import type { Clock, Message, Queue } from '#shared/platform/ports.ts'
import { Epochs } from './epochs.ts'

const DELAY_SECONDS_MAX = 900

/** A message in the queue. `visible_at` is in epoch milliseconds. */
export interface Waiting {
  readonly message: Message
  readonly group: string
  readonly visible_at: number
  readonly epoch: number
}

/** Selects messages by epoch and group: `from` is inclusive, `before` is exclusive, and the group must be `free`. */
export interface Wanted {
  readonly from?: number
  readonly before?: number
  readonly free?: (group: string) => boolean
}

/** The visible messages of one epoch, by group. The group whose turn is next comes first. */
type Lane = Map<string, Waiting[]>

/** A queue in memory. Its messages are lost when the process ends. The sweep then queues them again from the table. */
export class LocalQueue implements Queue {
  readonly epochs: Epochs
  readonly #clock: Clock
  /** Messages that are not visible yet, or became visible and are not moved to `#ready` yet, earliest first. */
  readonly #delayed: Waiting[] = []
  /** The visible messages, by epoch. */
  readonly #ready = new Map<number, Lane>()
  /** Called after messages were sent. */
  onArrival: () => void = () => {}

  constructor(clock: Clock, epochs = new Epochs()) {
    this.#clock = clock
    this.epochs = epochs
  }

  async send(messages: readonly { message: Message; delay_seconds?: number; group?: string }[]): Promise<void> {
    for (const { delay_seconds = 0 } of messages)
      if (!Number.isInteger(delay_seconds) || delay_seconds < 0 || delay_seconds > DELAY_SECONDS_MAX)
        throw new Error(`a message cannot be delayed by ${delay_seconds} seconds`)
    const now = this.#clock.now()
    this.#makeReady(now)
    for (const { message, delay_seconds = 0, group = '' } of messages) {
      const epoch = this.epochs.ofMessage(message)
      const entry: Waiting = { message: { ...message }, group, visible_at: now + delay_seconds * 1000, epoch }
      if (delay_seconds === 0) this.#append(entry)
      else this.#delay(entry)
    }
    this.onArrival()
  }

  /** Takes up to `limit` messages of all epochs that are visible by `now` and whose group is `free`. */
  due(now: number, limit = Number.POSITIVE_INFINITY, free: (group: string) => boolean = () => true): Message[] {
    const taken: Message[] = []
    for (
      let some = this.take(now, limit, { free });
      some.length > 0;
      some = this.take(now, limit - taken.length, { free })
    )
      taken.push(...some.map(({ message }) => message))
    return taken
  }

  /**
   * Takes up to `limit` messages that are visible by `now`, all from the earliest wanted epoch that has any. It takes
   * one message of each group in turn, so a long backlog of one group does not delay another. It skips groups that are
   * not `free`.
   */
  take(now: number, limit: number, { from = 0, before = Number.POSITIVE_INFINITY, free }: Wanted = {}): Waiting[] {
    this.#makeReady(now)
    for (const [epoch, lane] of this.#lanes()) {
      if (epoch < from || epoch >= before) continue
      const taken = takeFrom(lane, limit, free)
      if (lane.size === 0) this.#ready.delete(epoch)
      if (taken.length > 0) return taken
    }
    return []
  }

  /**
   * Returns when the next message of the epochs before `before` is visible, in epoch milliseconds; now or in the past
   * if one can be taken already; undefined if there is none.
   */
  earliest(before = Number.POSITIVE_INFINITY): number | undefined {
    for (const [epoch, lane] of this.#lanes())
      if (epoch < before) for (const [first] of lane.values()) return first!.visible_at
    return this.#delayed.find(({ epoch }) => epoch < before)?.visible_at
  }

  /** Returns when the next message becomes visible after `now`, in epoch milliseconds; undefined if there is none. */
  nextAfter(now: number): number | undefined {
    return this.#delayed.find(({ visible_at }) => visible_at > now)?.visible_at
  }

  #lanes(): [number, Lane][] {
    return this.#ready.size < 2 ? [...this.#ready] : [...this.#ready].sort(([one], [other]) => one - other)
  }

  #delay(entry: Waiting): void {
    const behind = this.#delayed.findLastIndex((other) => other.visible_at <= entry.visible_at)
    this.#delayed.splice(behind + 1, 0, entry)
  }

  #makeReady(now: number): void {
    const behind = this.#delayed.findIndex(({ visible_at }) => visible_at > now)
    for (const entry of this.#delayed.splice(0, behind < 0 ? this.#delayed.length : behind))
      this.#append({ ...entry, epoch: this.epochs.whenDue(entry.epoch, entry.visible_at) })
  }

  #append(entry: Waiting): void {
    const lane = this.#ready.get(entry.epoch) ?? new Map<string, Waiting[]>()
    this.#ready.set(entry.epoch, lane)
    const group = lane.get(entry.group)
    if (group) group.push(entry)
    else lane.set(entry.group, [entry])
  }
}

function takeFrom(lane: Lane, limit: number, free: (group: string) => boolean = () => true): Waiting[] {
  const taken: Waiting[] = []
  for (const [group, waiting] of lane) {
    if (taken.length >= limit) break
    if (!free(group)) continue
    taken.push(waiting.shift()!)
    // The group moves to the end of the map, so this loop reaches it again after the other groups.
    lane.delete(group)
    if (waiting.length > 0) lane.set(group, waiting)
  }
  return taken
}
