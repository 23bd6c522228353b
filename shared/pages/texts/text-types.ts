import type { DeclineCode } from '#shared/domain/errors.ts'
import type { FieldName } from '#shared/pages/session/payment-form.ts'

/** The texts of one field: its label, its hint and its error messages. */
export interface FieldText {
  readonly label: string
  readonly hint?: string
  readonly missing: string
  readonly invalid: string
}

/** A heading and a sentence below it. */
export interface Notice {
  readonly title: string
  readonly text: string
}

/** The reason why a customer does not see the requested page. */
export type Problem = 'not_found' | 'forbidden' | 'too_large' | 'unreadable' | 'conflict' | 'unavailable' | 'internal'

/** The decline reasons that have a sentence of their own. */
export type DeclineReason = DeclineCode | 'failed_authentication' | 'general'

/** The state of a session, a payment or a secure token, as a page shows it instead of a form. */
export type Ending =
  | 'completed'
  | 'reserved'
  | 'cancelled'
  | 'expired'
  | 'processing'
  | 'failed'
  | 'unfinished'
  | 'verified'
  | 'unverified'
  | 'paid'

/** All texts of the pages in one language. */
export interface Texts {
  readonly secure: string
  readonly language: string
  readonly encrypted: string
  readonly test_mode: Notice
  readonly test_site: Notice
  readonly heading: string
  readonly save_card_heading: string
  readonly save_card_note: string
  readonly items: string
  readonly item: string
  readonly subtotal: string
  readonly tax: string
  readonly total: string
  readonly amount: string
  /** The label of the amount of a fee. */
  readonly fee_label: string
  readonly fee: (amount: string) => string
  readonly cash_note: string
  /** The note after the label of a field that may stay empty, in brackets. */
  readonly optional: string
  readonly pay: (amount: string) => string
  readonly save_card: string
  readonly processing: string
  readonly cancel: string
  readonly error: string
  readonly faulty: string
  readonly not_paid: string
  readonly not_saved: string
  readonly declined: Readonly<Record<DeclineReason, string>>
  readonly fields: Readonly<Record<FieldName, FieldText>>
  readonly endings: Readonly<Record<Ending, Notice>>
  readonly card_saved: Notice
  readonly continuing: string
  readonly back_to_shop: string
  readonly back_to_app: string
  readonly see_instructions: string
  readonly check_again: string
  readonly card: string
  readonly method: string
  readonly approve_heading: (name: string) => string
  readonly approve: string
  readonly decline: string
  readonly authenticate_heading: string
  readonly authenticate_note: string
  readonly authenticate: string
  readonly fail: string
  readonly close: string
  readonly instructions_heading: (name: string) => string
  readonly deadline: string
  readonly numbers: string
  readonly steps: string
  readonly codes: Readonly<Record<CodeName, string>>
  readonly pay_easy_steps: readonly string[]
  readonly bank_transfer_steps: readonly string[]
  readonly print: string
  readonly simulate: string
  readonly problems: Readonly<Record<Problem, Notice>>
  readonly request: string
}

/** The codes that a customer needs to pay in cash. */
export type CodeName =
  | 'store'
  | 'receipt'
  | 'confirmation_code'
  | 'bank_id'
  | 'customer_id'
  | 'confirmation_id'
  | 'bank_name'
  | 'account_branch_name'
  | 'account_type'
  | 'account_number'
  | 'account_name'
  | 'order_id'
