import { html } from 'hono/html'
import { lineAmount } from '#shared/domain/line-items.ts'
import type { LineItem, Locale, Session } from '#shared/domain/session.ts'
import type { Html } from '#shared/pages/html-page.ts'
import { count, money } from '#shared/pages/money.ts'
import { texts } from '#shared/pages/texts/texts.ts'

const ITEMS_SHOWN = 5

/** Returns the line items of a session and their total with tax, without the fee of a payment method. */
export function orderSummary(session: Session, locale: Locale): Html {
  const { amount, currency, tax, line_items } = session
  const text = texts[locale]
  const sum = (label: string, value: number) =>
    currency === null ? '' : html`<div><dt>${label}</dt><dd>${money(value, currency, locale)}</dd></div>`
  const parts = tax > 0 ? html`${sum(text.subtotal, amount ?? 0)}${sum(text.tax, tax)}` : ''
  const total =
    amount === null || currency === null
      ? ''
      : html`<dl class="sums">${parts}<div class="total"><dt>${text.total}</dt><dd>${money(amount + tax, currency, locale)}</dd></div></dl>`
  if (line_items.length === 0 && total === '') return html``
  return html`<section class="panel order"${line_items.length > 0 ? html` aria-labelledby="items"` : ''}>${
    line_items.length > 0 ? html`<h2 id="items">${text.items}</h2>${items(session, locale)}` : ''
  }${total}</section>`
}

function items({ line_items, currency }: Session, locale: Locale): Html {
  const list = (some: readonly LineItem[]) =>
    html`<ul class="items">${some.map((item) => line(item, currency, locale))}</ul>`
  const more = line_items.slice(ITEMS_SHOWN)
  return html`${list(line_items.slice(0, ITEMS_SHOWN))}${
    more.length > 0
      ? html`<details class="more"><summary>${texts[locale].more_items(more.length)}</summary>${list(more)}</details>`
      : ''
  }`
}

function line(item: LineItem, currency: string | null, locale: Locale): Html {
  const { description, quantity } = item
  const amount = lineAmount(item)
  return html`<li><span>${description ?? texts[locale].item}${
    quantity === null ? '' : html` <span class="quantity">× ${count(quantity, locale)}</span>`
  }</span>${
    amount === null || currency === null ? '' : html`<span class="price">${money(amount, currency, locale)}</span>`
  }</li>`
}
