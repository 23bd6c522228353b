import { isSandbox } from '#shared/acquirer/acquirers.ts'
import { isExpired } from '#shared/domain/session.ts'
import { isExhausted } from '#shared/domain/session-states.ts'
import { page } from '#shared/http/page.ts'
import { formsOf } from '#shared/pages/session/payment-form.ts'
import { shownSession } from '#shared/pages/session/shown-session.ts'
import { STORED_CARD } from '#shared/pages/session/stored-card.ts'
import { readPaymentForm } from '#shared/resources/payment-form.ts'
import { nextPage } from '#shared/sessions/next-url.ts'
import { paySession } from '#shared/sessions/pay-session.ts'
import { storedCardOf } from '#shared/sessions/session-payment.ts'
import { sessions } from '#shared/store/sessions.ts'

/**
 * Pays a session with the form of its page, or stores the customer's card. The page shows an error beside each invalid
 * field, and a decline above the form. After the last try, the customer is sent to the page that says so.
 */
export const handler = page('POST /pages/sessions/:merchant/:id', {
  async run({ params, form, work, now, operation, locale: asked }) {
    const session = await work.get(sessions, params.id)
    const locale = asked ?? session.default_locale
    const stored_card = await storedCardOf(work, session)
    const shown = { session, payment: undefined, stored_card, now, locale, sandbox: isSandbox(work) }
    const is_over = session.status === 'cancelled' || isExpired(session, now) || isExhausted(session)
    if (is_over && operation.progress.state === 'fresh') return { see: nextPage(work, shown, locale) }
    const { payment_details, ...filled } = readPaymentForm(form, formsOf(session), now)
    const may_charge = stored_card !== undefined || operation.progress.state !== 'fresh'
    const customer = (may_charge && form.type === STORED_CARD && session.customer_id) || undefined
    if (!payment_details && !customer) return { page: shownSession({ ...shown, ...filled }) }
    const request = { payment_details, customer, locale, now }
    const { changes, answer, progress } = await paySession(work, operation, session.id, request)
    const leaves = !answer.declined || isExhausted(answer.session)
    if (leaves) return { changes, see: nextPage(work, answer, locale), progress }
    return { changes, page: shownSession({ ...shown, ...filled, ...answer, faults: undefined }), progress }
  },
})
