import { endpoint } from '#shared/http/endpoint.ts'
import { creates } from '#shared/onboarding/behaviours.ts'

/** Begins the record of what must be known to take cards. */
export const handler = endpoint(
  'POST /live_application/payment_methods/credit_card',
  creates('payment_methods/credit_card'),
)
