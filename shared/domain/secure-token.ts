import { Refusal } from './errors.ts'
import { taxOn } from './new-payment.ts'
import type { PaymentSource, Provider } from './payment.ts'
import { timestamp } from './timestamp.ts'

/**
 * The 3-D Secure status of a secure token. `SKIPPED`: the card needs no 3-D Secure. Only a token with the status `OK`
 * or `SKIPPED` can pay.
 */
export const verification_statuses = ['NEEDS_VERIFY', 'OK', 'ERRORED', 'SKIPPED'] as const

export type VerificationStatus = (typeof verification_statuses)[number]

/** A stored card of a customer. Each card that a customer stores has its own version. */
export interface CustomerCard {
  readonly customer: string
  readonly version: number
}

/** 3-D Secure at a provider outside of this service. The provider holds the amount of the secure token. */
export interface ProviderVerification {
  readonly provider: Provider
  /** The provider's own id of the hold. The payment that uses the secure token takes its money from it. */
  readonly reference: string
  /** The page of the cardholder's bank; null if the card needs no 3-D Secure. */
  readonly redirect_url: string | null
}

/**
 * A secure token as stored: payment details for one payment, which can be used after their owner has passed 3-D Secure.
 */
export interface SecureToken extends PaymentSource {
  readonly id: string
  readonly version: number
  readonly verification_status: VerificationStatus
  /** Whether the card requires 3-D Secure. */
  readonly needs_verification: boolean
  /** The amount of the payment that the token is for, in the currency's smallest unit. */
  readonly amount: number
  readonly currency: string
  readonly return_url: string
  /**
   * The payment details, sealed by the vault, as base64. Null for a customer's card, and after the details are erased:
   * when the outcome of their charge is recorded, when a customer or another secure token uses them, when 3-D Secure
   * fails, and when the hour of the token ends.
   */
  readonly sealed: string | null
  /**
   * The customer's card that the secure token pays with, without a copy of it. Null for a secure token with its own
   * payment details. Absent in records that are older than this field.
   */
  readonly customer_card?: CustomerCard | null
  /**
   * The 3-D Secure at a provider, until the hour of the token ends. Null or absent where a page of ours stands in for it.
   */
  readonly at_provider?: ProviderVerification | null
  readonly created_at: string
  readonly expires_at: string
  /** The payment, customer or other secure token that used this token. */
  readonly spent_by: string | null
}

const SECURE_TOKEN_LIFE_MS = 60 * 60_000

/** What a secure token is created with: its payment, and its own payment details or a customer's card. */
type NewSecureToken = Pick<
  SecureToken,
  'id' | 'amount' | 'currency' | 'return_url' | 'needs_verification' | 'at_provider'
> &
  PaymentSource &
  (
    | { readonly sealed: string; readonly customer_card: null }
    | { readonly sealed: null; readonly customer_card: CustomerCard }
  )

/** Returns a new secure token, which waits for 3-D Secure and expires after 60 minutes. */
export const newSecureToken = (fields: NewSecureToken, now: number): SecureToken => ({
  ...fields,
  version: 0,
  verification_status: 'NEEDS_VERIFY',
  created_at: timestamp(now),
  expires_at: timestamp(now + SECURE_TOKEN_LIFE_MS),
  spent_by: null,
})

/** The decisions on the page of a secure token, and the status that each leads to. */
export const decisions = { authenticate: 'OK', fail: 'ERRORED', skip: 'SKIPPED' } as const satisfies Readonly<
  Record<string, VerificationStatus>
>

/**
 * Returns the secure token after a decision of its customer. A decided token stays unchanged. A token that failed 3-D
 * Secure can never be used, so its payment details are erased.
 */
export function verified(token: SecureToken, decision: keyof typeof decisions): SecureToken {
  if (token.verification_status !== 'NEEDS_VERIFY') return token
  const next = { ...token, verification_status: decisions[decision] }
  return decision === 'fail' ? erased(next) : next
}

/** Returns the secure token after `user` (a payment, a customer or another secure token) has used it. */
export const spent = (token: SecureToken, user: string): SecureToken => ({ ...token, spent_by: user })

/** Returns the secure token without its payment details. It can still be shown. */
export const erased = (token: SecureToken): SecureToken => ({ ...token, sealed: null })

export const isOver = ({ expires_at }: SecureToken, now: number): boolean => now >= Date.parse(expires_at)

/**
 * Whether the secure token has something to pay with. A record without `customer_card` can hold a copy of a card that
 * its customer has since deleted, so it is never used.
 */
const hasDetails = ({ sealed, customer_card }: SecureToken): boolean =>
  customer_card === null ? sealed !== null : customer_card !== undefined

/** The price of a payment that uses a secure token, in the currency's smallest unit. */
export interface Price {
  readonly amount?: number | null
  readonly tax?: number | 'auto'
  readonly currency?: string | null
}

/**
 * Refuses a secure token that cannot pay. A token that is not verified, already used, expired or without payment
 * details is refused with `invalid_token`. Another currency is refused with `invalid_currency`. A price is
 * refused with `invalid_parameter` if the token's amount is neither the price's amount nor that amount plus tax. The
 * caller checks that a customer's card is still stored.
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
      message: `currency must be ${token.currency}, for which the secure token was made.`,
    })
  if (typeof amount !== 'number') return
  const total = amount + taxOn(amount, price.tax)
  // A hold at a provider cannot be raised by the tax.
  if (token.amount !== total && (token.amount !== amount || token.at_provider))
    throw new Refusal('invalid_parameter', {
      param: 'amount',
      message: `amount must be ${token.amount}, for which the secure token was made.`,
    })
}
