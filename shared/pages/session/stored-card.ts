import { html } from 'hono/html'
import { isPast } from '#shared/domain/card.ts'
import { card_brands, type ShownDetails } from '#shared/domain/payment-details.ts'
import { cardLine } from '#shared/pages/card-line.ts'
import type { Html } from '#shared/pages/html-page.ts'
import { brandMark, typeMark } from '#shared/pages/marks/marks.ts'
import { money } from '#shared/pages/money.ts'
import { checkout_texts } from '#shared/pages/texts/checkout-texts.ts'
import { texts } from '#shared/pages/texts/texts.ts'
import type { SessionPageInput } from './session-page-input.ts'

/** The type of the form that pays with the stored card. It is the type of no other form. */
export const STORED_CARD = 'stored_card'

/** Whether the month of the stored card has ended. */
const isStoredCardExpired = ({ stored_card, now }: SessionPageInput): boolean =>
  typeof stored_card?.month === 'number' &&
  typeof stored_card.year === 'number' &&
  isPast(stored_card.month, stored_card.year, now)

/** Whether the page offers the stored card. An expired card is not offered, because it would be declined. */
export const offersStoredCard = (input: SessionPageInput): boolean =>
  input.session.currency !== null &&
  input.methods.some(({ type }) => type === input.stored_card?.type) &&
  !isStoredCardExpired(input)

/** Returns the stored card as a method of its own: its mark, its last four digits and its expiry. */
export function storedCardMethod(input: SessionPageInput, open: boolean): Html {
  const { methods, stored_card, session, locale } = input
  const card = stored_card!
  const text = checkout_texts[locale]
  const { total } = methods.find(({ type }) => type === card.type)!
  const date = expiryOf(card)
  const shown = html`${cardLine(card)} <small>${[text.saved_card, date && text.expires(date)].filter(Boolean).join(' · ')}</small>`
  const label = texts[locale].pay(money(total, session.currency!, locale))
  return html`<details name="method"${open ? html` open` : ''}><summary><span>${shown}</span>${markOf(card)}</summary><form method="post" action="?locale=${locale}"><input type="hidden" name="type" value="${STORED_CARD}"><button class="button">${label}</button></form></details>`
}

/** Returns a note that the stored card has expired. Nothing if it has not. */
export function expiredCardNote(input: SessionPageInput): Html | string {
  const { stored_card, locale } = input
  if (!stored_card || !isStoredCardExpired(input)) return ''
  return html`<p class="note">${checkout_texts[locale].expired_card(cardLine(stored_card), expiryOf(stored_card))}</p>`
}

function markOf({ type, brand }: ShownDetails): Html {
  const known = card_brands.find((each) => each === brand)
  return known ? brandMark(known) : typeMark(type)
}

/** The month and the year of a card as they stand on it: `07/30`. Empty for a card without a date. */
const expiryOf = ({ month, year }: ShownDetails): string =>
  typeof month === 'number' && typeof year === 'number'
    ? `${String(month).padStart(2, '0')}/${String(year % 100).padStart(2, '0')}`
    : ''
