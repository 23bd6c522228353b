import { intervalStart } from './calendar.ts'
import type { CaptureFailure, Subscription, SubscriptionEvent, SubscriptionStatus } from './subscription.ts'
import { timestamp } from './timestamp.ts'

/** What can happen to a subscription. */
export type Trigger = 'capture_succeeds' | 'capture_fails' | 'capture_fails_too_often' | 'delete'

interface Transition {
  readonly to: SubscriptionStatus
  readonly events: readonly SubscriptionEvent[]
}

const deletes: Transition = { to: 'deleted', events: ['subscription.deleted'] }
const succeeds: Transition = { to: 'active', events: ['subscription.captured'] }
const suspends: Transition = { to: 'suspended', events: ['subscription.failed', 'subscription.suspended'] }
const retries: Transition = { to: 'retrying', events: ['subscription.failed'] }
const nothing: Transition = { to: 'deleted', events: [] }

/**
 * The state machine of a subscription: the status that each trigger leads to, and its events. No other transition is
 * possible.
 */
// biome-ignore format: a table
export const transitions: Readonly<Record<SubscriptionStatus, Readonly<Partial<Record<Trigger, Transition>>>>> = {
  pending:   { capture_succeeds: succeeds, capture_fails: suspends, delete: deletes },
  active:    { capture_succeeds: succeeds, capture_fails: retries,  delete: deletes },
  retrying:  { capture_succeeds: succeeds, capture_fails: retries,  capture_fails_too_often: suspends, delete: deletes },
  suspended: { delete: deletes },
  deleted:   { delete: nothing },
}

/** The result of a decision: the next state of the subscription, and its events in their order. */
export interface SubscriptionDecision {
  readonly next: Subscription
  readonly events: readonly SubscriptionEvent[]
}

/** The number of failures in a row that suspends a subscription after its first capture. */
const FAILURES_MAX = 4

const DAY_MS = 86_400_000

/** Records that a try to capture the due interval has begun, with this payment. */
export const begun = (subscription: Subscription, payment: string): Subscription => ({
  ...subscription,
  in_flight: payment,
  tries: subscription.tries + 1,
})

/** Records the capture of an interval. The next interval begins on the original schedule. */
export function captured(subscription: Subscription, payment: string, now: number): SubscriptionDecision {
  const interval = subscription.interval + 1
  const isMissed = startOf(subscription, interval) <= now
  return moved(subscription, 'capture_succeeds', {
    interval,
    tries: 0,
    retry_count: 0,
    retry_at: null,
    not_before: isMissed ? timestamp(now + DAY_MS) : null,
    in_flight: null,
    payments: [...subscription.payments, payment],
  })
}

/** Why a try failed, and its payment. */
export type FailedTry = Omit<CaptureFailure, 'failed_at'>

/** Records a failed try. The next try is due a day later, unless the failure suspends the subscription. */
export function failed(subscription: Subscription, failure: FailedTry, now: number): SubscriptionDecision {
  const retry_count = subscription.retry_count + 1
  const decision = moved(subscription, retry_count >= FAILURES_MAX ? 'capture_fails_too_often' : 'capture_fails', {
    retry_count,
    in_flight: null,
    not_before: null,
    last_failure: { ...failure, failed_at: timestamp(now) },
  })
  const isOver = decision.next.status === 'suspended'
  const times = isOver
    ? { retry_at: null, ended_at: timestamp(now) }
    : { retry_at: timestamp(now + DAY_MS), ended_at: null }
  return { ...decision, next: { ...decision.next, ...times } }
}

/** Records that a try never reached the acquirer. The try does not count as a failure, and another try is made. */
export const notArrived = (subscription: Subscription): SubscriptionDecision => ({
  next: { ...subscription, in_flight: null },
  events: [],
})

/**
 * Ends the subscription, for the merchant or because its customer is deleted. A subscription that is already deleted
 * stays unchanged.
 */
export function deleted(subscription: Subscription, now: number): SubscriptionDecision {
  if (subscription.status === 'deleted') return { next: subscription, events: [] }
  return moved(subscription, 'delete', {
    retry_at: null,
    not_before: null,
    in_flight: null,
    ended_at: timestamp(now),
  })
}

/**
 * Returns when the next interval begins on the original schedule; null before the first capture and once the
 * subscription has ended.
 */
export function nextCaptureAt(subscription: Subscription): string | null {
  const { status, interval } = subscription
  if (status === 'active') return timestamp(startOf(subscription, interval))
  if (status === 'retrying') return timestamp(startOf(subscription, interval + 1))
  return null
}

/** Returns when a capture is due; undefined while a capture is in flight and once the subscription has ended. */
export function captureDue(subscription: Subscription): string | undefined {
  const { status, in_flight, retry_at, not_before, created_at } = subscription
  if (in_flight) return undefined
  switch (status) {
    case 'pending':
      return created_at
    case 'retrying':
      return retry_at!
    case 'active': {
      const at = nextCaptureAt(subscription)!
      return not_before && not_before > at ? not_before : at
    }
    default:
      return undefined
  }
}

const startOf = ({ created_at, period }: Subscription, interval: number): number =>
  intervalStart(Date.parse(created_at), period, interval)

function moved(subscription: Subscription, trigger: Trigger, fields: Partial<Subscription>): SubscriptionDecision {
  const transition = transitions[subscription.status][trigger]
  if (!transition) throw new Error(`a ${subscription.status} subscription has no transition for ${trigger}`)
  return { next: { ...subscription, ...fields, status: transition.to }, events: transition.events }
}
