import type { DeclineCode } from './errors.ts'
import type { ShownDetails } from './payment-details.ts'

/** Test and live are two merchants: they share nothing but their account. */
export type Mode = 'test' | 'live'

export const payment_statuses = [
  'pending',
  'authorized',
  'captured',
  'refunded',
  'cancelled',
  'expired',
  'failed',
] as const

export type PaymentStatus = (typeof payment_statuses)[number]

/** The events that a webhook of a payment can name. */
export const payment_events = [
  'payment.authorized',
  'payment.captured',
  'payment.updated',
  'payment.expired',
  'payment.cancelled',
  'payment.refund.created',
  'payment.refunded',
  'payment.failed',
  'payment.marked.as.fraud',
] as const

export type PaymentEvent = (typeof payment_events)[number]

/** Values are returned exactly as they were sent. */
export type Metadata = Readonly<Record<string, string | number | boolean>>

export interface Refund {
  readonly id: string
  readonly amount: number
  readonly currency: string
  readonly payment: string
  readonly description: string | null
  readonly chargeback: boolean
  readonly created_at: string
}

export interface RefundRequest {
  readonly id: string
  readonly payment: string
  readonly amount: number
  readonly currency: string
  readonly customer_name: string
  readonly bank_name: string
  readonly bank_code: string | null
  readonly branch_name: string | null
  readonly branch_number: string
  readonly account_type: 'normal' | 'checking' | 'savings'
  /** Masked to its last three digits. */
  readonly account_number: string
  readonly include_payment_method_fee: boolean
  readonly description: string | null
  readonly status: 'pending' | 'completed' | 'rejected'
  readonly created_at: string
}

/** A webhook of this payment alone. The secret is sealed in the vault. */
export interface PaymentWebhook {
  readonly url: string
  readonly events: readonly PaymentEvent[]
  readonly secret_sealed: string | null
}

/**
 * An operation that is out at the acquirer: its outcome is not known yet, so its money counts as spent. `attempt` names
 * the row that carries it.
 */
export interface InFlight {
  readonly operation: Operation
  readonly attempt: number
  readonly amount: number
  readonly tax: number
  readonly refund_id: string | null
  readonly description: string | null
}

export type Operation = 'charge' | 'capture' | 'refund' | 'void'

/** One try to capture one interval of a subscription: both count from 0. */
export interface Occurrence {
  readonly subscription: string
  readonly interval: number
  readonly try: number
}

/** A payment as it is kept. The merchant sees the reference's fields of it (`shared/resources/payment.ts`). */
export interface Payment {
  readonly id: string
  readonly version: number
  readonly status: PaymentStatus
  readonly amount: number
  readonly tax: number
  readonly payment_method_fee: number
  readonly total: number
  readonly currency: string
  readonly customer: string | null
  readonly session: string | null
  readonly payment_deadline: string
  readonly payment_details: ShownDetails
  readonly description: string | null
  readonly captured_at: string | null
  readonly external_order_num: string | null
  readonly metadata: Metadata
  readonly created_at: string
  readonly amount_refunded: number
  readonly locale: string
  readonly refunds: readonly Refund[]
  readonly refund_requests: readonly RefundRequest[]

  /** Which try of which interval of a subscription it is; null for what a merchant charges. */
  readonly occurrence: Occurrence | null
  /** The secure token whose owner has passed 3-D Secure for it. */
  readonly verified_by: string | null
  /** Whether a card is charged at once, or held until it is captured. */
  readonly capture: boolean
  /** What was authorised, in all: the upper bound of a capture. */
  readonly authorized_total: number
  readonly return_url: string | null
  readonly webhooks: readonly PaymentWebhook[]
  readonly fraud_details: Readonly<Record<string, string>> | null
  /** Why the payment failed. */
  readonly failure: DeclineCode | 'fraudulent' | null
  readonly in_flight: readonly InFlight[]
}

/**
 * One operation sent to the acquirer, written before it is sent. `key` is what the acquirer knows it by, so that asking
 * twice charges once; `inquire_at` is when its outcome is asked for, null once it is known.
 */
export interface Attempt {
  readonly version: number
  readonly payment: string
  /** The version of the payment that this attempt was written with. */
  readonly number: number
  readonly operation: Operation
  /** Whose acquirer it was sent to. */
  readonly mode: Mode
  readonly key: string
  readonly amount: number
  readonly sent_at: string
  readonly inquiries: number
  readonly outcome: Outcome | null
  readonly inquire_at: string | null
  /** The look-up half of the token that the charge spends, to be deleted with the outcome. */
  readonly token: string | null
}

/** What the acquirer says of one operation. `shown` holds what the customer must know: codes, account, redirect_url. */
export type Outcome =
  | {
      readonly result: 'captured' | 'authorized' | 'pending' | 'done'
      readonly shown?: Readonly<Record<string, string>>
    }
  | { readonly result: 'declined'; readonly code: DeclineCode | 'fraudulent' }
  | { readonly result: 'never_arrived' }

/** What a payment is made from: the request's own details, a token's, or a customer's, as far as they may be shown. */
export interface PaymentSource {
  readonly shown: ShownDetails
  /** How long a cash payment may wait; absent, as long as its type does. */
  readonly expiry_days: number | null
}
