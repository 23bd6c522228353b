import { taxOn } from './create-payment.ts'
import { Refusal } from './errors.ts'
import type { PaymentSource } from './payment.ts'

/** `SKIPPED`: the card needs no 3-D Secure. With `OK` and `SKIPPED` it can be paid. */
export type VerificationStatus = 'NEEDS_VERIFY' | 'OK' | 'ERRORED' | 'SKIPPED'

/** A stored card of a customer. Each card that a customer stores has a version of its own. */
export interface CustomerCard {
  readonly customer: string
  readonly version: number
}

/** A secure token as it is kept: payment details for one payment, once their owner has passed 3-D Secure. */
export interface SecureToken extends PaymentSource {
  readonly id: string
  readonly version: number
  readonly verification_status: VerificationStatus
  /** Whether the card asks for 3-D Secure at all. */
  readonly needs_verification: boolean
  /** Of the payment that it is for, in the currency's smallest unit. */
  readonly amount: number
  readonly currency: string
  readonly return_url: string
  /**
   * The payment details, sealed under the vault, as base64. Null for a customer's card, and once the details are erased:
   * when the secure token is used, when 3-D Secure fails, and when its hour ends.
   */
  readonly sealed: string | null
  /**
   * The customer's card that the secure token pays with, of which it keeps no copy; null when it was made from payment
   * details or a token. Absent in records that were made before this field was kept.
   */
  readonly customer_card?: CustomerCard | null
  readonly created_at: string
  readonly expires_at: string
  /** The payment or customer that used it up. */
  readonly spent_by: string | null
}

/** What the customer does on the page of a secure token, and what becomes of it. One that was decided stays as it is. */
export const decisions = { authenticate: 'OK', fail: 'ERRORED', skip: 'SKIPPED' } as const satisfies Readonly<
  Record<string, VerificationStatus>
>

/** The secure token after a decision of its customer. One that failed 3-D Secure can never be used, so its details are erased. */
export function verified(token: SecureToken, decision: keyof typeof decisions): SecureToken {
  if (token.verification_status !== 'NEEDS_VERIFY') return token
  const next = { ...token, verification_status: decisions[decision] }
  return decision === 'fail' ? erased(next) : next
}

/** The secure token once `user`, a payment, a customer or another secure token, has used it. */
export const spent = (token: SecureToken, user: string): SecureToken => ({ ...token, spent_by: user })

/** The secure token without its payment details. It can still be shown. */
export const erased = (token: SecureToken): SecureToken => ({ ...token, sealed: null })

export const isOver = ({ expires_at }: SecureToken, now: number): boolean => now >= Date.parse(expires_at)

/**
 * Whether there is something to pay with. A record without `customer_card` may hold a copy of a card that its customer
 * has deleted since, so it is not used.
 */
const hasDetails = ({ sealed, customer_card }: SecureToken): boolean =>
  customer_card === null ? sealed !== null : customer_card !== undefined

/** What a payment with a secure token is for, in the currency's smallest unit. */
export interface Price {
  readonly amount?: number | null
  readonly tax?: number | 'auto'
  readonly currency?: string | null
}

/**
 * Refuses with `invalid_token` a secure token that is not verified, was used or is past, and a payment of another amount
 * (with or without its tax) or currency than it was verified for. Whether a customer's card is still stored is checked
 * with the card.
 */
export function refuseUnusable(
  token: SecureToken | undefined,
  price: Price,
  now: number,
): asserts token is SecureToken {
  const usable =
    token &&
    hasDetails(token) &&
    !token.spent_by &&
    !isOver(token, now) &&
    ['OK', 'SKIPPED'].includes(token.verification_status)
  if (!usable) throw new Refusal('invalid_token', { param: 'payment_details' })
  const { amount, currency } = price
  if (currency && currency !== token.currency)
    throw new Refusal('invalid_currency', {
      param: 'currency',
      message: `The secure token was made for ${token.currency}.`,
    })
  if (typeof amount === 'number' && ![amount, amount + taxOn(amount, price.tax)].includes(token.amount))
    throw new Refusal('invalid_parameter', {
      param: 'amount',
      message: `The secure token was made for an amount of ${token.amount}.`,
    })
}
