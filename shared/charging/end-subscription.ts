import { abandon } from '#shared/domain/payment-events.ts'
import type { Subscription } from '#shared/domain/subscription.ts'
import { deleted } from '#shared/domain/subscription-states.ts'
import { type Change, changed } from '#shared/store/change.ts'
import { payments } from '#shared/store/payments.ts'
import { subscriptions } from '#shared/store/subscriptions.ts'
import type { Work } from '#shared/store/work.ts'

/**
 * Ends a subscription. A capture that is out wins nothing any more: its payment is cancelled now, and given back should it
 * turn out to be charged.
 */
export async function endSubscription(
  work: Work,
  subscription: Subscription,
): Promise<{ next: Subscription; changes: Change[] }> {
  const { next, events } = deleted(subscription, work.now())
  if (next === subscription) return { next, changes: [] }
  const payment = subscription.in_flight ? await work.get(payments, subscription.in_flight) : undefined
  const given_up = payment?.status === 'pending' ? abandon(payment) : undefined
  return {
    next,
    changes: [
      changed(subscriptions, next, events, { owed: true }),
      ...(given_up ? [changed(payments, given_up.next, given_up.events, { owed: true })] : []),
    ],
  }
}
