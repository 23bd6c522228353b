import type { CardBrand } from './payment-details.ts'
import { JAPAN_AHEAD_MS } from './timestamp.ts'

/** The leading digits of the card numbers of each brand. */
const beginnings: readonly (readonly [brand: CardBrand, beginning: RegExp])[] = [
  ['visa', /^4/],
  ['master', /^(5[1-5]|222[1-9]|22[3-9]|2[3-6]|27[01]|2720)/],
  ['jcb', /^35(2[89]|[3-8])/],
  ['american_express', /^3[47]/],
  ['diners_club', /^3(0[0-5]|095|[689])/],
  ['discover', /^(6011|64[4-9]|65)/],
  ['unionpay', /^(62|81)/],
]

/** Returns the brand of a card number (digits only), or null if no known brand issues it. */
export function brandOf(number: string): CardBrand | null {
  return beginnings.find(([, beginning]) => beginning.test(number))?.[0] ?? null
}

/** Whether the last digit of a card number is its Luhn check digit. Takes digits only. */
export function passesLuhn(number: string): boolean {
  let sum = 0
  for (let place = 0; place < number.length; place++) {
    const digit = Number(number[number.length - 1 - place])
    sum += place % 2 === 0 ? digit : digit < 5 ? 2 * digit : 2 * digit - 9
  }
  return sum % 10 === 0
}

/**
 * Whether a card with this month has expired at `now` (epoch milliseconds). A card is valid until its month ends in
 * Japan.
 */
export function isPast(month: number, year: number, now: number): boolean {
  return now >= Date.UTC(year, month, 1) - JAPAN_AHEAD_MS
}
