import { isSandbox } from '#shared/charging/attempt.ts'
import { nextPage } from '#shared/charging/next-url.ts'
import { paySession } from '#shared/charging/pay-session.ts'
import { isExpired } from '#shared/domain/session.ts'
import { isExhausted } from '#shared/domain/session-states.ts'
import { page } from '#shared/http/page.ts'
import { formsOf } from '#shared/pages/payment-form.ts'
import { shownSession } from '#shared/pages/shown-session.ts'
import { readPaymentForm } from '#shared/resources/payment-form.ts'
import { sessions } from '#shared/store/sessions.ts'

/** The customer of a session pays, or leaves a card. What cannot be taken is told beside its field, a decline above the form. */
export const handler = page('POST /pages/sessions/:merchant/:id', {
  async run({ params, form, work, now, locale: asked }) {
    const session = await work.get(sessions, params.id)
    const locale = asked ?? session.default_locale
    const shown = { session, payment: undefined, now, locale, sandbox: isSandbox(work) }
    const is_over = session.status === 'cancelled' || isExpired(session, now) || isExhausted(session)
    if (is_over && !work.begun) return { see: nextPage(work, shown, locale) }
    const { payment_details, ...filled } = readPaymentForm(form, formsOf(session), now)
    if (!payment_details) return { page: shownSession({ ...shown, ...filled }) }
    const { changes, answer } = await paySession(work, session.id, { payment_details, locale })
    if (!answer.declined) return { changes, see: nextPage(work, answer, locale) }
    return { changes, page: shownSession({ ...shown, ...filled, ...answer, faults: undefined }) }
  },
})
