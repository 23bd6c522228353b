import type { Outcome, Payment } from '#shared/domain/payment.ts'
import type { Subscription } from '#shared/domain/subscription.ts'
import { captured, failed, notArrived, type SubscriptionDecision } from '#shared/domain/subscription-states.ts'
import { type Change, changed } from '#shared/store/change.ts'
import { payerOf, withPayer } from '#shared/store/subscription-payers.ts'
import { subscriptions } from '#shared/store/subscriptions.ts'
import type { UnitOfWork } from '#shared/store/unit-of-work.ts'

/**
 * Returns the change that the outcome of a payment makes to its subscription. A payment changes its subscription only
 * when the payment is no longer pending, and only if the subscription waits for it.
 */
export async function recordOccurrence(
  work: UnitOfWork,
  before: Payment,
  next: Payment,
  outcome: Outcome,
): Promise<Change[]> {
  if (!next.occurrence || before.status !== 'pending' || next.status === 'pending') return []
  const subscription = await work.find(subscriptions, next.occurrence.subscription)
  if (subscription?.in_flight !== next.id) return []
  const seen = withPayer(subscription, await payerOf(work, subscription.customer.uuid))
  const { next: after, events } = decisionOf(seen, next, outcome, work.now())
  return [changed(subscriptions, after, events, { must_record: true })]
}

function decisionOf(
  subscription: Subscription,
  { id, status, failure }: Payment,
  outcome: Outcome,
  now: number,
): SubscriptionDecision {
  if (status === 'captured') return captured(subscription, id, now)
  if (outcome.result === 'never_arrived') return notArrived(subscription)
  return failed(subscription, { code: failure ?? 'cancelled', payment: id }, now)
}
