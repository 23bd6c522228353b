import { payerOf, withPayer } from '#shared/charging/subscription-source.ts'
import { endpoint } from '#shared/http/endpoint.ts'
import { subscription } from '#shared/resources/subscription.ts'
import { subscriptions } from '#shared/store/subscriptions.ts'

/** Shows one subscription, with its customer as it is now. */
export const handler = endpoint('GET /subscriptions/:id', {
  returns: subscription,
  async run({ params, work }) {
    const kept = await work.get(subscriptions, params.id)
    return { answer: withPayer(kept, await payerOf(work, kept.customer.uuid)) }
  },
})
