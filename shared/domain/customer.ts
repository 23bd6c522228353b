import type { Metadata } from './payment.ts'
import type { PaymentType } from './payment-details.ts'

/** What may be shown of a customer's stored payment details. All but the type is null for what is no card. */
export interface Source {
  readonly type: PaymentType
  readonly brand: string | null
  readonly last_four_digits: string | null
  readonly month: number | null
  readonly year: number | null
}

/** A customer as it is kept. The payment details themselves rest in the vault. */
export interface Customer {
  readonly id: string
  readonly version: number
  readonly email: string | null
  /** Shown in the customer embedded in a subscription only. */
  readonly currency: string | null
  readonly source: Source | null
  readonly metadata: Metadata
  readonly created_at: string
  /** Shown in the customer embedded in a subscription only. */
  readonly updated_at: string
}
