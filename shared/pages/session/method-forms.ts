import { html } from 'hono/html'
import { card_brands, type PaymentType, payment_type_rows } from '#shared/domain/payment-details.ts'
import { payment_type_names } from '#shared/domain/payment-type-names.ts'
import { storesOf } from '#shared/domain/session-methods.ts'
import { brand_names } from '#shared/pages/card-line.ts'
import type { Html } from '#shared/pages/html-page.ts'
import { brandMarks, typeMark } from '#shared/pages/marks/marks.ts'
import { money } from '#shared/pages/money.ts'
import { checkout_texts } from '#shared/pages/texts/checkout-texts.ts'
import { texts } from '#shared/pages/texts/texts.ts'
import { formField } from './form-field.ts'
import { form_fields } from './payment-form.ts'
import type { SessionPageInput } from './session-page-input.ts'

type Method = SessionPageInput['methods'][number]

/** The name of a payment method, as the heading of its form. */
export const methodName = (type: PaymentType, { locale }: SessionPageInput): string => payment_type_names[type][locale]

/** Returns the marks of a payment method: those of the accepted brands for a card, one for any other method. */
export const methodMarks = (type: PaymentType): Html =>
  type === 'credit_card'
    ? brandMarks(card_brands, card_brands.map((brand) => brand_names[brand]).join(', '))
    : typeMark(type)

/** Returns the note beside a payment method that has a fee. */
export function feeNote({ session, locale }: SessionPageInput, { fee }: Method): Html | string {
  if (!fee || !session.currency) return ''
  return html` <small>${texts[locale].fee(money(fee, session.currency, locale))}</small>`
}

/** Returns the form of a payment method. It holds the values that the customer typed, if the method was tried. */
export function methodForm(input: SessionPageInput, method: Method): Html {
  const { session, locale } = input
  const { type } = method
  const mine = type === input.chosen
  const fields = form_fields[type].map((name) =>
    formField({
      type,
      name,
      locale,
      value: (mine ? typed(input, name) : undefined) ?? (name === 'email' ? (session.email ?? '') : ''),
      fault: mine ? input.faults?.[name] : undefined,
      stores: storesOf(session),
    }),
  )
  const cashNote = payment_type_rows[type].flow === 'cash' ? html`<p class="hint">${texts[locale].cash_note}</p>` : ''
  return html`<form method="post" action="?locale=${locale}" novalidate><input type="hidden" name="type" value="${type}">${
    fields.length > 0 ? html`<div class="fields">${fields}</div>` : ''
  }${cashNote}${costs(input, method)}<button class="button">${buttonOf(input, method)}</button></form>`
}

const typed = ({ typed = {} }: SessionPageInput, name: string): string | undefined =>
  Object.hasOwn(typed, name) ? typed[name] : undefined

/** The order, the fee and their sum, so that the customer sees where the amount on the button comes from. */
function costs({ session: { currency }, locale }: SessionPageInput, { fee, total }: Method): Html | string {
  if (!fee || !currency) return ''
  const shown = (amount: number) => money(amount, currency, locale)
  const { order_total, total_with_fee } = checkout_texts[locale]
  return html`<dl class="sums costs"><div><dt>${order_total}</dt><dd>${shown(total - fee)}</dd></div><div><dt>${texts[locale].fee_label}</dt><dd>${shown(fee)}</dd></div><div class="total"><dt>${total_with_fee}</dt><dd>${shown(total)}</dd></div></dl>`
}

function buttonOf(input: SessionPageInput, { type, total }: Method): string {
  const { session, locale } = input
  if (session.mode !== 'payment' || session.currency === null) return texts[locale].save_card
  const amount = money(total, session.currency, locale)
  const leaves = payment_type_rows[type].flow === 'off_site'
  return leaves ? checkout_texts[locale].go_to(methodName(type, input), amount) : texts[locale].pay(amount)
}
