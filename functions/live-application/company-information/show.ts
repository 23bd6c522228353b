import { endpoint } from '#shared/http/endpoint.ts'
import { shows } from '#shared/onboarding/behaviours.ts'

/** Shows the record of the company. */
export const handler = endpoint('GET /live_application/company_information', shows('company_information'))
