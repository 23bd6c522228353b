import type { Metadata } from './payment.ts'
import type { PaymentType } from './payment-details.ts'

/**
 * The part of a customer's stored payment details that can be shown. For payment details other than a card, every field
 * except `type` is null.
 */
export interface Source {
  readonly type: PaymentType
  readonly brand: string | null
  readonly last_four_digits: string | null
  readonly month: number | null
  readonly year: number | null
}

/** A customer as stored. The payment details are stored in a separate record, sealed by the vault. */
export interface Customer {
  readonly id: string
  readonly version: number
  readonly email: string | null
  /** Shown only in the customer that is embedded in a subscription. */
  readonly currency: string | null
  readonly source: Source | null
  readonly metadata: Metadata
  readonly created_at: string
  /** Shown only in the customer that is embedded in a subscription. */
  readonly updated_at: string
}
