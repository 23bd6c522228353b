import { endpoint } from '#shared/http/endpoint.ts'
import { shows } from '#shared/onboarding/behaviours.ts'

/** Shows the record of the shop's site. */
export const handler = endpoint('GET /live_application/site_information', shows('site_information'))
