import { endpoint } from '#shared/http/endpoint.ts'
import { CreateSession } from '#shared/resources/create-session.ts'
import { shown_session } from '#shared/resources/session.ts'
import { createSession } from '#shared/sessions/create-session.ts'
import { sessionView } from '#shared/sessions/session-view.ts'
import { refuseUnsafeUrl } from '#shared/webhooks/address.ts'

/**
 * Creates a session. The customer pays or stores a card at `session_url`.
 * @refuses invalid_currency, invalid_parameter, invalid_payment_type, missing_parameter, service_unavailable,
 *   unprocessable_entity
 */
export const handler = endpoint('POST /sessions', {
  request: CreateSession,
  returns: shown_session,
  async run({ request, work }) {
    for (const [index, { url }] of request.payment_data.webhooks.entries())
      refuseUnsafeUrl(work, url, `payment_data[webhooks][${index}][url]`)
    const { changes, answer: record } = await createSession(work, request)
    return { changes, answer: sessionView(work, record) }
  },
})
