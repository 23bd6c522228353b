import { endpoint } from '#shared/http/endpoint.ts'
import { creates } from '#shared/onboarding/behaviours.ts'

/** Begins the record of the bank account. */
export const handler = endpoint('POST /live_application/bank_account_information', creates('bank_account_information'))
