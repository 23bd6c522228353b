import { makeSubscription } from '#shared/charging/make-subscription.ts'
import { loadSource } from '#shared/charging/source.ts'
import { endpoint } from '#shared/http/endpoint.ts'
import { CreateSubscription, subscription } from '#shared/resources/subscription.ts'

/** Makes a subscription and captures its first interval. */
export const handler = endpoint('POST /subscriptions', {
  request: CreateSubscription,
  returns: subscription,
  load: ({ request: { customer }, work }) => loadSource(work, { customer }),
  run: ({ request, work }) => makeSubscription(work, request),
})
