import type { Operation, Outcome } from '#shared/domain/payment.ts'
import type { PaymentDetails } from '#shared/domain/payment-details.ts'

/** One operation as the acquirer is asked for it. */
export interface Order {
  /** Asking twice with one key does it once: the second answer is the first. */
  readonly key: string
  readonly operation: Operation
  /** The key of the charge that is captured, given back or voided. */
  readonly charge: string
  readonly payment: string
  /** In the currency's smallest unit, tax and fee included. */
  readonly amount: number
  readonly currency: string
  /** Whether a card is charged at once or held. */
  readonly capture: boolean
  /** Which interval of a subscription it charges, from 0; null for what is no subscription. */
  readonly interval: number | null
  /** Only a charge has them. */
  readonly details?: PaymentDetails
  /** Whether the card's owner has passed 3-D Secure for it already. */
  readonly verified: boolean
  /** Where a customer goes who has to act elsewhere first. */
  readonly redirect_url: string
  /** Where a customer reads how to pay in cash. */
  readonly instructions_url: string
}

/** Who moves the money. */
export interface Acquirer {
  /** Asks for an operation. Throws `OutcomeUnknown` when no answer, or none that can be understood, came back. */
  send(order: Order): Promise<Outcome>
  /** Whether the owner of these details has to pass 3-D Secure before they can be charged. */
  needsVerification(details: PaymentDetails): boolean
  /**
   * What became of an operation, without doing it. With `final`, what has not arrived by now is turned away from now on,
   * so that `never_arrived` stays true. Throws `OutcomeUnknown` when it cannot be said yet.
   */
  inquire(key: string, options?: { readonly final?: boolean }): Promise<Outcome>
}

/** The acquirer may have done it, or not: never a failure, and nothing is charged again to find out. */
export class OutcomeUnknown extends Error {
  override readonly name = 'OutcomeUnknown'
}

/** The acquirer knows this key already and does not repeat its answer: an inquiry will tell it. */
export class DuplicateOrder extends OutcomeUnknown {}
