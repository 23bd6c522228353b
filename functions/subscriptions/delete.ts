import { endSubscription } from '#shared/charging/end-subscription.ts'
import { payerOf, withPayer } from '#shared/charging/subscription-source.ts'
import { endpoint } from '#shared/http/endpoint.ts'
import { subscription } from '#shared/resources/subscription.ts'
import { subscriptions } from '#shared/store/subscriptions.ts'

/** Ends a subscription: nothing is captured any more. Ended before, it answers itself again. */
export const handler = endpoint('DELETE /subscriptions/:id', {
  returns: subscription,
  async run({ params, work }) {
    const kept = await work.get(subscriptions, params.id)
    const { next, changes } = await endSubscription(work, withPayer(kept, await payerOf(work, kept.customer.uuid)))
    return { changes, answer: next }
  },
})
