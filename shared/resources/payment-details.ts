import * as v from 'valibot'
import { brandOf, isPast, passesLuhn } from '#shared/domain/card.ts'
import { Refusal } from '#shared/domain/errors.ts'
import { needsEmail, type PaymentDetails, type ShownDetails } from '#shared/domain/payment-details.ts'
import { carriers, konbini_stores } from '#shared/domain/session-methods.ts'
import { anyOf, meets, requiring } from './conditions.ts'
import { chosenOf, email, faults, integer, oneOf, optional, text } from './fields.ts'

// With these limits, the longest details of every type fit into what the vault seals, however they are escaped.
const name = text(128)
const phone = text(64)
const names = {
  family_name: v.pipe(name, v.description("The customer's family name.")),
  family_name_kana: v.pipe(name, v.description("The customer's family name in katakana.")),
  given_name: v.pipe(name, v.description("The customer's given name.")),
  given_name_kana: v.pipe(name, v.description("The customer's given name in katakana.")),
}

const DIGITS_FAULT = 'must be 3 or 4 digits, sent as text'
const NUMBER_FAULT = 'must be a valid card number of 12 to 19 digits, sent as text'

const DETAILS_FAULT = 'must be an object with a type, such as credit_card, and the fields of that type'

const card_number = v.pipe(
  v.string(NUMBER_FAULT),
  v.transform((number) => number.replace(/[ -]/g, '')),
  v.check((number) => /^\d{12,19}$/.test(number) && passesLuhn(number), NUMBER_FAULT),
  v.metadata({ pattern: '^[0-9]{12,19}$', examples: ['4111111111111111'] }),
)

const verification_value = v.pipe(v.string(DIGITS_FAULT), v.regex(/^[0-9]{3,4}$/, DIGITS_FAULT))

const year = v.pipe(
  integer(0, 9_999),
  // A number below 100 is a year of this century.
  v.metadata({ anyOf: [{ maximum: 99 }, { minimum: 1_000 }] }),
  v.check((number) => number < 100 || number >= 1_000, 'must be a year of two or four digits'),
  v.transform((number) => (number < 100 ? 2_000 + number : number)),
)

const typeOf = <const Type extends v.GenericSchema<string>>(type: Type) =>
  v.pipe(type, v.description('The payment type. It determines the other fields.'))

const emailOf = <const Email extends v.GenericSchema<unknown, string | undefined>>(address: Email) =>
  v.pipe(address, v.description("The customer's e-mail address."))

const credit_card = v.pipe(
  v.object({
    type: typeOf(v.literal('credit_card')),
    number: v.pipe(
      card_number,
      v.description('The number of the card, which must pass the Luhn check. It is never returned.'),
    ),
    month: v.pipe(integer(1, 12), v.description('The month in which the card expires, from 1 to 12.')),
    year: v.pipe(year, v.description('The year in which the card expires, as four digits or the last two.')),
    verification_value: v.pipe(
      optional(verification_value),
      v.description('The 3 or 4 digits of the security code printed on the card, as text. It is never returned.'),
    ),
    name: v.pipe(
      optional(name),
      v.description('The name on the card. It is required unless `family_name` and `given_name` are sent.'),
    ),
    email: emailOf(optional(email)),
    family_name: v.pipe(
      optional(name),
      v.description('The family name of the card holder, in place of `name` and together with `given_name`.'),
    ),
    given_name: v.pipe(
      optional(name),
      v.description('The given name of the card holder, in place of `name` and together with `family_name`.'),
    ),
  }),
  v.metadata(meets(anyOf(requiring('name'), requiring('family_name', 'given_name')))),
  v.forward(
    v.partialCheck(
      [['name'], ['family_name'], ['given_name']],
      (card) => Boolean(card.name ?? (card.family_name && card.given_name)),
      'is required, unless family_name and given_name are given',
    ),
    ['name'],
  ),
)

const wallets = ['paypay', 'merpay', 'rakutenpay', 'aupay', 'linepay', 'alipay', 'wechatpay', 'paidy'] as const

const phoneOf = <const Phone extends v.GenericSchema<unknown, string | undefined>>(number: Phone) =>
  v.pipe(number, v.description("The customer's telephone number."))

const expiryDays = (min: number) =>
  v.pipe(
    optional(integer(min, 59)),
    v.description(
      `The number of days that the customer has to pay. The payment expires at the end of the last day in Japan${min === 0 ? ': with 0, at the end of today' : ''}. Default: 3.`,
    ),
  )

/** The payment details of every type, with `email` as the field of the types that need an e-mail address. */
const detailsOf = <Email extends v.GenericSchema<unknown, string | undefined>>(email: Email) =>
  v.variant(
    'type',
    [
      credit_card,
      v.object({
        type: typeOf(v.literal('konbini')),
        email: emailOf(email),
        phone: phoneOf(optional(phone)),
        expiry_days: expiryDays(0),
        store: v.pipe(oneOf(konbini_stores), v.description('The chain of convenience stores where the customer pays.')),
      }),
      v.object({
        type: typeOf(v.literal('pay_easy')),
        email: emailOf(email),
        phone: phoneOf(phone),
        ...names,
      }),
      v.object({
        type: typeOf(v.literal('bank_transfer')),
        email: emailOf(email),
        phone: phoneOf(phone),
        expiry_days: expiryDays(1),
        ...names,
      }),
      v.object({
        type: typeOf(v.picklist(['bit_cash', 'net_cash', 'web_money'])),
        email: emailOf(email),
        prepaid_number: v.pipe(
          text(64),
          v.description('The number of the prepaid card or voucher. At most its last four characters are returned.'),
        ),
      }),
      v.object({ type: typeOf(v.picklist(['paysafe_cash', 'mobile'])), email: emailOf(email) }),
      v.object({
        type: typeOf(v.literal('japan_mobile')),
        email: emailOf(email),
        brand: v.pipe(oneOf(carriers), v.description("The customer's mobile carrier.")),
      }),
      v.object({
        type: typeOf(v.literal('retailer_account')),
        email: emailOf(optional(email)),
        user_no: v.pipe(name, v.description("The number of the customer's account at the retailer.")),
        user_password: v.pipe(
          name,
          v.description("The password of the customer's account at the retailer. It is never returned."),
        ),
      }),
      v.object({ type: typeOf(v.picklist(wallets)), email: emailOf(optional(email)) }),
    ],
    (issue) => (issue.path ? faults.invalid_payment_type : DETAILS_FAULT),
  )

/** Payment details as an object. `type` determines its fields. */
export const payment_details_object = detailsOf(email) satisfies v.GenericSchema<unknown, PaymentDetails>

const token_id = v.pipe(
  v.string(),
  v.regex(/^tok_[A-Za-z0-9_.-]{1,250}$/, faults.invalid_token),
  v.description('The id of a token or of a verified secure token. It can be used once.'),
)

/** Payment details as an object, or the id of a token for them. */
export const payment_details = chosenOf([payment_details_object, token_id], (input) =>
  typeof input === 'string' ? token_id : payment_details_object,
)

const details_without_email = detailsOf(optional(email)) satisfies v.GenericSchema<unknown, PaymentDetails>

/**
 * The payment details of a session. A missing e-mail address is not refused here, because the session can have one.
 */
export const session_payment_details = chosenOf([details_without_email, token_id], (input) =>
  typeof input === 'string' ? token_id : details_without_email,
)

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
