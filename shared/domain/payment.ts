import type { DeclineCode } from './errors.ts'
import type { FailureCode } from './failure.ts'
import type { ShownDetails } from './payment-details.ts'

/** The modes of a merchant. An account has a test merchant and a live merchant, which share only the account. */
export const modes = ['test', 'live'] as const

export type Mode = (typeof modes)[number]

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

/** The events that a webhook of a payment can list. */
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

/** The merchant's own data. Values are returned exactly as they were sent. */
export type Metadata = Readonly<Record<string, string | number | boolean>>

export const refund_statuses = ['succeeded', 'pending', 'failed'] as const

export type RefundStatus = (typeof refund_statuses)[number]

export interface Refund {
  readonly id: string
  readonly amount: number
  readonly currency: string
  readonly payment: string
  readonly description: string | null
  readonly chargeback: boolean
  /** Absent in records that were stored before refunds had a status. All of those succeeded. */
  readonly status?: RefundStatus
  readonly created_at: string
  /** The acquirer's own id of a refund that was made in the acquirer's dashboard. Absent for any other refund. */
  readonly reference?: string
}

export const refund_request_statuses = ['pending', 'completed', 'rejected'] as const

/** The kinds of bank account that a refund request can be paid to. */
export const refund_account_types = ['normal', 'checking', 'savings'] as const

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
  readonly account_type: (typeof refund_account_types)[number]
  /** Masked, except for the last three characters. */
  readonly account_number: string
  readonly include_payment_method_fee: boolean
  readonly description: string | null
  readonly status: (typeof refund_request_statuses)[number]
  readonly created_at: string
}

/** A webhook of one payment. The vault seals the secret. */
export interface PaymentWebhook {
  readonly url: string
  readonly events: readonly PaymentEvent[]
  readonly secret_sealed: string | null
}

/**
 * An operation in flight at the acquirer, whose outcome is unknown. The amount of a refund in flight counts as
 * refunded. `attempt` is the number of the operation's attempt.
 */
export interface InFlight {
  readonly operation: Operation
  readonly attempt: number
  readonly amount: number
  readonly tax: number
  readonly refund_id: string | null
  readonly description: string | null
  /**
   * Set for a void that was begun at the deadline of an open payment. Any other void was begun by a cancel if the
   * payment is open, and because the payment has ended otherwise.
   */
  readonly because?: 'expired'
}

/** Why a charge is voided: the merchant cancelled, the deadline passed, or a payment that has ended was paid. */
export type VoidReason = 'cancelled' | 'expired' | 'unwanted'

export type Operation = 'charge' | 'capture' | 'refund' | 'void'

/** The acquirers that a payment can be made at. */
export const providers = ['sandbox', 'stripe'] as const

export type Provider = (typeof providers)[number]

/** One try to capture one interval of a subscription. Intervals and tries count from 0. */
export interface Occurrence {
  readonly subscription: string
  readonly interval: number
  readonly try: number
}

/** A payment as stored. `shared/resources/payment.ts` defines the fields that a merchant sees. */
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

  /** The try and interval of a subscription that this payment captures; null for a payment outside subscriptions. */
  readonly occurrence: Occurrence | null
  /** The secure token that the payment was made with. Its customer passed 3-D Secure or did not need to. */
  readonly verified_by: string | null
  /** Whether a card is charged at once. Otherwise its amount is authorized until a capture. */
  readonly capture: boolean
  /** The authorized total, including tax and fee. It is the upper bound of a capture. */
  readonly authorized_total: number
  readonly return_url: string | null
  readonly webhooks: readonly PaymentWebhook[]
  readonly fraud_details: Readonly<Record<string, string>> | null
  /** Why the payment failed; null if it has not failed. */
  readonly failure: FailureCode | null
  readonly in_flight: readonly InFlight[]
  /**
   * The acquirer where the charge began. Every later operation goes to the same acquirer. Absent or null in records that
   * are older than this field: all of those began at the sandbox.
   */
  readonly provider?: Provider | null
}

/**
 * An operation at the acquirer, stored before it is sent. The acquirer identifies the operation by `key` and executes
 * it at most once. `inquire_at` is the time of the next inquiry; null once the outcome is known or inquiries have
 * ended.
 */
export interface Attempt {
  readonly version: number
  readonly payment: string
  /** The version of the payment that was committed together with this attempt. */
  readonly number: number
  readonly operation: Operation
  /** The mode whose acquirer receives the operation. */
  readonly mode: Mode
  readonly key: string
  readonly amount: number
  readonly sent_at: string
  readonly inquiries: number
  readonly outcome: Outcome | null
  readonly inquire_at: string | null
  /**
   * The token that the charge spends: the look-up half of a token's id, or the id of a secure token. Recording the
   * outcome deletes the token, or erases the payment details of the secure token.
   */
  readonly token: string | null
  /**
   * The acquirer's own id of the operation; null while it is unknown. Absent in records that are older than this field.
   */
  readonly reference?: string | null
  /**
   * When an open payment is looked up at its acquirer next, in case a notification was lost; null if it is not watched.
   * Only the attempt of a charge has it. Absent in records that are older than this field.
   */
  readonly watch_at?: string | null
}

/**
 * The result that the acquirer reports for an operation.
 *
 * - `captured`: the amount of a charge is taken. In the outcome of a void: the customer paid before the void, and the
 *   payment keeps its money.
 * - `authorized`: the amount of a card is held, or a cash payment is reserved.
 * - `pending`: the customer has to act off-site.
 * - `done`: a capture, refund or void has taken effect.
 * - `accepted`: the acquirer executes the operation and reports the result later.
 * - `declined`: the operation has no effect.
 * - `expired`: the authorization or the reservation ended at the acquirer.
 * - `never_arrived`: the acquirer has no such operation.
 */
export type Outcome = OutcomeFacts &
  (
    | {
        readonly result: 'captured' | 'authorized' | 'pending' | 'done'
        /** What the customer must know: codes, account, `redirect_url`. */
        readonly shown?: Readonly<Record<string, string>>
        /** When the authorization, the reservation or the off-site page ends. It can only make the deadline earlier. */
        readonly until?: string
      }
    | {
        readonly result: 'declined'
        readonly code: DeclineCode | 'fraudulent'
        /** Whether a refund was declined because the cardholder disputes the payment. */
        readonly is_disputed?: true
      }
    | { readonly result: 'accepted' | 'expired' | 'never_arrived' }
  )

/** What an outcome can say besides its result. */
type OutcomeFacts = {
  /** The acquirer's own id of the operation. */
  readonly reference?: string
  /** What the acquirer keeps for itself, in the currency's smallest unit. */
  readonly fee?: number
  /**
   * The money that a void found taken, in the currency's smallest unit, because the provider's dashboard can capture a
   * part of an authorization. Absent: the total of the payment.
   */
  readonly taken?: number
}

/**
 * What a payment is made from: payment details of the request, of a token or of a customer, as far as they can be
 * shown.
 */
export interface PaymentSource {
  readonly shown: ShownDetails
  /** How many days a cash payment can wait; null for the default of its type. */
  readonly expiry_days: number | null
}
