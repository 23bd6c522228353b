import { endpoint } from '#shared/http/endpoint.ts'
import { shown_session } from '#shared/resources/session.ts'
import { paymentOf } from '#shared/sessions/session-payment.ts'
import { sessionView } from '#shared/sessions/session-view.ts'
import { sessions } from '#shared/store/sessions.ts'

/**
 * Shows a session and the payment of its latest try.
 * @refuses not_found
 */
export const handler = endpoint('GET /sessions/:id', {
  returns: shown_session,
  async run({ params, work }) {
    const record = await work.get(sessions, params.id)
    return { answer: sessionView(work, record, await paymentOf(work, record)) }
  },
})
