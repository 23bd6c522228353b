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
    'mode' | 'tax' | 'return_url' | 'default_locale' | 'email' | 'line_items' | 'metadata' | 'external_order_num'
  > {
  readonly amount?: number
  readonly currency?: string
  readonly capture: 'auto' | 'manual'
  /** Absent or empty: every payment type that can pay the session. */
  readonly payment_types?: readonly PaymentType[]
  readonly expires_in_seconds: number
}

/**
 * Returns a new session. `webhooks` are those of its payments, with sealed secrets. A session of mode `customer` has no
 * amount, because it takes no payment.
 */
export function newSession(order: NewSession, id: string, webhooks: readonly PaymentWebhook[], now: number): Session {
  const { expires_in_seconds, payment_types: named, capture, ...fields } = order
  return {
    ...fields,
    id,
    version: 0,
    status: 'pending',
    amount: order.mode === 'customer' ? null : order.amount!,
    currency: order.currency ?? null,
    capture: capture === 'auto',
    webhooks,
    payment_types: named?.length ? named : offered(order),
    payment: null,
    tries: 0,
    secure_token: null,
    customer_id: null,
    created_at: timestamp(now),
    expires_at: timestamp(now + expires_in_seconds * 1000),
    completed_at: null,
    cancelled_at: null,
  }
}

/**
 * Refuses payment types that cannot pay the session: with `invalid_payment_type` any type but a card in mode
 * `customer`, with `invalid_currency` a type of another currency, and with `invalid_parameter` an amount that is too
 * large with the type's fee.
 */
export function refuseUnpayable(order: Priced): void {
  const { mode, currency, payment_types: types = [] } = order
  for (const [index, type] of types.entries()) {
    const param = `payment_types[${index}]`
    if (mode === 'customer' && type !== 'credit_card')
      throw new Refusal('invalid_payment_type', {
        param,
        message: `${param} must be credit_card in mode customer: ${type} cannot be charged again later.`,
      })
    if (mode === 'payment' && !isPayableIn(type, currency!))
      throw new Refusal('invalid_currency', {
        param,
        message: `Payments of type ${type} cannot be made in ${currency}: leave ${type} out, or change the currency.`,
      })
    if (!hasRoom(order, type))
      throw new Refusal('invalid_parameter', {
        param: 'amount',
        message: `The amount, tax and fee of ${type} included, must not exceed ${AMOUNT_MAX}.`,
      })
  }
}

type Priced = Pick<NewSession, 'mode' | 'amount' | 'tax' | 'currency' | 'payment_types'>

/**
 * Returns the payment types of a session whose request names none: all types that can pay its amount in its currency,
 * or cards only in mode `customer`.
 */
const offered = (order: Priced): Session['payment_types'] =>
  order.mode === 'customer'
    ? ['credit_card']
    : payment_types.filter((type) => isPayableIn(type, order.currency!) && hasRoom(order, type))

/** Whether the total of a payment of this type, with tax and fee, is at most `AMOUNT_MAX`. */
const hasRoom = ({ amount = 0, tax }: Priced, type: PaymentType): boolean =>
  amount + tax + payment_type_rows[type].fee <= AMOUNT_MAX
