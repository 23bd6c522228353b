import type { Clock, Message, Queue } from '#shared/platform/ports.ts'

const DELAY_SECONDS_MAX = 900

interface Waiting {
  readonly message: Message
  readonly group: string
  readonly visible_at: number
}

/** A queue in memory. What it loses when the process ends the table still knows, and the sweep sends it again. */
export class LocalQueue implements Queue {
  readonly #clock: Clock
  /** Not visible yet, or not looked at since they are: earliest first. */
  readonly #delayed: Waiting[] = []
  /** Visible; the group whose turn it is stands first. */
  readonly #ready = new Map<string, Waiting[]>()
  /** Called when something was sent. */
  onArrival: () => void = () => {}

  constructor(clock: Clock) {
    this.#clock = clock
  }

  async send(messages: readonly { message: Message; delay_seconds?: number; group?: string }[]): Promise<void> {
    for (const { delay_seconds = 0 } of messages)
      if (!Number.isInteger(delay_seconds) || delay_seconds < 0 || delay_seconds > DELAY_SECONDS_MAX)
        throw new Error(`a message cannot be delayed by ${delay_seconds} seconds`)
    const now = this.#clock.now()
    this.#makeReady(now)
    for (const { message, delay_seconds = 0, group = '' } of messages) {
      const entry: Waiting = { message: { ...message }, group, visible_at: now + delay_seconds * 1000 }
      if (delay_seconds === 0) this.#append(entry)
      else this.#delay(entry)
    }
    this.onArrival()
  }

  /**
   * Takes up to `limit` messages that are visible by `now`: one of each group in turn, so that a long backlog of one
   * group does not hold up another. A group that is not `free` is passed over.
   */
  due(now: number, limit = Number.POSITIVE_INFINITY, free: (group: string) => boolean = () => true): Message[] {
    this.#makeReady(now)
    const taken: Message[] = []
    for (const [group, waiting] of this.#ready) {
      if (taken.length >= limit) break
      if (!free(group)) continue
      taken.push(waiting.shift()!.message)
      // Behind all the others, where this very loop comes by again.
      this.#ready.delete(group)
      if (waiting.length > 0) this.#ready.set(group, waiting)
    }
    return taken
  }

  /** When the next message is visible, in epoch milliseconds: in the past for one that can be taken now. */
  earliest(): number | undefined {
    for (const [first] of this.#ready.values()) return first!.visible_at
    return this.#delayed[0]?.visible_at
  }

  #delay(entry: Waiting): void {
    const behind = this.#delayed.findLastIndex((other) => other.visible_at <= entry.visible_at)
    this.#delayed.splice(behind + 1, 0, entry)
  }

  #makeReady(now: number): void {
    const behind = this.#delayed.findIndex(({ visible_at }) => visible_at > now)
    for (const entry of this.#delayed.splice(0, behind < 0 ? this.#delayed.length : behind)) this.#append(entry)
  }

  #append(entry: Waiting): void {
    const group = this.#ready.get(entry.group)
    if (group) group.push(entry)
    else this.#ready.set(entry.group, [entry])
  }
}
