import { endpoint } from '#shared/http/endpoint.ts'
import { subscription } from '#shared/resources/subscription.ts'
import { payerOf, withPayer } from '#shared/store/subscription-payers.ts'
import { subscriptions } from '#shared/store/subscriptions.ts'
import { endSubscription } from '#shared/subscriptions/end-subscription.ts'

/**
 * Ends a subscription, so that no more intervals are captured. A subscription that is already deleted is returned
 * unchanged.
 * @refuses not_found
 */
export const handler = endpoint('DELETE /subscriptions/:id', {
  returns: subscription,
  async run({ params, work }) {
    const kept = await work.get(subscriptions, params.id)
    const { next, changes } = await endSubscription(work, withPayer(kept, await payerOf(work, kept.customer.uuid)))
    return { changes, answer: next }
  },
})
