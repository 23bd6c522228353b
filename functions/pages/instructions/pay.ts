import { pageUrl } from '#shared/domain/page-url.ts'
import { page } from '#shared/http/page.ts'
import { payInCash, shownPayment } from '#shared/payments/off-site.ts'

/** Simulates a cash payment by the customer. Outside the sandbox, the response is 404. */
export const handler = page('POST /pages/instructions/:merchant/:id', {
  async run({ params, work, locale: asked }) {
    const { payment, locale } = await shownPayment(work, params.id, 'instructions_url', asked)
    return {
      changes: await payInCash(work, payment),
      see: `${pageUrl(work, 'instructions', payment.id)}?locale=${locale}`,
    }
  },
})
