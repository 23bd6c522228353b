import type { Payment } from './payment.ts'
import { type PaymentType, payment_type_rows } from './payment-details.ts'

/** Money that was received with a payment or returned with a refund. */
export interface Movement {
  /** The id of the payment or the refund. */
  readonly of: string
  readonly type: 'capture' | 'refund'
  readonly currency: string
  readonly amount: number
  readonly fee: number
}

/** The service's fee rates, in ten-thousandths of a payment. The fee that the customer paid for the method is added. */
// biome-ignore format: a table
const fee_rates: Readonly<Record<ReturnType<typeof flowOf>, number>> = {
  card:     360,
  cash:     275,
  prepaid:  500,
  off_site: 390,
}

const flowOf = (type: PaymentType) => payment_type_rows[type].flow

/**
 * Returns the fee of a captured payment: the rate of its type, rounded down, plus what the customer paid for the
 * method.
 */
export function feeOf({ total, payment_method_fee, payment_details: { type } }: Payment): number {
  return Math.floor(((total - payment_method_fee) * fee_rates[flowOf(type)]) / 10_000) + payment_method_fee
}

/**
 * Returns the movements that a change of a payment causes: its capture, and each refund that it did not have before.
 */
export function movementsOf(before: Payment | undefined, after: Payment): Movement[] {
  const { id, currency, total } = after
  const isCaptured = after.captured_at !== null && (before?.captured_at ?? null) === null
  const refunds = after.refunds.slice(before?.refunds.length ?? 0)
  return [
    ...(isCaptured ? [{ of: id, type: 'capture' as const, currency, amount: total, fee: feeOf(after) }] : []),
    ...refunds.map((refund) => ({ of: refund.id, type: 'refund' as const, currency, amount: refund.amount, fee: 0 })),
  ]
}
