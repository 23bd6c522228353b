import { isSandbox } from '#shared/acquirer/acquirers.ts'
import { page } from '#shared/http/page.ts'
import { shownSession } from '#shared/pages/session/shown-session.ts'
import { instructionsPage } from '#shared/sessions/next-url.ts'
import { paymentOf, savedCardOf, storedCardOf } from '#shared/sessions/session-payment.ts'
import { sessions } from '#shared/store/sessions.ts'

/** Shows the page where the customer of a session chooses how to pay, or the result once the session has ended. */
export const handler = page('GET /pages/sessions/:merchant/:id', {
  async run({ params, work, now, locale }) {
    const session = await work.get(sessions, params.id)
    const [payment, stored_card, saved_card] = await Promise.all([
      paymentOf(work, session),
      storedCardOf(work, session),
      savedCardOf(work, session),
    ])
    const instructions_url = payment && instructionsPage(work, payment)
    const shown = { session, payment, stored_card, saved_card, instructions_url, now, sandbox: isSandbox(work) }
    return { page: shownSession({ ...shown, locale: locale ?? session.default_locale }) }
  },
})
