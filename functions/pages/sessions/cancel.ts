import { pageUrl } from '#shared/domain/page-url.ts'
import { isBeingPaid } from '#shared/domain/session-states.ts'
import { page } from '#shared/http/page.ts'
import { cancelSessionAndPayment } from '#shared/sessions/cancel-session.ts'
import { paymentOf } from '#shared/sessions/session-payment.ts'
import { sessions } from '#shared/store/sessions.ts'

/** Cancels a session for its customer, who returns to the merchant by way of the session's page. */
export const handler = page('POST /pages/sessions/:merchant/:id/cancel', {
  async run({ params, work, locale }) {
    const session = await work.get(sessions, params.id)
    const see = `${pageUrl(work, 'sessions', session.id)}?locale=${locale ?? session.default_locale}`
    // The session's page shows the result or the payment in flight. A refusal would show an error instead.
    if (session.status === 'completed' || isBeingPaid(await paymentOf(work, session))) return { see }
    const { changes } = await cancelSessionAndPayment(work, session.id)
    return { changes, see }
  },
})
