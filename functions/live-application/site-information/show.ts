import { endpoint } from '#shared/http/endpoint.ts'
import { shows } from '#shared/live-application/record-endpoints.ts'

/**
 * Shows the onboarding record about the shop's site.
 * @refuses not_found
 */
export const handler = endpoint('GET /live_application/site_information', shows('site_information'))
