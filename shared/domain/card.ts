import type { CardBrand } from './payment-details.ts'
import { JAPAN_AHEAD_MS } from './timestamp.ts'

/** What the numbers of one brand of cards look like. */
export interface CardBrandRow {
  readonly brand: CardBrand
  /** The leading digits of its numbers. */
  readonly beginning: RegExp
  /** The possible numbers of digits of a card number, from 12 to 19. */
  readonly number_lengths: readonly number[]
  /** The number of digits of the security code. */
  readonly code_length: 3 | 4
}

/** The rules of each brand. The service and the script of its pages read this table. */
export const card_brand_rows: readonly CardBrandRow[] = [
  { brand: 'visa', beginning: /^4/, number_lengths: [13, 16, 19], code_length: 3 },
  {
    brand: 'master',
    beginning: /^(5[1-5]|222[1-9]|22[3-9]|2[3-6]|27[01]|2720)/,
    number_lengths: [16],
    code_length: 3,
  },
  { brand: 'jcb', beginning: /^35(2[89]|[3-8])/, number_lengths: [16, 17, 18, 19], code_length: 3 },
  { brand: 'american_express', beginning: /^3[47]/, number_lengths: [15], code_length: 4 },
  { brand: 'diners_club', beginning: /^3(0[0-5]|095|[689])/, number_lengths: [14, 15, 16, 17, 18, 19], code_length: 3 },
  { brand: 'discover', beginning: /^(6011|64[4-9]|65)/, number_lengths: [16, 17, 18, 19], code_length: 3 },
  { brand: 'unionpay', beginning: /^(62|81)/, number_lengths: [16, 17, 18, 19], code_length: 3 },
]

/** Returns the rules of the brand that issues a card number (digits only), or undefined if no known brand issues it. */
export const brandRowOf = (number: string): CardBrandRow | undefined =>
  card_brand_rows.find(({ beginning }) => beginning.test(number))

/** Returns the brand of a card number (digits only), or null if no known brand issues it. */
export const brandOf = (number: string): CardBrand | null => brandRowOf(number)?.brand ?? null

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

/** Returns the current month in Japan as a number that grows by one each month: 12 times the year, plus 1 to 12. */
export function monthInJapan(now: number): number {
  const in_japan = new Date(now + JAPAN_AHEAD_MS)
  return 12 * in_japan.getUTCFullYear() + in_japan.getUTCMonth() + 1
}
