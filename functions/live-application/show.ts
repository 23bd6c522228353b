import { endpoint } from '#shared/http/endpoint.ts'
import { applicationOf } from '#shared/live-application/submit-application.ts'
import { live_application } from '#shared/resources/application.ts'

/**
 * Shows the status of the merchant's application for live payments, and the fields that are still missing.
 * @refuses none
 */
export const handler = endpoint('GET /live_application', {
  returns: live_application,
  run: async ({ work }) => ({ answer: await applicationOf(work) }),
})
