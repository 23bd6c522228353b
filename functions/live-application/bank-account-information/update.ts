import { endpoint } from '#shared/http/endpoint.ts'
import { updates } from '#shared/live-application/record-endpoints.ts'

/**
 * Changes the named fields of the onboarding record about the bank account.
 * @refuses invalid_parameter, not_found
 */
export const handler = endpoint('PATCH /live_application/bank_account_information', updates('bank_account_information'))
