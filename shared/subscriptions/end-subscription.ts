import { abandon } from '#shared/domain/payment-decisions.ts'
import type { Subscription } from '#shared/domain/subscription.ts'
import { deleted } from '#shared/domain/subscription-states.ts'
import { type Change, changed } from '#shared/store/change.ts'
import { payments } from '#shared/store/payments.ts'
import { subscriptions } from '#shared/store/subscriptions.ts'
import type { UnitOfWork } from '#shared/store/unit-of-work.ts'

/**
 * Returns a subscription after it has ended, and the changes that end it. The payment of a capture in flight is
 * cancelled at once, and its charge is voided if it succeeds later. A subscription that is already deleted stays
 * unchanged.
 */
export async function endSubscription(
  work: UnitOfWork,
  subscription: Subscription,
): Promise<{ next: Subscription; changes: Change[] }> {
  const { next, events } = deleted(subscription, work.now())
  if (next === subscription) return { next, changes: [] }
  const payment = subscription.in_flight ? await work.get(payments, subscription.in_flight) : undefined
  const given_up = payment?.status === 'pending' ? abandon(payment) : undefined
  return {
    next,
    changes: [
      changed(subscriptions, next, events, { must_record: true }),
      ...(given_up ? [changed(payments, given_up.next, given_up.events, { must_record: true })] : []),
    ],
  }
}
