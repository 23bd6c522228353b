import type { Metadata, PaymentWebhook } from './payment.ts'
import type { PaymentType } from './payment-details.ts'

/** The languages of the pages for customers. */
export const locales = ['ja', 'en', 'ko'] as const
export type Locale = (typeof locales)[number]

/**
 * The modes of a session. `payment`: the customer pays. `customer`: the customer stores a card that is charged later.
 */
export const session_modes = ['payment', 'customer'] as const
export type SessionMode = (typeof session_modes)[number]

export const session_statuses = ['pending', 'completed', 'cancelled'] as const
export type SessionStatus = (typeof session_statuses)[number]

/**
 * One item of a purchase, as the merchant describes it. `amount` is the price of one, in the currency's smallest unit.
 */
export interface LineItem {
  readonly amount: number | null
  readonly description: string | null
  readonly quantity: number | null
  readonly image: string | null
}

/**
 * A session as stored: one purchase that one customer pays, with any of its payment types and in several tries if
 * needed.
 */
export interface Session {
  readonly id: string
  readonly version: number
  readonly mode: SessionMode
  readonly status: SessionStatus
  /** The amount before tax, in the currency's smallest unit; null if the session takes no payment. */
  readonly amount: number | null
  readonly currency: string | null
  readonly tax: number
  /** Whether a card is charged at once. Otherwise its amount is authorized until a capture. */
  readonly capture: boolean
  readonly external_order_num: string | null
  /** The webhooks of the session's payments. Their secrets are sealed for the session. */
  readonly webhooks: readonly PaymentWebhook[]
  readonly return_url: string | null
  readonly default_locale: Locale
  /** What customers saw as the name of the merchant when the session was created; null or absent in older records. */
  readonly merchant_name?: string | null
  /** The payment types that the customer can choose, in the order of the request or else of the API reference. */
  readonly payment_types: readonly PaymentType[]
  /** The convenience stores that the customer can choose; absent if these are all stores. */
  readonly stores?: readonly string[]
  readonly email: string | null
  readonly line_items: readonly LineItem[]
  readonly metadata: Metadata
  /** The payment of the latest try. No earlier payment is open, because a new try gives up the one before. */
  readonly payment: string | null
  /** The number of tries to pay the session. */
  readonly tries: number
  /** The secure token that was used in the latest try. */
  readonly secure_token: string | null
  /** The customer who pays the session, or whom a session of mode `customer` has stored. */
  readonly customer_id: string | null
  readonly created_at: string
  readonly expires_at: string
  readonly completed_at: string | null
  readonly cancelled_at: string | null
}

/** Whether a session ran out of time before it was completed or cancelled. Takes epoch milliseconds. */
export const isExpired = ({ status, expires_at }: Session, now: number): boolean =>
  status === 'pending' && now >= Date.parse(expires_at)
