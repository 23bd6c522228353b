import type { PaymentType, ShownDetails } from '#shared/domain/payment-details.ts'
import type { Locale, Session } from '#shared/domain/session.ts'
import type { FieldName } from './payment-form.ts'

/** The input of the page of a session. */
export interface SessionPageInput {
  readonly session: Session
  readonly locale: Locale
  /** The payment methods in any order, each with its fee and its total in the currency's smallest unit. */
  readonly methods: readonly { readonly type: PaymentType; readonly fee: number; readonly total: number }[]
  /** The stored card of the session's customer. */
  readonly stored_card?: ShownDetails
  /** Epoch milliseconds. */
  readonly now: number
  /** Whether the page says that no money moves. */
  readonly sandbox: boolean
  /** The type of payment that the customer tried. */
  readonly chosen?: PaymentType
  /** The values that the customer typed into the form of the chosen type. */
  readonly typed?: Readonly<Record<string, string>>
  readonly faults?: Readonly<Partial<Record<FieldName, 'missing' | 'invalid'>>>
  /** The error code of the failed try. */
  readonly declined?: string
}
