import { actedOn, payInCash } from '#shared/charging/elsewhere.ts'
import { page } from '#shared/http/page.ts'
import { pageUrl } from '#shared/store/page-url.ts'

/** Simulates in the sandbox that the customer has paid in cash. */
export const handler = page('POST /pages/instructions/:merchant/:id', {
  async run({ params, work, locale: asked }) {
    const { payment, locale } = await actedOn(work, params.id, 'instructions_url', asked)
    return {
      changes: await payInCash(work, payment),
      see: `${pageUrl(work, 'instructions', payment.id)}?locale=${locale}`,
    }
  },
})
