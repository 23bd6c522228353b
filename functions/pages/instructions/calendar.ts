import { pageUrl } from '#shared/domain/page-url.ts'
import { page } from '#shared/http/page.ts'
import { deadlineCalendar } from '#shared/pages/last-pages/deadline-calendar.ts'
import { shownPayment } from '#shared/payments/off-site.ts'

/**
 * Returns a calendar file with the deadline of a cash payment. If the payment no longer waits for its customer, the
 * customer is sent to the page that shows its state.
 */
export const handler = page('GET /pages/instructions/:merchant/:id/calendar', {
  async run({ params, work, shop, locale: asked }) {
    const { payment, locale } = await shownPayment(work, params.id, 'instructions_url', asked)
    const page_url = pageUrl(work, 'instructions', payment.id)
    if (payment.status !== 'authorized') return { see: `${page_url}?locale=${locale}` }
    const text = deadlineCalendar({ payment, locale, page_url, shop_name: (await shop).name })
    return { file: { name: 'payment-deadline.ics', content_type: 'text/calendar; charset=utf-8', text } }
  },
})
