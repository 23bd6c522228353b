import { endpoint } from '#shared/http/endpoint.ts'
import { updates } from '#shared/onboarding/behaviours.ts'

/** Changes what is named in the record of what must be known to take payments in convenience stores. */
export const handler = endpoint(
  'PATCH /live_application/payment_methods/convenience_store',
  updates('payment_methods/convenience_store'),
)
