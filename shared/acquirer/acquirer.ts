import type { Operation, Outcome } from '#shared/domain/payment.ts'
import type { PaymentDetails } from '#shared/domain/payment-details.ts'

/** One operation as it is sent to the acquirer. */
export interface Order {
  /** The acquirer executes one order per key. A repeated order gets the outcome of the first. */
  readonly key: string
  readonly operation: Operation
  /**
   * The key of the charge that is captured, refunded or voided. In the order of a charge, it is the charge's own key.
   */
  readonly charge: string
  readonly payment: string
  /** In the currency's smallest unit, including tax. The amount of a charge also includes the payment method fee. */
  readonly amount: number
  readonly currency: string
  /** Whether a card is charged at once. Otherwise its amount is authorized and captured later. */
  readonly capture: boolean
  /** The number of the subscription's interval that is charged. The first is 0. Null for any other payment. */
  readonly interval: number | null
  /** The payment details. Only a charge has them. */
  readonly details?: PaymentDetails
  /** Whether the cardholder has already passed 3-D Secure for this charge. */
  readonly verified: boolean
  /** The page for a customer who has to approve the payment off-site first. */
  readonly redirect_url: string
  /** The page that shows a customer how to pay in cash. */
  readonly instructions_url: string
}

/** The port to the company that moves the money. */
export interface Acquirer {
  /** Sends an order and returns its outcome. Throws `OutcomeUnknown` if there is no response or an invalid one. */
  send(order: Order): Promise<Outcome>
  /** Whether a customer with these payment details has to pass 3-D Secure before the charge. */
  needsVerification(details: PaymentDetails): boolean
  /**
   * The outcome of an operation, without executing it. With `final`, an order that has not arrived yet is rejected when
   * it arrives, so `never_arrived` stays true. Throws `OutcomeUnknown` if the outcome cannot be determined yet.
   */
  inquire(key: string, options?: { readonly final?: boolean }): Promise<Outcome>
}

/**
 * Thrown when the outcome of an operation is unknown, because the acquirer may or may not have executed the operation.
 * An unknown outcome is never treated as a failure. No charge is repeated to determine the outcome.
 */
export class OutcomeUnknown extends Error {
  override readonly name = 'OutcomeUnknown'
}

/**
 * Thrown when the acquirer already has an order with this key and does not repeat its outcome. An inquiry returns the
 * outcome.
 */
export class DuplicateOrder extends OutcomeUnknown {}
