import { backFrom, decideElsewhere, waitsElsewhere } from '#shared/charging/elsewhere.ts'
import { page } from '#shared/http/page.ts'
import { offSitePage } from '#shared/pages/off-site-page.ts'
import { pageUrl } from '#shared/store/page-url.ts'

/** The customer approves, declines, or closes what the sandbox shows for a wallet, a bank or 3-D Secure. */
export const handler = page('POST /pages/off_site/:merchant/:id', {
  async run({ params, form, work, locale: asked }) {
    const { payment, locale } = await waitsElsewhere(work, params.id, asked)
    const changes = await decideElsewhere(work, payment, form.decision)
    const { see, continue_to } = backFrom(work, payment, locale)
    const closed = form.decision === 'close'
    if (closed && !see) return { page: offSitePage({ payment, locale, continue_to, closed }) }
    const decided = closed || changes.length > 0
    return { changes, see: (decided && see) || `${pageUrl(work, 'off_site', payment.id)}?locale=${locale}` }
  },
})
