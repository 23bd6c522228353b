import type { AttemptError, Delivery } from '#shared/domain/delivery.ts'
import { retryOffset } from '#shared/domain/retry-schedule.ts'

/** An attempt as it was recorded. */
export interface Recorded {
  readonly number: number
  readonly status_code: number | null
  readonly error: AttemptError | null
  readonly attempted_at: string
}

/** How late an attempt may be taken up when nothing goes wrong. */
const LATE = 15_000

/** The first attempt and 25 retries. */
const ATTEMPTS = 26

const MISSED = 59_000
const SPREAD = 3_600_000

/**
 * What becomes of a delivery by the rules, told anew from what was committed: each step answers what is wrong with it.
 * Times are epoch milliseconds.
 */
export class Story {
  readonly event: string
  readonly receiver: string
  status: Delivery['status'] = 'pending'
  due: number
  /** The attempts of all schedules, and of the one that runs. */
  made = 0
  tries = 0
  redeliveries = 0
  failed_at: string | null = null
  redelivered_at = 0
  #first = 0
  #is_outdated = false
  /** Its next attempt was set when nothing went wrong any more, so it must come in time. */
  #is_prompt = false

  constructor({ event, webhook, entry, next_attempt_at }: Delivery) {
    this.event = event
    this.receiver = webhook ?? `entry ${entry}`
    this.due = Date.parse(next_attempt_at ?? '')
  }

  /** A worker takes hold of it, to make its next attempt. */
  leased(after: Delivery, now: number): string | undefined {
    if (this.status !== 'pending') return `is taken hold of although it is ${this.status}`
    if (!(this.due <= now)) return `is taken hold of before ${new Date(this.due).toISOString()}`
    if (this.#is_prompt && now > this.due + LATE) return `is taken hold of only at ${new Date(now).toISOString()}`
    this.#is_prompt = false
    this.#is_outdated = false
    return this.#differs(after)
  }

  recorded(after: Delivery, attempt: Recorded, now: number, is_prompt: boolean): string | undefined {
    this.made++
    this.#is_prompt = is_prompt
    const earliest = this.#is_outdated ? 0 : this.#decided(after, attempt)
    this.#is_outdated = false
    if (this.status === 'pending') {
      this.due = Date.parse(after.next_attempt_at ?? '')
      // What was missed for more than a minute is spread over the next hours.
      const latest = now + (now > earliest + MISSED ? SPREAD : 0)
      if (this.due !== earliest && !(this.due > earliest && this.due <= latest))
        return 'has its next attempt at a wrong time'
    }
    return this.#differs(after)
  }

  /** It is asked for anew. An attempt that is being made then decides nothing. */
  redelivered(after: Delivery, now: number): string | undefined {
    this.#is_outdated = after.lease !== null
    this.redeliveries++
    this.redelivered_at = now
    this.status = 'pending'
    this.tries = 0
    this.failed_at = null
    this.due = Date.parse(after.next_attempt_at ?? '')
    return this.due <= now ? this.#differs(after) : 'is to be made again, and not at once'
  }

  /** Answers when the next retry may be made at the earliest. */
  #decided(after: Delivery, { status_code, error, attempted_at }: Recorded): number {
    if (this.tries++ === 0) this.#first = Date.parse(attempted_at)
    const is_delivered = status_code !== null && status_code >= 200 && status_code < 300
    const is_gone = error === 'webhook_deleted' || error === 'webhook_inactive'
    this.failed_at = is_delivered ? null : after.failed_at
    if (is_delivered) this.status = 'delivered'
    else if (is_gone || this.tries === ATTEMPTS) this.status = 'failed'
    return this.#first + retryOffset(this.tries)
  }

  #differs({ status, attempts_made, next_attempt_at, failed_at }: Delivery): string | undefined {
    const right = [this.status, this.made, this.failed_at]
    if (JSON.stringify([status, attempts_made, failed_at]) !== JSON.stringify(right)) return `should be ${right}`
    if ((next_attempt_at === null) !== (status !== 'pending')) return 'has a next attempt, or none, against its status'
    return undefined
  }
}
