import { isSandbox } from '#shared/acquirer/acquirers.ts'
import { page } from '#shared/http/page.ts'
import { offSitePage } from '#shared/pages/off-site/off-site-page.ts'
import { providerPage } from '#shared/pages/off-site/provider-page.ts'
import { backFrom, shownPayment } from '#shared/payments/off-site.ts'

/**
 * Shows the page where the sandbox stands in for the site of a wallet or bank, or sends the customer on to the provider.
 * Once the payment is decided, the customer returns to the session, or sees the result and returns to the merchant.
 */
export const handler = page('GET /pages/off_site/:merchant/:id', {
  async run({ params, work, now, locale: asked }) {
    const { payment, locale } = await shownPayment(work, params.id, 'redirect_url', asked)
    const sandbox = isSandbox(work, payment)
    if (payment.status === 'pending')
      return { page: sandbox ? offSitePage({ sandbox, payment, locale, now }) : providerPage({ payment, locale }) }
    const { see, continue_to } = backFrom(work, payment, locale)
    return see ? { see } : { page: offSitePage({ sandbox, payment, locale, now, continue_to }) }
  },
})
