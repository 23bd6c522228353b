import { html } from 'hono/html'
import { type PaymentType, payment_type_rows } from '#shared/domain/payment-details.ts'
import { payment_type_names } from '#shared/domain/payment-type-names.ts'
import { cardLine } from '#shared/pages/card-line.ts'
import type { Html } from '#shared/pages/html-page.ts'
import { money } from '#shared/pages/money.ts'
import { texts } from '#shared/pages/texts/texts.ts'
import { formField } from './form-field.ts'
import { form_fields } from './payment-form.ts'
import type { SessionPageInput } from './session-page-input.ts'

/** The type of the form that pays with the stored card. It is the type of no other form. */
export const STORED_CARD = 'stored_card'

type Method = SessionPageInput['methods'][number]

/** Returns the type of payment whose form is open when the page loads. */
export function openType({ methods, chosen }: SessionPageInput): PaymentType | undefined {
  return methods.some(({ type }) => type === chosen) ? chosen : methods[0]?.type
}

/** Returns the form that pays with the stored card, which needs no input. */
export function storedCardForm({ session, methods, stored_card, locale }: SessionPageInput): Html | string {
  const method = methods.find(({ type }) => type === stored_card?.type)
  if (!stored_card || !method || session.currency === null) return ''
  const label = texts[locale].pay(money(method.total, session.currency, locale))
  return html`<section class="panel" aria-labelledby="stored"><h2 id="stored">${texts[locale].stored_card} ${cardLine(stored_card)}</h2><form method="post" action="?locale=${locale}"><input type="hidden" name="type" value="${STORED_CARD}"><button class="button">${label}</button></form></section>`
}

/** Returns a form for each payment method, one of them open. A single method is shown without a list. */
export function methodForms(input: SessionPageInput): Html {
  const { methods, locale } = input
  const text = texts[locale]
  const [only, ...others] = methods
  if (only && others.length === 0)
    return html`<section class="panel"><h2>${payment_type_names[only.type][locale]}${feeNote(input, only)}</h2>${form(input, only)}</section>`
  const open = openType(input)
  const entries = methods.map(
    (method) =>
      html`<details name="method"${method.type === open ? html` open` : ''}><summary><span>${payment_type_names[method.type][locale]}</span>${feeNote(input, method)}</summary>${form(input, method)}</details>`,
  )
  return html`<section aria-labelledby="methods"><h2 id="methods">${text.methods}</h2><div class="methods">${entries}</div></section>`
}

function feeNote({ session, locale }: SessionPageInput, { fee }: Method): Html | string {
  if (!fee || !session.currency) return ''
  return html` <small class="fee">${texts[locale].fee(money(fee, session.currency, locale))}</small>`
}

function form(input: SessionPageInput, method: Method): Html {
  const { session, locale } = input
  const text = texts[locale]
  const { type } = method
  const mine = type === openType(input)
  const fields = form_fields[type].map((name) =>
    formField({
      type,
      name,
      locale,
      value: (mine ? typed(input, name) : undefined) ?? (name === 'email' ? (session.email ?? '') : ''),
      fault: mine ? input.faults?.[name] : undefined,
    }),
  )
  const pays = session.mode === 'payment' && session.currency !== null
  const label = pays ? text.pay(money(method.total, session.currency, locale)) : text.save_card
  return html`<form method="post" action="?locale=${locale}" novalidate><input type="hidden" name="type" value="${type}">${
    fields.length > 0 ? html`<div class="fields">${fields}</div>` : ''
  }${flowNote(type, input)}<button class="button">${label}</button></form>`
}

const typed = ({ typed = {} }: SessionPageInput, name: string): string | undefined =>
  Object.hasOwn(typed, name) ? typed[name] : undefined

function flowNote(type: PaymentType, { locale }: SessionPageInput): Html | string {
  const text = texts[locale]
  const { flow } = payment_type_rows[type]
  if (flow === 'cash') return html`<p class="hint">${text.cash_note}</p>`
  if (flow === 'off_site') return html`<p class="hint">${text.off_site_note(payment_type_names[type][locale])}</p>`
  return ''
}
