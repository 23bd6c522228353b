import type { Operation, Outcome, VoidReason } from '#shared/domain/payment.ts'
import type { PaymentDetails, PaymentType } from '#shared/domain/payment-details.ts'

/** An operation that is wanted, as far as it is known. A field is null if the request does not fix it. */
export interface WantedOrder {
  readonly type: PaymentType
  /** The convenience store or the mobile carrier. */
  readonly brand: string | null
  readonly currency: string | null
  /** In the currency's smallest unit, including tax and fee. */
  readonly amount: number | null
  /** Until when the customer can pay. */
  readonly deadline: string | null
  /** Set if the amount is captured or refunded from a charge. The limits of a whole charge do not apply to it. */
  readonly is_part?: true
}

/** One operation as it is sent to the acquirer. */
export interface Order {
  /** The acquirer executes one order per key. A repeated order gets the outcome of the first. */
  readonly key: string
  readonly operation: Operation
  /**
   * The key of the charge that is captured, refunded or voided. In the order of a charge, it is the charge's own key.
   */
  readonly charge: string
  readonly merchant: string
  readonly payment: string
  /** The number of the operation's attempt. */
  readonly attempt: number
  /** The payment type of the charge. */
  readonly type: PaymentType
  /** The convenience store where the customer pays; null for any other payment type. */
  readonly store: string | null
  /** In the currency's smallest unit, including tax. The amount of a charge also includes the payment method fee. */
  readonly amount: number
  readonly currency: string
  /** Whether a card is charged at once. Otherwise its amount is authorized and captured later. */
  readonly capture: boolean
  /** The number of the subscription's interval that is charged. The first is 0. Null for any other payment. */
  readonly interval: number | null
  /** The payment details. Only a charge has them, and only when it is sent. */
  readonly details?: PaymentDetails
  /** Whether the cardholder has already passed 3-D Secure for this charge. */
  readonly verified: boolean
  /** When the operation was first sent. */
  readonly sent_at: string
  /** The deadline of the payment. */
  readonly deadline: string
  /** The language of the customer. */
  readonly locale: string
  /** The name of the shop as customers see it. Absent in an order whose customer does not pay at a convenience store. */
  readonly shop?: string
  /** The acquirer's own id of this operation; null while it is unknown. */
  readonly reference: string | null
  /** The acquirer's own id of the charge that is captured, refunded or voided; null for a charge, or if it is unknown. */
  readonly of: string | null
  /** The customer whose stored card is charged, by the acquirer's own id; null for any other charge. */
  readonly customer: { readonly reference: string } | null
  /** The page of ours for a customer who has to approve the payment off-site, where the sandbox plays the provider. */
  readonly redirect_url: string
  /** The page of ours to which the provider sends the customer back. */
  readonly return_url: string
  /** The page that shows a customer how to pay in cash. */
  readonly instructions_url: string
  /** Only a void has a reason. */
  readonly because?: VoidReason
}

/** A card whose holder may have to pass 3-D Secure before the charge. */
export interface Verification {
  /** The id of the secure token. It is the key of the verification. */
  readonly token: string
  readonly merchant: string
  readonly details: PaymentDetails
  /** In the currency's smallest unit. */
  readonly amount: number
  readonly currency: string
  /** The page of ours to which the provider sends the customer back. */
  readonly return_url: string
}

/**
 * The start of a verification. `redirect_url` is the page of the cardholder's bank. It is null if a page of ours stands
 * in for the bank, and if no verification is needed.
 */
export interface Verified {
  readonly needs_verification: boolean
  readonly redirect_url: string | null
  /** The acquirer's own id of the verification; null if it has none. */
  readonly reference: string | null
}

/** Whether an inquiry ends an order that has not taken effect. */
export interface InquiryOptions {
  readonly final?: boolean
}

/** The port to the company that moves the money. Every `within_ms` is the time that an acquirer may take to respond. */
export interface Acquirer {
  /**
   * Refuses a charge that can never be made here: its payment type, store, currency, amount or deadline. Refuses a
   * capture or a refund of an amount that can never be made here. It is called before anything is written, and does no
   * I/O.
   */
  accepts(order: WantedOrder): void
  /** Sends an order and returns its outcome. Throws `OutcomeUnknown` if there is no response or an invalid one. */
  send(order: Order, within_ms: number): Promise<Outcome>
  /**
   * Returns the outcome of an order, without executing it. With `final`, an order that has not taken effect yet never
   * takes effect, so `never_arrived` stays true. Throws `OutcomeUnknown` if the outcome cannot be determined yet.
   */
  inquire(order: Order, options: InquiryOptions, within_ms: number): Promise<Outcome>
  /**
   * The operations that are sent again under their key when their outcome is unknown. They are wanted no matter when
   * they take effect. Every other operation is given up if it has not taken effect.
   */
  readonly repeats: ReadonlySet<Operation>
  /** Starts the verification of a card. Throws `OutcomeUnknown` if there is no response or an invalid one. */
  verify(verification: Verification, within_ms: number): Promise<Verified>
}

/**
 * Thrown when the outcome of an operation is unknown, because the acquirer may or may not have executed the operation.
 * An unknown outcome is never treated as a failure. No charge is repeated to determine the outcome. `reference` is the
 * acquirer's own id of the operation, if it was learned before the outcome was lost.
 */
export class OutcomeUnknown extends Error {
  override readonly name = 'OutcomeUnknown'
  readonly reference: string | undefined
  /** Whether the acquirer has answered, although the answer does not say the outcome. */
  readonly is_answered: boolean = false
  constructor({ reference }: { readonly reference?: string } = {}) {
    super('the outcome of an operation is unknown')
    this.reference = reference
  }
}

/**
 * Thrown when the acquirer already has an order with this key and does not repeat its outcome. An inquiry returns the
 * outcome.
 */
export class DuplicateOrder extends OutcomeUnknown {
  override readonly is_answered = true
}
