import { endpoint } from '#shared/http/endpoint.ts'
import { creates } from '#shared/onboarding/behaviours.ts'

/** Begins the record of the shop's site. */
export const handler = endpoint('POST /live_application/site_information', creates('site_information'))
