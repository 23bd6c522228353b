import { endpoint } from '#shared/http/endpoint.ts'
import { submitApplication } from '#shared/live-application/submit-application.ts'
import { live_application, SubmitApplication } from '#shared/resources/application.ts'

/**
 * Submits the merchant's application for live payments. Refuses an incomplete application with `missing_parameter`.
 * @refuses invalid_parameter, missing_parameter
 */
export const handler = endpoint('POST /live_application/submit', {
  request: SubmitApplication,
  returns: live_application,
  run: ({ request, work }) => submitApplication(work, request.simulate_status),
})
