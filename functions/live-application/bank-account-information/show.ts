import { endpoint } from '#shared/http/endpoint.ts'
import { shows } from '#shared/onboarding/behaviours.ts'

/** Shows the record of the bank account. */
export const handler = endpoint('GET /live_application/bank_account_information', shows('bank_account_information'))
