import { page } from '#shared/http/page.ts'
import { offSitePage } from '#shared/pages/off-site/off-site-page.ts'
import { backFrom, offSitePayment } from '#shared/payments/off-site.ts'

/**
 * Shows the page where the sandbox stands in for the site of a wallet or bank. Once the payment is decided, the
 * customer returns to the session, or sees the result and returns to the merchant.
 */
export const handler = page('GET /pages/off_site/:merchant/:id', {
  async run({ params, work, now, locale: asked }) {
    const { payment, locale } = await offSitePayment(work, params.id, asked)
    if (payment.status === 'pending') return { page: offSitePage({ sandbox: true, payment, locale, now }) }
    const { see, continue_to } = backFrom(work, payment, locale)
    return see ? { see } : { page: offSitePage({ sandbox: true, payment, locale, now, continue_to }) }
  },
})
