import { pageUrl } from '#shared/domain/page-url.ts'
import { page } from '#shared/http/page.ts'
import { offSitePage } from '#shared/pages/off-site/off-site-page.ts'
import { backFrom, decideOffSite, offSitePayment } from '#shared/payments/off-site.ts'

/**
 * Records what the customer chooses on the sandbox's off-site page: approve or decline a payment, pass or fail 3-D
 * Secure, or close the page without a decision.
 */
export const handler = page('POST /pages/off_site/:merchant/:id', {
  async run({ params, form, work, now, locale: asked }) {
    const { payment, locale } = await offSitePayment(work, params.id, asked)
    const changes = await decideOffSite(work, payment, form.decision)
    const { see, continue_to } = backFrom(work, payment, locale)
    const closed = form.decision === 'close'
    if (closed && !see) return { page: offSitePage({ sandbox: true, payment, locale, now, continue_to, closed }) }
    const decided = closed || changes.length > 0
    return { changes, see: (decided && see) || `${pageUrl(work, 'off_site', payment.id)}?locale=${locale}` }
  },
})
