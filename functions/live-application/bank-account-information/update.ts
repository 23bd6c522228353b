import { endpoint } from '#shared/http/endpoint.ts'
import { updates } from '#shared/onboarding/behaviours.ts'

/** Changes what is named in the record of the bank account. */
export const handler = endpoint('PATCH /live_application/bank_account_information', updates('bank_account_information'))
