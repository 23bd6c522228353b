import { Refusal } from './errors.ts'
import type { Metadata, Occurrence, Payment, PaymentSource, PaymentWebhook } from './payment.ts'
import { deadlineDays, endOfDayInJapan } from './payment-deadline.ts'
import { payment_type_rows } from './payment-details.ts'
import { timestamp } from './timestamp.ts'

/** The highest amount, and the highest total, of a payment in the currency's smallest unit. */
export const AMOUNT_MAX = 9_999_999_999

/**
 * What a payment is created with: the parsed parameters of `POST /payments`, or their equivalent for a session or a
 * subscription.
 */
export interface NewPayment {
  readonly amount: number
  readonly currency: string
  readonly tax?: number | 'auto'
  readonly capture?: boolean
  readonly customer?: string | null
  readonly session?: string | null
  readonly verified_by?: string | null
  readonly occurrence?: Occurrence | null
  readonly description?: string | null
  readonly external_order_num?: string | null
  readonly return_url?: string | null
  readonly locale?: string
  readonly metadata?: Metadata
  readonly webhooks?: readonly PaymentWebhook[]
  readonly fraud_details?: Readonly<Record<string, string>> | null
}

/**
 * Creates a `pending` payment with its charge in flight. Refuses with `invalid_currency` a currency that the payment
 * type does not support, and with `invalid_parameter` a total above `AMOUNT_MAX`.
 */
export function newPayment(order: NewPayment, source: PaymentSource, id: string, now: number): Payment {
  const row = payment_type_rows[source.shown.type]
  refuseOtherCurrency(order, source)
  const tax = taxOn(order.amount, order.tax)
  const total = totalOf(order, tax + row.fee)
  return {
    id,
    version: 0,
    status: 'pending',
    amount: order.amount,
    tax,
    payment_method_fee: row.fee,
    total,
    currency: order.currency,
    customer: order.customer ?? null,
    session: order.session ?? null,
    payment_deadline: endOfDayInJapan(now, deadlineDays(row, source)),
    payment_details: source.shown,
    description: order.description ?? null,
    captured_at: null,
    external_order_num: order.external_order_num ?? null,
    metadata: order.metadata ?? {},
    created_at: timestamp(now),
    amount_refunded: 0,
    locale: order.locale ?? 'ja',
    refunds: [],
    refund_requests: [],
    occurrence: order.occurrence ?? null,
    verified_by: order.verified_by ?? null,
    capture: row.flow === 'card' ? (order.capture ?? true) : true,
    authorized_total: total,
    return_url: order.return_url ?? null,
    webhooks: order.webhooks ?? [],
    fraud_details: order.fraud_details ?? null,
    failure: null,
    in_flight: [{ operation: 'charge', attempt: 1, amount: order.amount, tax, refund_id: null, description: null }],
  }
}

function refuseOtherCurrency(order: NewPayment, { shown: { type } }: PaymentSource): void {
  const { currency } = payment_type_rows[type]
  if (currency && currency !== order.currency)
    throw new Refusal('invalid_currency', {
      param: 'currency',
      message: `Payments of type ${type} are made in ${currency}: send currency ${currency}.`,
    })
}

function totalOf({ amount, tax }: NewPayment, tax_and_fee: number): number {
  const total = amount + tax_and_fee
  if (total > AMOUNT_MAX)
    throw new Refusal('invalid_parameter', {
      param: tax === undefined || tax === 'auto' ? 'amount' : 'tax',
      message: `The total of the payment, tax and fee included, must not exceed ${AMOUNT_MAX}, in the smallest unit of its currency.`,
    })
  return total
}

/** Returns the tax on an amount: `auto` is a tenth of the amount, rounded down. */
export const taxOn = (amount: number, tax: number | 'auto' = 0): number =>
  tax === 'auto' ? Math.floor(amount / 10) : tax
