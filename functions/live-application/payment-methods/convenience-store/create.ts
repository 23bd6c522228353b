import { endpoint } from '#shared/http/endpoint.ts'
import { creates } from '#shared/onboarding/behaviours.ts'

/** Begins the record of what must be known to take payments in convenience stores. */
export const handler = endpoint(
  'POST /live_application/payment_methods/convenience_store',
  creates('payment_methods/convenience_store'),
)
