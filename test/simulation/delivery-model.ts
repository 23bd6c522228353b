import type { AttemptError, Delivery } from '#shared/domain/delivery.ts'
import { retryOffset } from '#shared/domain/retry-schedule.ts'
import type { DeliveryInvariants } from './delivery-invariants.ts'
import type { Process } from './world.ts'

/** An attempt as it was recorded. */
export interface RecordedAttempt {
  readonly number: number
  readonly status_code: number | null
  readonly error: AttemptError | null
  readonly attempted_at: string
}

/** The longest delay between the due time and the lease of an attempt without faults, in milliseconds. */
const LATE_MS = 15_000

/** The first attempt and 25 retries. */
const ATTEMPTS = 26

/** A retry that is overdue by more than `MISSED_MS` follows within `SPREAD_MS`, not at once. */
const MISSED_MS = 59_000
const SPREAD_MS = 3_600_000

/**
 * The expected state of a delivery, derived from its committed attempts and redeliveries. Each transition compares it
 * with the committed record. Times are epoch milliseconds.
 */
export class DeliveryModel {
  readonly id: string
  readonly event: string
  readonly receiver: string
  status: Delivery['status'] = 'pending'
  due: number
  /** The number of all attempts, and of those in the current retry schedule. */
  made = 0
  tries = 0
  redeliveries = 0
  failed_at: string | null = null
  redelivered_at = 0
  /** The process that took the lease last, until it records its attempt. */
  holder: Process | undefined
  readonly #invariants: DeliveryInvariants
  #leased_until = 0
  #first = 0
  #is_outdated = false
  /** Whether the next attempt was scheduled after the last fault. Such an attempt must not be late. */
  #is_prompt = false

  constructor({ id, event, webhook, entry, next_attempt_at }: Delivery, invariants: DeliveryInvariants) {
    this.id = id
    this.event = event
    this.receiver = webhook ?? `entry ${entry}`
    this.due = Date.parse(next_attempt_at ?? '')
    this.#invariants = invariants
  }

  /** A worker takes the lease for the next attempt. */
  leased(after: Delivery, process: Process, now: number): void {
    const { id, status, due } = this
    const lease = (how: string) => `${process.name} takes the lease of ${id}, ${how}`
    const held_until = this.holder ? this.#leased_until : 0
    this.#invariants.check('lease_is_exclusive', held_until <= now, () => lease(`held until ${timeOf(held_until)}`))
    this.#invariants.check('attempt_not_early', status === 'pending' && due <= now, () =>
      lease(`which is ${status} and due at ${timeOf(due)}`),
    )
    const is_late = this.#is_prompt && now > due + LATE_MS
    this.#invariants.check('attempt_in_time', !is_late, () => lease(`which was due at ${timeOf(due)}`))
    this.#is_prompt = false
    this.#is_outdated = false
    this.holder = process
    this.#leased_until = Date.parse(after.lease?.until ?? '')
    this.#compare(after)
  }

  /** A worker records an attempt. `is_prompt`: no fault can delay the next attempt. */
  recorded(after: Delivery, attempt: RecordedAttempt, process: Process, now: number, is_prompt: boolean): void {
    this.#invariants.check(
      'recorded_by_lease_holder',
      process === this.holder,
      () => `${process.name} records attempt ${attempt.number} of ${this.id}, held by ${this.holder?.name}`,
    )
    this.holder = undefined
    this.made++
    this.#is_prompt = is_prompt
    const earliest = this.#is_outdated ? 0 : this.#decide(after, attempt)
    this.#is_outdated = false
    this.#compare(after)
    if (this.status === 'pending') {
      this.due = Date.parse(after.next_attempt_at ?? '')
      const latest = now + (now > earliest + MISSED_MS ? SPREAD_MS : 0)
      const is_right = this.due === earliest || (this.due > earliest && this.due <= latest)
      this.#invariants.check('retry_schedule', is_right, () => `${this.id} is due at ${after.next_attempt_at}`)
    }
  }

  /** A redelivery is requested. The outcome of an attempt that is in flight then decides nothing. */
  redelivered(after: Delivery, now: number): void {
    const { id, holder } = this
    const is_running = holder !== undefined && this.#leased_until > now
    this.#invariants.check('lease_is_exclusive', !is_running || after.lease !== null, () => `${id} loses its lease`)
    this.#is_outdated = after.lease !== null
    this.redeliveries++
    this.redelivered_at = now
    this.status = 'pending'
    this.tries = 0
    this.failed_at = null
    this.due = Date.parse(after.next_attempt_at ?? '')
    this.#invariants.check('retry_schedule', this.due <= now, () => `${id} is not delivered again at once`)
    this.#compare(after)
  }

  /** Applies the outcome of an attempt. Returns the earliest time of the next retry. */
  #decide(after: Delivery, { status_code, error, attempted_at }: RecordedAttempt): number {
    if (this.tries++ === 0) this.#first = Date.parse(attempted_at)
    const is_delivered = status_code !== null && status_code >= 200 && status_code < 300
    const is_gone = error === 'webhook_deleted' || error === 'webhook_inactive'
    this.failed_at = is_delivered ? null : after.failed_at
    if (is_delivered) this.status = 'delivered'
    else if (is_gone || this.tries === ATTEMPTS) this.status = 'failed'
    return this.#first + retryOffset(this.tries)
  }

  #compare({ status, attempts_made, next_attempt_at, failed_at }: Delivery): void {
    const is_pending = this.status === 'pending'
    const expected = JSON.stringify([this.status, this.made, this.failed_at, is_pending])
    const actual = JSON.stringify([status, attempts_made, failed_at, next_attempt_at !== null])
    this.#invariants.check('delivery_state', actual === expected, () => `${this.id} is ${actual}, not ${expected}`)
  }
}

const timeOf = (at: number): string => (Number.isNaN(at) ? 'no time' : new Date(at).toISOString())
