import { endpoint } from '#shared/http/endpoint.ts'
import { shows } from '#shared/live-application/record-endpoints.ts'

/**
 * Shows the onboarding record about the representative.
 * @refuses not_found
 */
export const handler = endpoint('GET /live_application/personal_information', shows('personal_information'))
