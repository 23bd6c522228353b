import { html } from 'hono/html'
import type { PaymentType } from '#shared/domain/payment-details.ts'
import type { Html } from '#shared/pages/html-page.ts'
import { send_texts } from '#shared/pages/texts/send-texts.ts'
import { texts } from '#shared/pages/texts/texts.ts'
import { declineText } from './decline-text.ts'
import { fieldId } from './form-field.ts'
import { type FieldName, field_inputs, form_fields } from './payment-form.ts'
import type { SessionPageInput } from './session-page-input.ts'

const triedType = ({ methods, chosen }: SessionPageInput): PaymentType | undefined =>
  methods.find(({ type }) => type === chosen)?.type

/** Returns the fields of the form that the customer sent which have a fault, in the order of the form. */
export function faultyFields(input: SessionPageInput): readonly FieldName[] {
  const type = triedType(input)
  return type ? form_fields[type].filter((name) => input.faults?.[name]) : []
}

/**
 * Returns what is wrong with the form that the customer sent: the faulty fields with links, or why the payment was
 * declined. The alert gets the focus. Empty text if nothing is wrong. `data-tries` is the number of tries of the
 * session, by which the script of the page finds out whether the decline is a new one.
 */
export function sendAlert(input: SessionPageInput): Html | string {
  const { locale, session, declined } = input
  const text = texts[locale]
  const faulty = faultyFields(input)
  if (faulty.length > 0) {
    const links = faulty.map(
      (name) =>
        html`<li><a href="#${fieldId(input.chosen!, name)}">${text.fields[name][input.faults![name]!]}</a></li>`,
    )
    return box(input, html`<h2>${text.faulty}</h2><ul>${links}</ul>`)
  }
  if (declined === undefined) return ''
  const title = session.mode === 'payment' ? text.not_paid : text.not_saved
  return box(input, html`<h2>${title}</h2><p>${declineText(locale, declined)}</p>`)
}

const box = (input: SessionPageInput, content: Html): Html =>
  html`<div class="alert" role="alert" tabindex="-1" autofocus data-tries="${input.session.tries}">${content}${retypeNote(input)}</div>`

/** The note that names the fields which the customer has typed and which the page does not repeat. */
function retypeNote(input: SessionPageInput): Html | string {
  const { locale, typed = {} } = input
  const type = triedType(input)
  const secret = (type ? form_fields[type] : []).filter((name) => field_inputs[name].secret && typed[name])
  if (secret.length === 0) return ''
  const labels = new Intl.ListFormat(locale).format(secret.map((name) => texts[locale].fields[name].label))
  return html`<p data-retype>${send_texts[locale].retype(labels)}</p>`
}
