import { isSandbox } from '#shared/acquirer/acquirers.ts'
import { pageUrl } from '#shared/domain/page-url.ts'
import { returnUrl } from '#shared/domain/return-url.ts'
import { page } from '#shared/http/page.ts'
import { instructionsPage } from '#shared/pages/last-pages/instructions-page.ts'
import { shownPayment } from '#shared/payments/off-site.ts'
import { sessions } from '#shared/store/sessions.ts'

/** Shows a customer how to pay in cash: where, with which numbers, how much and until when. */
export const handler = page('GET /pages/instructions/:merchant/:id', {
  async run({ params, work, now, shop, locale: asked }) {
    const { payment, locale } = await shownPayment(work, params.id, 'instructions_url', asked)
    const session = payment.session ? await work.find(sessions, payment.session) : undefined
    const back_url = session ? returnUrl(session) : payment.return_url
    const page_url = pageUrl(work, 'instructions', payment.id)
    const shown = { payment, locale, now, page_url, sandbox: isSandbox(work, payment), shop_name: (await shop).name }
    return { page: instructionsPage({ ...shown, ...(back_url && { back_url }) }) }
  },
})
