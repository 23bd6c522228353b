import { endpoint } from '#shared/http/endpoint.ts'
import { subscription } from '#shared/resources/subscription.ts'
import { payerOf, withPayer } from '#shared/store/subscription-payers.ts'
import { subscriptions } from '#shared/store/subscriptions.ts'

/**
 * Shows one subscription, with the current state of its customer.
 * @refuses not_found
 */
export const handler = endpoint('GET /subscriptions/:id', {
  returns: subscription,
  async run({ params, work }) {
    const kept = await work.get(subscriptions, params.id)
    return { answer: withPayer(kept, await payerOf(work, kept.customer.uuid)) }
  },
})
