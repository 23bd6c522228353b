import { pageUrl } from '#shared/domain/page-url.ts'
import { endpoint } from '#shared/http/endpoint.ts'
import { session } from '#shared/resources/session.ts'
import { paymentOf } from '#shared/sessions/session-payment.ts'
import { sessions } from '#shared/store/sessions.ts'

/**
 * Shows a session and the payment of its latest try.
 * @refuses not_found
 */
export const handler = endpoint('GET /sessions/:id', {
  returns: ({ record, payment, url, now }) => session(record, payment, url, now),
  async run({ params, work, now }) {
    const record = await work.get(sessions, params.id)
    const payment = await paymentOf(work, record)
    return { answer: { record, payment, url: pageUrl(work, 'sessions', record.id), now } }
  },
})
