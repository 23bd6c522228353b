import { endpoint } from '#shared/http/endpoint.ts'
import { updates } from '#shared/live-application/record-endpoints.ts'

/**
 * Changes the named fields of the onboarding record about convenience store payments.
 * @refuses invalid_parameter, not_found
 */
export const handler = endpoint(
  'PATCH /live_application/payment_methods/convenience_store',
  updates('payment_methods/convenience_store'),
)
