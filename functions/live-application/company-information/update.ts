import { endpoint } from '#shared/http/endpoint.ts'
import { updates } from '#shared/onboarding/behaviours.ts'

/** Changes what is named in the record of the company. */
export const handler = endpoint('PATCH /live_application/company_information', updates('company_information'))
