import { endpoint } from '#shared/http/endpoint.ts'
import { updates } from '#shared/live-application/record-endpoints.ts'

/**
 * Changes the named fields of the onboarding record about the company.
 * @refuses invalid_currency, invalid_parameter, not_found
 */
export const handler = endpoint('PATCH /live_application/company_information', updates('company_information'))
