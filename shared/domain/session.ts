import type { Metadata, PaymentWebhook } from './payment.ts'
import type { PaymentType } from './payment-details.ts'

/** The languages that a customer can be spoken to in. */
export const locales = ['ja', 'en', 'ko'] as const
export type Locale = (typeof locales)[number]

/** `payment`: the customer pays; `customer`: they leave a card that is charged later. */
export const session_modes = ['payment', 'customer'] as const
export type SessionMode = (typeof session_modes)[number]

export type SessionStatus = 'pending' | 'completed' | 'cancelled'

/** One thing that is bought, as the merchant describes it. `amount` is that of a single one, in the currency's smallest unit. */
export interface LineItem {
  readonly amount: number | null
  readonly description: string | null
  readonly quantity: number | null
  readonly image: string | null
}

/** A session as it is kept: one thing for one customer to pay, whichever way they choose and however often they try. */
export interface Session {
  readonly id: string
  readonly version: number
  readonly mode: SessionMode
  readonly status: SessionStatus
  /** Before tax, in the currency's smallest unit; null where nothing is paid. */
  readonly amount: number | null
  readonly currency: string | null
  readonly tax: number
  /** Whether a card is charged at once, or held until it is captured. */
  readonly capture: boolean
  readonly external_order_num: string | null
  /** The webhooks of the payment, with secrets that are sealed for the session. */
  readonly webhooks: readonly PaymentWebhook[]
  readonly return_url: string | null
  readonly default_locale: Locale
  /** What the customer may choose from, in the order of the page. */
  readonly payment_types: readonly PaymentType[]
  readonly email: string | null
  readonly line_items: readonly LineItem[]
  readonly metadata: Metadata
  /** The payment of the latest try. It alone can still be open: a new try gives up the one before. */
  readonly payment: string | null
  /** How often it was tried to be paid. */
  readonly tries: number
  /** The secure token that the latest try was made with. */
  readonly secure_token: string | null
  readonly customer_id: string | null
  readonly created_at: string
  readonly expires_at: string
  readonly completed_at: string | null
  readonly cancelled_at: string | null
}

/** Whether the time of a session is over before it came to an end. Takes epoch milliseconds. */
export const isExpired = ({ status, expires_at }: Session, now: number): boolean =>
  status === 'pending' && now >= Date.parse(expires_at)
