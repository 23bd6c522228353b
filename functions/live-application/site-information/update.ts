import { endpoint } from '#shared/http/endpoint.ts'
import { updates } from '#shared/onboarding/behaviours.ts'

/** Changes what is named in the record of the shop's site. */
export const handler = endpoint('PATCH /live_application/site_information', updates('site_information'))
