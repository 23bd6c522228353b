import { html } from 'hono/html'
import type { Locale, Session } from '#shared/domain/session.ts'
import type { Html, HtmlPage } from '#shared/pages/html-page.ts'
import { testBanner } from '#shared/pages/notice.ts'
import { texts } from '#shared/pages/texts/texts.ts'
import { declineText } from './decline-text.ts'
import { fieldId } from './form-field.ts'
import { methodForms, openType, storedCardForm } from './method-forms.ts'
import { orderSummary } from './order-summary.ts'
import { type FieldName, form_fields } from './payment-form.ts'
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
  return {
    locale,
    title: `${wrong ? `${text.error}: ` : ''}${heading}`,
    main: html`${sandbox ? testBanner(locale) : ''}<h1>${heading}</h1>${pays ? '' : html`<p>${text.save_card_note}</p>`}${alert(input, faulty)}${orderSummary(session, locale)}${storedCardForm(input)}${methodForms(input)}${cancelForm(session, locale)}`,
    status: faulty.length > 0 ? 422 : declined !== undefined ? 402 : 200,
  }
}

function faultyFields(input: SessionPageInput): readonly FieldName[] {
  const type = openType(input)
  return type ? form_fields[type].filter((name) => input.faults?.[name]) : []
}

function alert(input: SessionPageInput, faulty: readonly FieldName[]): Html | string {
  const text = texts[input.locale]
  if (faulty.length > 0) {
    const links = faulty.map(
      (name) =>
        html`<li><a href="#${fieldId(openType(input)!, name)}">${text.fields[name][input.faults![name]!]}</a></li>`,
    )
    return html`<div class="alert" role="alert"><h2>${text.faulty}</h2><ul>${links}</ul></div>`
  }
  if (input.declined === undefined) return ''
  const reason = declineText(input.locale, input.declined)
  const title = input.session.mode === 'payment' ? text.not_paid : text.not_saved
  return html`<div class="alert" role="alert"><h2>${title}</h2><p>${reason}</p></div>`
}

function cancelForm({ id }: Session, locale: Locale): Html {
  return html`<form class="cancel" method="post" action="./${encodeURIComponent(id)}/cancel?locale=${locale}"><button class="link">${texts[locale].cancel}</button></form>`
}
