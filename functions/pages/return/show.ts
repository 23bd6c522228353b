import { isSandbox } from '#shared/acquirer/acquirers.ts'
import { page } from '#shared/http/page.ts'
import { offSitePage } from '#shared/pages/off-site/off-site-page.ts'
import { returnPage } from '#shared/pages/off-site/return-page.ts'
import { backFrom, returnedPayment } from '#shared/payments/off-site.ts'
import { lookUpReturned } from '#shared/payments/return-from-provider.ts'

/**
 * Receives a customer who comes back from the provider. The page looks up the payment there once. If the payment is
 * decided, the customer returns to the session, or sees the result and returns to the merchant. Until then, the page
 * says that the payment is being checked, and looks again.
 */
export const handler = page('GET /pages/return/:merchant/:id', {
  async run({ params, query, work, now, locale: asked }) {
    const { payment: found, locale } = await returnedPayment(work, params.id, asked)
    const payment = await lookUpReturned(work, found)
    const { see, continue_to } = backFrom(work, payment, locale)
    if (payment.status === 'pending')
      return { page: returnPage({ locale, looks: Number(query.looks) || 0, back_url: see ?? continue_to }) }
    return see
      ? { see }
      : { page: offSitePage({ payment, locale, now, sandbox: isSandbox(work, payment), continue_to }) }
  },
})
