import type { Outcome, Payment } from '#shared/domain/payment.ts'
import type { Subscription } from '#shared/domain/subscription.ts'
import { captured, failed, notArrived, type SubscriptionDecision } from '#shared/domain/subscription-states.ts'
import { type Change, changed } from '#shared/store/change.ts'
import { subscriptions } from '#shared/store/subscriptions.ts'
import type { Work } from '#shared/store/work.ts'
import { payerOf, withPayer } from './subscription-source.ts'

/**
 * What becomes of a subscription when one of its payments is no longer open: nothing, unless it is the one that the
 * subscription waits for.
 */
export async function occurrenceChanges(
  work: Work,
  before: Payment,
  next: Payment,
  outcome: Outcome,
): Promise<Change[]> {
  if (!next.occurrence || before.status !== 'pending' || next.status === 'pending') return []
  const subscription = await work.find(subscriptions, next.occurrence.subscription)
  if (subscription?.in_flight !== next.id) return []
  const seen = withPayer(subscription, await payerOf(work, subscription.customer.uuid))
  const { next: after, events } = decisionOf(seen, next, outcome, work.now())
  return [changed(subscriptions, after, events, { owed: true })]
}

function decisionOf(
  subscription: Subscription,
  { id, status }: Payment,
  outcome: Outcome,
  now: number,
): SubscriptionDecision {
  if (status === 'captured') return captured(subscription, id, now)
  return outcome.result === 'never_arrived' ? notArrived(subscription) : failed(subscription, now)
}
