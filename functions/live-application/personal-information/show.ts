import { endpoint } from '#shared/http/endpoint.ts'
import { shows } from '#shared/onboarding/behaviours.ts'

/** Shows the record of the representative. */
export const handler = endpoint('GET /live_application/personal_information', shows('personal_information'))
