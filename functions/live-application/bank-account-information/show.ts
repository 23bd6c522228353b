import { endpoint } from '#shared/http/endpoint.ts'
import { shows } from '#shared/live-application/record-endpoints.ts'

/**
 * Shows the onboarding record about the bank account.
 * @refuses not_found
 */
export const handler = endpoint('GET /live_application/bank_account_information', shows('bank_account_information'))
