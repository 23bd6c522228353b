import type { EventType } from './event.ts'
import { ATTEMPTS_MAX, RETRY_WAITS, retryOffset } from './retry-schedule.ts'
import { timestamp } from './timestamp.ts'

export const delivery_statuses = ['pending', 'delivered', 'failed'] as const

export type DeliveryStatus = (typeof delivery_statuses)[number]

/** Why an attempt got no answer, or was not made at all. */
export type AttemptError =
  | 'blocked_address'
  | 'name_not_resolved'
  | 'connection_failed'
  | 'tls_failed'
  | 'timeout'
  | 'invalid_response'
  | 'webhook_inactive'
  | 'webhook_deleted'

/** What came of an attempt. Every status from 200 to 299 is success, whatever the body. */
export interface AttemptOutcome {
  readonly status_code: number | null
  readonly latency_ms: number
  /** The first 1,024 bytes of the answer. */
  readonly response_body: string | null
  readonly error: AttemptError | null
}

/** One attempt of a delivery, numbered from 0. */
export interface DeliveryAttempt extends AttemptOutcome {
  readonly version: number
  readonly delivery: string
  readonly number: number
  readonly attempted_at: string
}

/** The hold of a worker on a delivery while it makes an attempt. Whoever holds another token, holds nothing. */
export interface Lease {
  readonly token: string
  readonly until: string
  /** The delivery was asked for anew meanwhile, so what comes of this attempt decides nothing. */
  readonly outdated: boolean
}

/** That one receiver is to be told of one event. */
export interface Delivery {
  readonly id: string
  readonly version: number
  readonly event: string
  readonly event_type: EventType
  /** The merchant's webhook; null for a webhook of the payment alone. */
  readonly webhook: string | null
  readonly payment: string | null
  /** Which of the payment's own webhooks it is; null for a webhook of the merchant. */
  readonly entry: number | null
  readonly url: string
  readonly status: DeliveryStatus
  readonly next_attempt_at: string | null
  readonly created_at: string
  /** All attempts ever made. */
  readonly attempts_made: number
  /** The attempts of the schedule that runs, and when its first one was made. */
  readonly tries: number
  readonly first_attempt_at: string | null
  /** When the last attempt of it failed; null when none did. */
  readonly failed_at: string | null
  readonly lease: Lease | null
}

/** How long a worker may hold a delivery: longer than any attempt, and beyond what is sent at once when it falls due. */
export const LEASE_MS = 60_000

/** When something has to be done about a delivery: its next attempt, or the end of a hold that nobody gave back. */
export function deliveryDue({ status, lease, next_attempt_at }: Delivery): string | undefined {
  if (status !== 'pending') return undefined
  return lease?.until ?? next_attempt_at ?? undefined
}

/** A worker takes hold of a delivery to make its next attempt. */
export function leased(delivery: Delivery, token: string, now: number): Delivery {
  return { ...delivery, lease: { token, until: timestamp(now + LEASE_MS), outdated: false } }
}

/** Whether an attempt with this outcome delivered the event. */
export const isSuccess = ({ status_code }: AttemptOutcome): boolean =>
  status_code !== null && status_code >= 200 && status_code <= 299

/** The worker lets go after an attempt that began at `attempted_at`: the event is delivered, or the next retry is set, or it was the last. */
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

/** A retry that is late by more than this was missed in an outage, and has not just waited for the attempt before it. */
const MISSED_MS = 60_000

const HOUR_MS = 3_600_000

/** When the next retry is due: at its fixed offset. Those that were missed are spread, not spent in one second. */
function retryAt({ first_attempt_at, tries }: Delivery, now: number): number {
  const due_at = Date.parse(first_attempt_at!) + retryOffset(tries)
  if (now - due_at <= MISSED_MS) return Math.max(due_at, now)
  return now + Math.min(RETRY_WAITS[tries - 1]! * 1000, HOUR_MS)
}

const isGone = ({ error }: AttemptOutcome): boolean => error === 'webhook_deleted' || error === 'webhook_inactive'

/** The delivery is made again, at once, whatever came of it before; its schedule of retries begins anew. */
export function redelivered(delivery: Delivery, now: number): Delivery {
  const { lease } = delivery
  const holds = lease && Date.parse(lease.until) > now
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
