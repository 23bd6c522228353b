import { endpoint } from '#shared/http/endpoint.ts'
import { loadSource } from '#shared/payments/payment-source.ts'
import { CreateSubscription, subscription } from '#shared/resources/subscription.ts'
import { createSubscription } from '#shared/subscriptions/create-subscription.ts'

/**
 * Creates a subscription and captures its first interval.
 * @refuses gateway_timeout, invalid_currency, invalid_parameter, missing_parameter, service_unavailable,
 *   unprocessable_entity
 */
export const handler = endpoint('POST /subscriptions', {
  request: CreateSubscription,
  returns: subscription,
  load: ({ request: { customer }, work }) => loadSource(work, { customer }),
  run: ({ request, work, operation }) => createSubscription(work, operation, request),
})
