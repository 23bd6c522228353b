import { endSession } from '#shared/charging/end-session.ts'
import { paymentOf } from '#shared/charging/session-payment.ts'
import { isBeingPaid } from '#shared/domain/session-states.ts'
import { page } from '#shared/http/page.ts'
import { pageUrl } from '#shared/store/page-url.ts'
import { sessions } from '#shared/store/sessions.ts'

/** The customer does not want to pay: the session is cancelled and they go back to the merchant. */
export const handler = page('POST /pages/sessions/:merchant/:id/cancel', {
  async run({ params, work, locale }) {
    const session = await work.get(sessions, params.id)
    const see = `${pageUrl(work, 'sessions', session.id)}?locale=${locale ?? session.default_locale}`
    // The page says how it went, or that it is being paid.
    if (session.status === 'completed' || isBeingPaid(await paymentOf(work, session))) return { see }
    const { changes } = await endSession(work, session.id)
    return { changes, see }
  },
})
