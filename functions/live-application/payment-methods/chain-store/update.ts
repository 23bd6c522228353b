import { endpoint } from '#shared/http/endpoint.ts'
import { updates } from '#shared/onboarding/behaviours.ts'

/** Changes what is named in the record of what must be known of the merchant's own shops. */
export const handler = endpoint(
  'PATCH /live_application/payment_methods/chain_store',
  updates('payment_methods/chain_store'),
)
