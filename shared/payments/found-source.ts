import type { PaymentSource } from '#shared/domain/payment.ts'
import { type Change, unchanged } from '#shared/store/change.ts'
import { type Card, cards } from '#shared/store/customers.ts'

/** A source that was found, and the changes that belong in the transaction that uses the source. */
export interface FoundSource extends PaymentSource {
  /** The look-up half of a token's id, or the id of a secure token. Absent for any other source. */
  readonly token?: string
  /** The id of a secure token, whose card has passed 3-D Secure or does not need it. Absent for any other source. */
  readonly verified_by?: string
  /** The provider's own id of the hold that the verification of a secure token has made. */
  readonly reference?: string
  /** The customer's stored card. Absent for a source whose payment details come from the request or from a token. */
  readonly card?: Card
  /**
   * Returns the changes that begin a charge for `user`, the id of a payment. They spend a token, and check the version
   * of a customer's card. The details of a token stay stored until the outcome of the charge is known.
   */
  use(user: string): Change[]
  /**
   * Returns the changes that use up the source at once for `user`, the id of a customer or of a secure token. They
   * check the version of a customer's card, and erase the details of a token.
   */
  useUp(user: string): Change[]
}

/**
 * Returns the version check that a card is still stored. The result is empty if `user` is the customer of the card,
 * because the write that replaces the card makes the same check.
 */
export const stillStored = (card: Card, user: string): Change[] =>
  card.customer === user ? [] : [unchanged(cards, card)]
