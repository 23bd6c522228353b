import { endpoint } from '#shared/http/endpoint.ts'
import { creates } from '#shared/onboarding/behaviours.ts'

/** Begins the record of the representative. */
export const handler = endpoint('POST /live_application/personal_information', creates('personal_information'))
