import { endpoint } from '#shared/http/endpoint.ts'
import { updates } from '#shared/onboarding/behaviours.ts'

/** Changes what is named in the record of the representative. */
export const handler = endpoint('PATCH /live_application/personal_information', updates('personal_information'))
