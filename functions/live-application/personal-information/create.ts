import { endpoint } from '#shared/http/endpoint.ts'
import { creates } from '#shared/live-application/record-endpoints.ts'

/**
 * Creates the onboarding record about the representative, or changes the named fields if the record exists.
 * @refuses invalid_parameter
 */
export const handler = endpoint('POST /live_application/personal_information', creates('personal_information'))
