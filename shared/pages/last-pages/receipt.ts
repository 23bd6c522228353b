import { html } from 'hono/html'
import type { Payment } from '#shared/domain/payment.ts'
import { payment_type_rows, type ShownDetails } from '#shared/domain/payment-details.ts'
import { payment_type_names } from '#shared/domain/payment-type-names.ts'
import type { Locale } from '#shared/domain/session.ts'
import { cardLine } from '#shared/pages/card-line.ts'
import type { Html } from '#shared/pages/html-page.ts'
import { money, shownTime } from '#shared/pages/money.ts'
import { stores } from '#shared/pages/texts/choices.ts'
import { last_page_texts } from '#shared/pages/texts/last-page-texts.ts'
import { texts } from '#shared/pages/texts/texts.ts'

/** What a receipt states besides its payment. */
export interface ReceiptFields {
  /** Who was paid. Absent: the receipt names nobody, because the head of the page does. */
  readonly shop_name?: string | null | undefined
  /** When the customer paid; null if it is not known. */
  readonly paid_at: string | null
}

/** Returns what was paid: to whom, for which order, how, when, and the amount with tax, fee and refunds. */
export function receipt(payment: Payment, { shop_name, paid_at }: ReceiptFields, locale: Locale): Html {
  const text = last_page_texts[locale]
  const shop = shop_name ? row(text.paid_to, html`<bdi>${shop_name}</bdi>`) : ''
  const time = paid_at && html`<time datetime="${paid_at}">${shownTime(paid_at, locale)}</time>`
  const is_reserved = payment.status === 'authorized' && payment_type_rows[payment.payment_details.type].flow === 'card'
  return html`<section class="panel receipt" aria-labelledby="receipt"><h2 id="receipt">${text.details}</h2><dl class="sums">${shop}${orderRow(payment, locale)}${methodRow(payment.payment_details, locale)}${
    time ? row(text.time, time) : ''
  }${sumRows(payment, locale)}${refundRow(payment, locale)}</dl>${
    is_reserved ? html`<p class="hint">${text.card_reserved}</p>` : ''
  }</section>`
}

/** Returns what is to be paid in cash: for which order, where, how much and until when. */
export function reservation(payment: Payment, locale: Locale): Html {
  const { payment_details, payment_deadline } = payment
  const until = html`<time datetime="${payment_deadline}">${shownTime(payment_deadline, locale)}</time>`
  return html`<section class="panel"><dl class="sums">${orderRow(payment, locale)}${methodRow(payment_details, locale)}${sumRows(payment, locale)}${row(texts[locale].deadline, until)}</dl></section>`
}

/** Returns the button that prints a page. It works only where scripts run. */
export const printButton = (locale: Locale): Html =>
  html`<p class="actions"><button class="button plain" type="button" data-print hidden>${texts[locale].print}</button></p>`

/** Returns the row with the merchant's number of the order, if there is one. */
export const orderRow = ({ external_order_num }: Payment, locale: Locale): Html | string =>
  external_order_num ? row(last_page_texts[locale].order_number, html`<bdi>${external_order_num}</bdi>`) : ''

/** Returns the row with the payment method: the brand and last four digits of a card, or the name with the store. */
export const methodRow = (details: ShownDetails, locale: Locale): Html =>
  details.type === 'credit_card' && details.last_four_digits
    ? row(texts[locale].card, cardLine(details))
    : row(texts[locale].method, methodWithStore(details, locale))

function methodWithStore({ type, store }: ShownDetails, locale: Locale): string {
  const name = payment_type_names[type][locale]
  return typeof store === 'string' ? last_page_texts[locale].at_store(name, stores[store]?.[locale] ?? store) : name
}

/** Returns the rows that add up to the total. Without tax and fee, there is only the total. */
export function sumRows(payment: Payment, locale: Locale): Html {
  const { amount, tax, payment_method_fee: fee, total, currency } = payment
  const text = texts[locale]
  const sum = (label: string, value: number) => row(label, money(value, currency, locale))
  const parts = [
    tax > 0 || fee > 0 ? sum(text.subtotal, amount) : '',
    tax > 0 ? sum(text.tax, tax) : '',
    fee > 0 ? sum(text.fee_label, fee) : '',
  ]
  return html`${parts}<div class="total"><dt>${parts[0] ? text.total : text.amount}</dt><dd>${money(total, currency, locale)}</dd></div>`
}

const refundRow = ({ amount_refunded, currency }: Payment, locale: Locale): Html | string =>
  amount_refunded > 0 ? row(last_page_texts[locale].refunded, money(amount_refunded, currency, locale)) : ''

const row = (label: string, value: Html | string): Html => html`<div><dt>${label}</dt><dd>${value}</dd></div>`
