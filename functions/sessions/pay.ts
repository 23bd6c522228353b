import { endpoint } from '#shared/http/endpoint.ts'
import { declineText } from '#shared/pages/session/decline-text.ts'
import { PaySession, paid_session } from '#shared/resources/session.ts'
import { nextUrl } from '#shared/sessions/next-url.ts'
import { loadSession, paySession } from '#shared/sessions/pay-session.ts'

/**
 * Pays a session with payment details or with the stored card of its customer, also from a browser. The response to a
 * decline is 200 with `error`, a sentence for the customer in the session's `default_locale`, and the session can be
 * tried again.
 * @refuses gateway_timeout, invalid_currency, invalid_parameter, invalid_payment_type, invalid_token,
 *   missing_parameter, not_found, service_unavailable, unprocessable_entity
 */
export const handler = endpoint('POST /sessions/:id/pay', {
  request: PaySession,
  returns: paid_session,
  load: ({ params, request, work }) => loadSession(work, params.id, request),
  async run({ params, request, work, operation }) {
    const { answer, ...result } = await paySession(work, operation, params.id, request)
    const { session, declined } = answer
    const error = declined && declineText(session.default_locale, declined.code)
    return { ...result, answer: { ...answer, redirect_url: nextUrl(work, answer), error } }
  },
})
