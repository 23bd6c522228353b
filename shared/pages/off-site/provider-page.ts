import { html } from 'hono/html'
import type { Payment } from '#shared/domain/payment.ts'
import { payment_type_names } from '#shared/domain/payment-type-names.ts'
import type { Locale } from '#shared/domain/session.ts'
import type { HtmlPage } from '#shared/pages/html-page.ts'
import { waitingPage } from '#shared/pages/last-pages/waiting-page.ts'
import { notice } from '#shared/pages/notice.ts'
import { webAddress } from '#shared/pages/shop-link.ts'
import { last_page_style } from '#shared/pages/styles/last-page-style.ts'
import { checkout_texts } from '#shared/pages/texts/checkout-texts.ts'

/**
 * Returns the page that sends a customer on to the provider, where the customer approves a payment or passes 3-D Secure.
 * The page refreshes itself, because a form of a page may not lead to another site, not even by a redirect. A payment
 * that is being cancelled sends the customer nowhere.
 */
export function providerPage({ payment, locale }: { readonly payment: Payment; readonly locale: Locale }): HtmlPage {
  const { type, redirect_url } = payment.payment_details
  const address = webAddress(typeof redirect_url === 'string' ? redirect_url : null)
  if (!address || payment.in_flight.length > 0) return waitingPage(locale)
  const { to_bank, to_site, going_on, go_on } = checkout_texts[locale]
  const title = type === 'credit_card' ? to_bank : to_site(payment_type_names[type][locale])
  const on = html`<p class="actions"><a class="button" href="${address.href}">${go_on}</a></p>`
  return {
    locale,
    title,
    main: notice({ title, text: going_on }, 'waiting', on),
    style: last_page_style,
    continue_to: address.href,
  }
}
