import { endpoint } from '#shared/http/endpoint.ts'
import { creates } from '#shared/onboarding/behaviours.ts'

/** Begins the record of the company. */
export const handler = endpoint('POST /live_application/company_information', creates('company_information'))
