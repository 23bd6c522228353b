import { card_brands, needsEmail, type PaymentType, payment_type_rows } from './payment-details.ts'
import type { Session } from './session.ts'

/** A payment type of a session, and what it costs the customer in the currency's smallest unit. */
export interface SessionMethod {
  readonly type: PaymentType
  readonly fee: number
  /** Includes tax and fee; null if the session takes no payment. */
  readonly total: number | null
  /** Whether the customer is sent to another site to pay. */
  readonly offsite: boolean
  /** The fields of `payment_details` that the customer must be asked for before they are sent to another site. */
  readonly additional_fields: readonly string[]
}

/** Returns the payment types that the customer of a session can choose, with their costs. */
export function methodsOf(session: Session): SessionMethod[] {
  const { payment_types, amount, tax } = session
  return payment_types.map((type) => {
    const fee = amount === null ? 0 : payment_type_rows[type].fee
    const total = amount === null ? null : amount + tax + fee
    const offsite = payment_type_rows[type].flow === 'off_site'
    return { type, fee, total, offsite, additional_fields: offsite ? askedFor(type, session) : [] }
  })
}

/** The fields that a customer fills in. An e-mail address that the merchant gave is not asked for again. */
const askedFor = (type: PaymentType, { email }: Session): string[] => [
  ...(type === 'japan_mobile' ? ['brand'] : []),
  ...(needsEmail(type) && email === null ? ['email'] : []),
]

/** Whether a payment of this type can be made in a currency. */
export const isPayableIn = (type: PaymentType, currency: string): boolean =>
  (payment_type_rows[type].currency ?? currency) === currency

/** The convenience stores and mobile carriers that a request can name. */
export const konbini_stores = [
  'seven-eleven',
  'lawson',
  'family-mart',
  'ministop',
  'daily-yamazaki',
  'seicomart',
] as const
export const carriers = ['docomo', 'au', 'softbank', 'rakuten']

/** Returns the convenience stores that the customer of a session can choose. */
export const storesOf = ({ stores }: Pick<Session, 'stores'>): readonly string[] => stores ?? konbini_stores

/** The brands of a payment type. A type without brands is absent. */
export const brands_of: Readonly<Partial<Record<PaymentType, readonly string[]>>> = {
  credit_card: card_brands,
  konbini: konbini_stores,
  japan_mobile: carriers,
}
