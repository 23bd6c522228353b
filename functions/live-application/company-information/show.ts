import { endpoint } from '#shared/http/endpoint.ts'
import { shows } from '#shared/live-application/record-endpoints.ts'

/**
 * Shows the onboarding record about the company.
 * @refuses not_found
 */
export const handler = endpoint('GET /live_application/company_information', shows('company_information'))
