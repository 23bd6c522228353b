import * as v from 'valibot'
import type { Refund } from '#shared/domain/payment.ts'
import { amount, orNull, text } from './fields.ts'

/** The parameters of a refund. Without an amount, all that is left is refunded. */
export const RefundPayment = v.object({
  amount: v.optional(amount),
  description: orNull(text(255)),
})
export type RefundPayment = v.InferOutput<typeof RefundPayment>

/** A refund as a merchant sees it. */
export function refund({ id, amount, currency, payment, description, chargeback, created_at }: Refund) {
  return { id, resource: 'refund' as const, amount, currency, payment, description, chargeback, created_at }
}
