/** The number of calls at once with which a receiver starts. */
const FIRST = 4

/** The most calls at once to one receiver. Four receivers together can use the whole pool. */
const MOST = 128

/** A call that takes less time is fast, in milliseconds. It includes the service's own work for the call. */
const FAST_MS = 500

/** A call that takes this long or longer is slow, in milliseconds. */
const SLOW_MS = 2000

/** What is known of a receiver. */
interface Pace {
  readonly limit: number
  /** When the limit was last lowered, in milliseconds of `elapsed`. */
  readonly lowered_at: number
}

const UNKNOWN: Pace = { limit: FIRST, lowered_at: Number.NEGATIVE_INFINITY }

/**
 * How many calls at once each receiver gets. It begins with 4. Each fast call that delivers its event adds one call, up to
 * 128. A slow call halves the calls, down to one. A call that fails fast changes nothing, so a receiver that is down does
 * not get more calls. `elapsed` is the real time in milliseconds, also while a virtual clock is turned.
 */
export class ReceiverLimits {
  readonly #elapsed: () => number
  readonly #paces = new Map<string, Pace>()

  constructor(elapsed: () => number) {
    this.#elapsed = elapsed
  }

  /** The most calls at once to a receiver. */
  of(receiver: string): number {
    return (this.#paces.get(receiver) ?? UNKNOWN).limit
  }

  /** Notes that a call begins. Call the result when the call has ended, with whether it has delivered its event. */
  begin(receiver: string): (has_delivered: boolean) => void {
    const began_at = this.#elapsed()
    return (has_delivered) => this.#end(receiver, began_at, has_delivered)
  }

  /** Forgets a receiver to which no call is in progress, unless it is slow. */
  forget(receiver: string): void {
    if (this.of(receiver) >= FIRST) this.#paces.delete(receiver)
  }

  #end(receiver: string, began_at: number, has_delivered: boolean): void {
    const { limit, lowered_at } = this.#paces.get(receiver) ?? UNKNOWN
    const now = this.#elapsed()
    const took = now - began_at
    if (took < FAST_MS && has_delivered) this.#paces.set(receiver, { limit: Math.min(limit + 1, MOST), lowered_at })
    // The calls of one moment are all slow for the same reason, so they lower the limit once.
    else if (took >= SLOW_MS && began_at >= lowered_at)
      this.#paces.set(receiver, { limit: Math.max(Math.floor(limit / 2), 1), lowered_at: now })
  }
}
