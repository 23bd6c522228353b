import * as v from 'valibot'
import type { Refund } from '#shared/domain/payment.ts'
import { amount, orNull, text } from './fields.ts'

/** A refund to be made; without an amount, of all that is left. */
export const RefundPayment = v.object({
  amount: v.optional(amount),
  description: orNull(text(255)),
})
export type RefundPayment = v.InferOutput<typeof RefundPayment>

/** A refund as a merchant sees it. */
export function refund({ id, amount, currency, payment, description, chargeback, created_at }: Refund) {
  return { id, resource: 'refund' as const, amount, currency, payment, description, chargeback, created_at }
}
