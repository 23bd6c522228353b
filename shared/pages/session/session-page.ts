import { html } from 'hono/html'
import type { Locale, Session } from '#shared/domain/session.ts'
import type { Html, HtmlPage } from '#shared/pages/html-page.ts'
import { testBanner } from '#shared/pages/notice.ts'
import { beside_style, checkout_style } from '#shared/pages/styles/checkout-style.ts'
import { payment_form_style } from '#shared/pages/styles/payment-form-style.ts'
import { texts } from '#shared/pages/texts/texts.ts'
import { methodList } from './method-list.ts'
import { hasOrder, orderSummary } from './order-summary.ts'
import { paymentFormScript } from './payment-form-script.ts'
import { faultyFields, sendAlert } from './send-alert.ts'
import type { SessionPageInput } from './session-page-input.ts'

/**
 * Returns the page where a customer reviews the order, chooses a payment method and pays. In mode `customer`, the
 * customer stores a card that is charged later.
 */
export function sessionPage(input: SessionPageInput): HtmlPage {
  const { session, locale, sandbox, declined } = input
  const text = texts[locale]
  const pays = session.mode === 'payment'
  const heading = pays ? text.heading : text.save_card_heading
  const faulty = faultyFields(input)
  const wrong = faulty.length > 0 || declined !== undefined
  const form = html`${sendAlert(input)}${methodList(input)}${cancelForm(session, locale)}`
  const has_order = hasOrder(session)
  return {
    locale,
    title: `${wrong ? `${text.error}: ` : ''}${heading}`,
    main: html`${sandbox ? testBanner(locale) : ''}${
      has_order
        ? html`${orderSummary(session, locale, heading)}<div class="pay">${pays ? '' : saveCardNote(locale)}${form}</div>`
        : html`<h1>${heading}</h1>${saveCardNote(locale)}${form}`
    }`,
    is_checkout: true,
    style: payment_form_style + checkout_style + (has_order ? beside_style : ''),
    script: paymentFormScript(input),
    status: faulty.length > 0 ? 422 : declined !== undefined ? 402 : 200,
  }
}

const saveCardNote = (locale: Locale): Html => html`<p>${texts[locale].save_card_note}</p>`

function cancelForm({ id }: Session, locale: Locale): Html {
  return html`<form class="cancel" method="post" action="./${encodeURIComponent(id)}/cancel?locale=${locale}"><button class="link">${texts[locale].cancel}</button></form>`
}
