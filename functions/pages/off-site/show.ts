import { backFrom, waitsElsewhere } from '#shared/charging/elsewhere.ts'
import { page } from '#shared/http/page.ts'
import { offSitePage } from '#shared/pages/off-site-page.ts'

/** The sandbox's stand-in for a wallet's or a bank's own site. What is decided already is told, and the customer goes back. */
export const handler = page('GET /pages/off_site/:merchant/:id', {
  async run({ params, work, locale: asked }) {
    const { payment, locale } = await waitsElsewhere(work, params.id, asked)
    if (payment.status === 'pending') return { page: offSitePage({ payment, locale }) }
    const { see, continue_to } = backFrom(work, payment, locale)
    return see ? { see } : { page: offSitePage({ payment, locale, continue_to }) }
  },
})
