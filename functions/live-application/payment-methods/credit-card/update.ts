import { endpoint } from '#shared/http/endpoint.ts'
import { updates } from '#shared/live-application/record-endpoints.ts'

/**
 * Changes the named fields of the onboarding record about card payments.
 * @refuses invalid_parameter, not_found
 */
export const handler = endpoint(
  'PATCH /live_application/payment_methods/credit_card',
  updates('payment_methods/credit_card'),
)
