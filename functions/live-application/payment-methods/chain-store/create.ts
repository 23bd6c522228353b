import { endpoint } from '#shared/http/endpoint.ts'
import { creates } from '#shared/onboarding/behaviours.ts'

/** Begins the record of what must be known of the merchant's own shops. */
export const handler = endpoint(
  'POST /live_application/payment_methods/chain_store',
  creates('payment_methods/chain_store'),
)
