import { endpoint } from '#shared/http/endpoint.ts'
import { updates } from '#shared/onboarding/behaviours.ts'

/** Changes what is named in the record of what must be known to take cards. */
export const handler = endpoint(
  'PATCH /live_application/payment_methods/credit_card',
  updates('payment_methods/credit_card'),
)
