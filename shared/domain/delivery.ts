import type { EventType } from './event.ts'
import { ATTEMPTS_MAX, RETRY_WAITS, retryOffset } from './retry-schedule.ts'
import { timestamp } from './timestamp.ts'

export const delivery_statuses = ['pending', 'delivered', 'failed'] as const

export type DeliveryStatus = (typeof delivery_statuses)[number]

/** Why an attempt got no response or was not made. */
export const attempt_errors = [
  'blocked_address',
  'name_not_resolved',
  'connection_failed',
  'tls_failed',
  'timeout',
  'invalid_response',
  'webhook_inactive',
  'webhook_deleted',
] as const

export type AttemptError = (typeof attempt_errors)[number]

/** The outcome of an attempt. Every status from 200 to 299 is a success, whatever the body. */
export interface AttemptOutcome {
  readonly status_code: number | null
  readonly latency_ms: number
  /** The first 1,024 bytes of the response. */
  readonly response_body: string | null
  readonly error: AttemptError | null
}

/** One attempt of a delivery. Attempts are numbered from 0. */
export interface DeliveryAttempt extends AttemptOutcome {
  readonly version: number
  readonly delivery: string
  readonly number: number
  readonly attempted_at: string
  /**
   * Present if an earlier attempt began and its result was not recorded. The receiver may have got the event then.
   */
  readonly after_unrecorded?: true
}

/**
 * The temporary right of a worker to make the next attempt of a delivery. A worker records the outcome only if its
 * `token`, the fencing token, is still that of the delivery.
 */
export interface Lease {
  readonly token: string
  readonly until: string
  /**
   * Whether a redelivery was requested during the attempt. The outcome of the attempt then does not change the status.
   */
  readonly outdated: boolean
}

/** An event on its way to one webhook. */
export interface Delivery {
  readonly id: string
  readonly version: number
  readonly event: string
  readonly event_type: EventType
  /** The merchant's webhook; null for a webhook of the payment. */
  readonly webhook: string | null
  readonly payment: string | null
  /** The index of the webhook among the payment's own webhooks; null for a webhook of the merchant. */
  readonly entry: number | null
  readonly url: string
  readonly status: DeliveryStatus
  readonly next_attempt_at: string | null
  readonly created_at: string
  /** The number of all attempts, including those before a redelivery. */
  readonly attempts_made: number
  /** The number of attempts in the current retry schedule. `first_attempt_at` is the time of the first one. */
  readonly tries: number
  readonly first_attempt_at: string | null
  /** When an attempt last failed. Null before the first failure, after a success and after a redelivery request. */
  readonly failed_at: string | null
  readonly lease: Lease | null
}

/**
 * How long a lease lasts, in milliseconds. A lease lasts longer than any attempt. A record that falls due within 59
 * seconds is queued when it is written. A lease lasts longer than that, so taking a lease queues no message.
 */
export const LEASE_MS = 60_000

/** Returns when a delivery falls due: at its next attempt, or when its lease ends without a recorded attempt. */
export function deliveryDue({ status, lease, next_attempt_at }: Delivery): string | undefined {
  if (status !== 'pending') return undefined
  return lease?.until ?? next_attempt_at ?? undefined
}

/** Returns when the next attempt of a delivery is due, whether or not a worker holds the lease. */
export const attemptDue = ({ status, next_attempt_at }: Delivery): string | undefined =>
  status === 'pending' ? (next_attempt_at ?? undefined) : undefined

/** Gives a worker the lease for the next attempt of a delivery. */
export function leased(delivery: Delivery, token: string, now: number): Delivery {
  return { ...delivery, lease: { token, until: timestamp(now + LEASE_MS), outdated: false } }
}

/**
 * Ends the lease of a delivery at `now`. The delivery then falls due at once, as it does when a lease expires: another
 * worker takes a new lease. Call `leaseEnded` only if the holder of the lease has certainly ended.
 */
export function leaseEnded(delivery: Delivery, now: number): Delivery {
  return delivery.lease ? { ...delivery, lease: { ...delivery.lease, until: timestamp(now) } } : delivery
}

/** Whether an attempt with this outcome delivered the event. */
export const isSuccess = ({ status_code }: AttemptOutcome): boolean =>
  status_code !== null && status_code >= 200 && status_code <= 299

/**
 * Records an attempt that began at `attempted_at` and releases the lease. After a failure, the next retry is scheduled.
 * The delivery becomes `failed` if that was its last attempt, or if its webhook is deleted or inactive. An attempt with
 * an outdated lease is only counted, and the delivery is attempted again at once.
 */
export function attempted(delivery: Delivery, outcome: AttemptOutcome, attempted_at: string, now: number): Delivery {
  const counted = { ...delivery, attempts_made: delivery.attempts_made + 1, lease: null }
  if (delivery.lease?.outdated) return { ...counted, next_attempt_at: timestamp(now) }
  const first_attempt_at = delivery.tries === 0 ? attempted_at : delivery.first_attempt_at!
  const next = { ...counted, tries: delivery.tries + 1, first_attempt_at, next_attempt_at: null }
  if (isSuccess(outcome)) return { ...next, status: 'delivered', failed_at: null }
  const failed_at = timestamp(now)
  if (next.tries === ATTEMPTS_MAX || isGone(outcome)) return { ...next, status: 'failed', failed_at }
  return { ...next, failed_at, next_attempt_at: timestamp(retryAt(next, now)) }
}

/**
 * The delay beyond which a retry counts as missed in an outage, in milliseconds. A shorter delay only means that the
 * retry waited for the attempt before it.
 */
const MISSED_AFTER_MS = 60_000

const HOUR_MS = 3_600_000

/**
 * Returns when the next retry is due: at its fixed offset from the first attempt. A retry that an outage delayed past
 * that time is due after its own wait, at most an hour from now. The waits spread out the missed retries.
 */
function retryAt({ first_attempt_at, tries }: Delivery, now: number): number {
  const due_at = Date.parse(first_attempt_at!) + retryOffset(tries)
  if (now - due_at <= MISSED_AFTER_MS) return Math.max(due_at, now)
  return now + Math.min(RETRY_WAITS[tries - 1]! * 1000, HOUR_MS)
}

const isGone = ({ error }: AttemptOutcome): boolean => error === 'webhook_deleted' || error === 'webhook_inactive'

/**
 * Makes a delivery due at once, whatever its status, and restarts its retry schedule. If a worker holds the lease, the
 * lease becomes outdated, and the delivery is due when the attempt or the lease ends. Leases are in real time.
 */
export function redelivered(delivery: Delivery, now: number, real_now = now): Delivery {
  const { lease } = delivery
  const holds = lease && Date.parse(lease.until) > real_now
  return {
    ...delivery,
    status: 'pending',
    tries: 0,
    first_attempt_at: null,
    failed_at: null,
    next_attempt_at: timestamp(now),
    lease: holds ? { ...lease, outdated: true } : null,
  }
}
