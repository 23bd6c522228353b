import { Refusal } from './errors.ts'
import { AMOUNT_MAX } from './new-payment.ts'
import type { PaymentWebhook } from './payment.ts'
import { type PaymentType, payment_type_rows, payment_types } from './payment-details.ts'
import type { Session } from './session.ts'
import { isPayableIn } from './session-methods.ts'
import { timestamp } from './timestamp.ts'

/** What a session is created with. A session of mode `payment` has an amount and a currency. */
export interface NewSession
  extends Pick<
    Session,
    | 'mode'
    | 'tax'
    | 'return_url'
    | 'default_locale'
    | 'email'
    | 'line_items'
    | 'metadata'
    | 'external_order_num'
    | 'merchant_name'
  > {
  /** The customer whose stored card the session offers. Mode `customer` has none. */
  readonly customer?: string
  readonly amount?: number
  readonly currency?: string
  readonly capture: 'auto' | 'manual'
  /** The names as the merchant sent them. Absent or empty: every payment type that can pay the session. */
  readonly payment_types?: readonly unknown[]
  /** The payment types that the acquirer can charge. Absent: all. */
  readonly accepted?: readonly PaymentType[]
  /** The convenience stores of the acquirer. Absent: all. */
  readonly stores?: readonly string[]
  readonly expires_in_seconds: number
}

/**
 * Returns a new session. `webhooks` are those of its payments, with sealed secrets. A session of mode `customer` has no
 * amount, because it takes no payment. Refuses what `offeredTypes` refuses.
 */
export function newSession(order: NewSession, id: string, webhooks: readonly PaymentWebhook[], now: number): Session {
  const { expires_in_seconds, capture, customer = null, accepted, ...fields } = order
  return {
    ...fields,
    id,
    version: 0,
    status: 'pending',
    amount: order.mode === 'customer' ? null : order.amount!,
    currency: order.currency ?? null,
    capture: capture === 'auto',
    webhooks,
    payment_types: offeredTypes(order),
    payment: null,
    tries: 0,
    secure_token: null,
    customer_id: customer,
    created_at: timestamp(now),
    expires_at: timestamp(now + expires_in_seconds * 1000),
    completed_at: null,
    cancelled_at: null,
  }
}

type Priced = Pick<NewSession, 'mode' | 'amount' | 'tax' | 'currency' | 'payment_types' | 'accepted'>

/**
 * Returns the payment types that a session offers: every type that can pay the session, that the acquirer can charge and
 * that the request names. If
 * the request names no types, all types that can pay the session are offered. Mode `customer` offers cards only,
 * because only cards can be charged again later. Refuses with `invalid_payment_type` a request that names only types
 * that cannot pay in the currency or that the acquirer cannot charge. Refuses with `invalid_parameter` an amount that is too large for each of the types
 * with its fee.
 */
export function offeredTypes(order: Priced): readonly PaymentType[] {
  const { mode, currency, payment_types: named, accepted = payment_types } = order
  const suits = (type: PaymentType) => (mode === 'customer' ? type === 'credit_card' : isPayableIn(type, currency!))
  const usable = accepted.filter(suits)
  const kept = named?.length ? usable.filter((type) => named.includes(type)) : usable
  if (kept.length === 0)
    throw new Refusal('invalid_payment_type', {
      param: 'payment_types',
      message: `payment_types must name at least one of ${usable.join(', ')}.`,
    })
  const payable = kept.filter((type) => hasRoom(order, type))
  if (payable.length > 0) return payable.toSorted((one, other) => placeIn(named, one) - placeIn(named, other))
  throw new Refusal('invalid_parameter', {
    param: 'amount',
    message: `amount is too large for ${kept.join(', ')} and the fee.`,
  })
}

const placeIn = (named: readonly unknown[] | undefined, type: PaymentType): number => named?.indexOf(type) ?? 0

/** Whether the total of a payment of this type, with tax and fee, is at most `AMOUNT_MAX`. */
const hasRoom = ({ amount = 0, tax }: Priced, type: PaymentType): boolean =>
  amount + tax + payment_type_rows[type].fee <= AMOUNT_MAX
