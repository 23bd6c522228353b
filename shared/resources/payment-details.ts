import * as v from 'valibot'
import { brandOf, isPast, passesLuhn } from '#shared/domain/card.ts'
import { Refusal } from '#shared/domain/errors.ts'
import { needsEmail, type PaymentDetails, type ShownDetails } from '#shared/domain/payment-details.ts'
import { email, faults, integer, oneOf, optional, text } from './fields.ts'

// With these limits, the longest details of every type fit into what the vault seals, however they are escaped.
const name = text(128)
const phone = text(64)
const names = { family_name: name, family_name_kana: name, given_name: name, given_name_kana: name }

const DIGITS_FAULT = 'must be 3 or 4 digits, sent as text'
const NUMBER_FAULT = 'must be a valid card number of 12 to 19 digits, sent as text'

const card_number = v.pipe(
  v.string(NUMBER_FAULT),
  v.transform((number) => number.replace(/[ -]/g, '')),
  v.check((number) => /^\d{12,19}$/.test(number) && passesLuhn(number), NUMBER_FAULT),
)

const verification_value = v.pipe(v.string(DIGITS_FAULT), v.regex(/^\d{3,4}$/, DIGITS_FAULT))

const year = v.pipe(
  integer(0, 9_999),
  v.check((number) => number < 100 || number >= 1_000, 'must be a year of two or four digits'),
  v.transform((number) => (number < 100 ? 2_000 + number : number)),
)

const credit_card = v.pipe(
  v.object({
    type: v.literal('credit_card'),
    number: card_number,
    month: integer(1, 12),
    year,
    verification_value: optional(verification_value),
    name: optional(name),
    email: optional(email),
    family_name: optional(name),
    given_name: optional(name),
  }),
  v.forward(
    v.partialCheck(
      [['name'], ['family_name'], ['given_name']],
      (card) => Boolean(card.name ?? (card.family_name && card.given_name)),
      'is required, unless family_name and given_name are given',
    ),
    ['name'],
  ),
)

const stores = ['seven-eleven', 'lawson', 'family-mart', 'ministop', 'daily-yamazaki', 'seicomart']
const carriers = ['docomo', 'au', 'softbank', 'rakuten']
const wallets = ['paypay', 'merpay', 'rakutenpay', 'aupay', 'linepay', 'alipay', 'wechatpay', 'paidy'] as const

/** The payment details of every type, with `email` as the field of the types that need an e-mail address. */
const detailsOf = <Email extends v.GenericSchema<unknown, string | undefined>>(email: Email) =>
  v.variant(
    'type',
    [
      credit_card,
      v.object({
        type: v.literal('konbini'),
        email,
        phone: optional(phone),
        expiry_days: optional(integer(0, 59)),
        store: oneOf(stores),
      }),
      v.object({ type: v.literal('pay_easy'), email, phone, ...names }),
      v.object({ type: v.literal('bank_transfer'), email, phone, expiry_days: optional(integer(1, 59)), ...names }),
      v.object({ type: v.picklist(['bit_cash', 'net_cash', 'web_money']), email, prepaid_number: text(64) }),
      v.object({ type: v.picklist(['paysafe_cash', 'mobile']), email }),
      v.object({ type: v.literal('japan_mobile'), email, brand: oneOf(carriers) }),
      v.object({ type: v.literal('retailer_account'), email: optional(email), user_no: name, user_password: name }),
      v.object({ type: v.picklist(wallets), email: optional(email) }),
    ],
    (issue) => (issue.path ? faults.invalid_payment_type : 'must be an object'),
  )

/** Payment details as an object. `type` determines its fields. */
export const payment_details_object = detailsOf(email) satisfies v.GenericSchema<unknown, PaymentDetails>

const token_id = v.pipe(v.string(), v.regex(/^tok_[\w.-]{1,250}$/, faults.invalid_token))

/** Payment details as an object, or the id of a token for them. */
export const payment_details = v.lazy((input) => (typeof input === 'string' ? token_id : payment_details_object))

const details_without_email = detailsOf(optional(email)) satisfies v.GenericSchema<unknown, PaymentDetails>

/**
 * The payment details of a session. A missing e-mail address is not refused here, because the session can have one.
 */
export const session_payment_details = v.lazy((input) => (typeof input === 'string' ? token_id : details_without_email))

/**
 * Returns payment details with the e-mail address of their session, if their type needs one and they have none. Refuses
 * with `missing_parameter` details that need an e-mail address when the session has none either.
 */
export function withSessionEmail(
  details: PaymentDetails | string | undefined,
  email: string | null,
): PaymentDetails | string | undefined {
  if (typeof details !== 'object' || details.email !== undefined || !needsEmail(details.type)) return details
  if (email !== null) return { ...details, email }
  throw new Refusal('missing_parameter', {
    param: 'payment_details[email]',
    message: 'payment_details[email] is required, because the session has no email.',
  })
}

/** Refuses with `invalid_parameter` a card whose month has ended at `now` (epoch milliseconds). */
export function refuseExpired(details: PaymentDetails, now: number): void {
  if (details.type === 'credit_card' && isPast(details.month, details.year, now))
    throw new Refusal('invalid_parameter', {
      param: 'payment_details[year]',
      message: 'payment_details[year] and payment_details[month] must not be past. Use a card that has not expired.',
    })
}

/**
 * Returns the part of payment details that can be stored and shown, in the order of the response. The provider's fields
 * come after it.
 */
export function shown(details: PaymentDetails): ShownDetails {
  const head = { type: details.type, email: details.email ?? null }
  if (details.type === 'credit_card')
    return {
      ...head,
      brand: brandOf(details.number),
      last_four_digits: details.number.slice(-4),
      month: details.month,
      year: details.year,
    }
  if (details.store) return { ...head, store: details.store }
  if (details.prepaid_number) return { ...head, last_four_digits: lastFour(details.prepaid_number) }
  return head
}

/**
 * Returns the last four characters of a prepaid number; null for fewer than eight, because four of them would reveal
 * the number.
 */
function lastFour(number: string): string | null {
  const characters = Array.from(number)
  return characters.length < 8 ? null : characters.slice(-4).join('')
}
