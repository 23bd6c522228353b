import { html } from 'hono/html'
import { lineAmount } from '#shared/domain/line-items.ts'
import type { LineItem, Locale, Session } from '#shared/domain/session.ts'
import type { Html } from '#shared/pages/html-page.ts'
import { count, money } from '#shared/pages/money.ts'
import { checkout_texts } from '#shared/pages/texts/checkout-texts.ts'
import { texts } from '#shared/pages/texts/texts.ts'

/** A list with more items, or with longer descriptions in sum, is folded on a small screen. */
const ITEMS_UNFOLDED = 2
const CHARACTERS_UNFOLDED = 240

/** Whether a session has an amount or line items to show. */
export const hasOrder = ({ amount, currency, line_items }: Session): boolean =>
  (amount !== null && currency !== null) || line_items.length > 0

/**
 * Returns the heading of the page with the total, the line items and the tax, without the fee of a payment method. The
 * total is also visible while a long list is folded.
 */
export function orderSummary(session: Session, locale: Locale, heading: string): Html {
  const { amount, currency, tax, line_items } = session
  const total = amount === null || currency === null ? undefined : money(amount + tax, currency, locale)
  return html`<section class="order" aria-labelledby="order"><h1 id="order">${heading}${
    total === undefined ? '' : html` <span class="due">${total}</span>`
  }</h1>${line_items.length > 0 ? items(session, locale) : ''}${
    total === undefined || (line_items.length === 0 && tax === 0) ? '' : sums(session, total, locale)
  }</section>`
}

function sums({ amount, currency, tax }: Session, total: string, locale: Locale): Html {
  const text = texts[locale]
  const sum = (label: string, value: number) =>
    html`<div><dt>${label}</dt><dd>${money(value, currency!, locale)}</dd></div>`
  const parts = tax > 0 ? html`${sum(text.subtotal, amount!)}${sum(text.tax, tax)}` : ''
  return html`<dl class="sums">${parts}<div class="total"><dt>${text.total}</dt><dd>${total}</dd></div></dl>`
}

function items({ line_items, currency }: Session, locale: Locale): Html {
  const lines = line_items.map((item) => line(item, currency, locale))
  const heading = texts[locale].items
  if (!isLong(line_items))
    return html`<h2 id="items">${heading}</h2><ul class="items" aria-labelledby="items">${lines}</ul>`
  // A keyboard can scroll the list on a wide screen only if the list takes the focus.
  return html`<div class="long"><h2 id="items">${heading} <small>(${count(line_items.length, locale)})</small></h2><details><summary>${checkout_texts[locale].order_lines(line_items.length)}</summary><ul class="items" aria-labelledby="items" tabindex="0">${lines}</ul></details></div>`
}

function isLong(line_items: readonly LineItem[]): boolean {
  const characters = line_items.reduce((sum, { description }) => sum + (description ?? '').length, 0)
  return line_items.length > ITEMS_UNFOLDED || characters > CHARACTERS_UNFOLDED
}

function line(item: LineItem, currency: string | null, locale: Locale): Html {
  const price = lineAmount(item)
  return html`<li><div><bdi>${item.description ?? texts[locale].item}</bdi>${quantityOf(item, currency, locale)}</div>${
    price === null || currency === null ? '' : html`<span class="price">${money(price, currency, locale)}</span>`
  }</li>`
}

/** The price of one item times the quantity. Nothing if the quantity is one, which the price of the line says. */
function quantityOf({ amount, quantity }: LineItem, currency: string | null, locale: Locale): Html | string {
  if (quantity === null || quantity === 1) return ''
  const each = amount === null || currency === null ? '' : html`${money(amount, currency, locale)} `
  return html` <small>${each}× ${count(quantity, locale)}</small>`
}
