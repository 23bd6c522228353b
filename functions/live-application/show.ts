import { endpoint } from '#shared/http/endpoint.ts'
import { applicationOf } from '#shared/onboarding/application.ts'
import { live_application } from '#shared/resources/application.ts'

/** Shows how far the merchant's application for live payments is, and what it still lacks. */
export const handler = endpoint('GET /live_application', {
  returns: live_application,
  run: async ({ work }) => ({ answer: await applicationOf(work) }),
})
