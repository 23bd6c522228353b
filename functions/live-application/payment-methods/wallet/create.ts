import { endpoint } from '#shared/http/endpoint.ts'
import { creates } from '#shared/live-application/record-endpoints.ts'

/**
 * Creates the onboarding record about wallet payments, or changes the named fields if the record exists.
 * @refuses invalid_parameter
 */
export const handler = endpoint('POST /live_application/payment_methods/wallet', creates('payment_methods/wallet'))
