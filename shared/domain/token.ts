import type { PaymentSource } from './payment.ts'

/** A token as it is kept. Its id is the look-up half and the card's key together, so the whole id is known to the client alone. */
export interface Token extends PaymentSource {
  /** The half of the id that the record is found by. */
  readonly lookup: string
  readonly version: number
  /** The only currency of a payment made with it; null for any. */
  readonly currency: string | null
  /** The payment details, sealed under the vault and the other half of the id, as base64. */
  readonly sealed: string
  readonly created_at: string
  readonly expires_at: string
  /** The payment that used it up. */
  readonly spent_by: string | null
}
