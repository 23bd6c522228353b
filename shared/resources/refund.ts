import * as v from 'valibot'
import type { Refund } from '#shared/domain/payment.ts'
import { amount, orNull, text } from './fields.ts'
import { viewOf } from './view.ts'

/** The parameters of a refund. Without an amount, all that is left is refunded. */
export const RefundPayment = v.object({
  amount: v.pipe(
    v.optional(amount),
    v.description(
      'The amount to refund, in the smallest unit of the currency. Without it, all that is left of the payment is refunded.',
    ),
  ),
  description: v.pipe(orNull(text(255)), v.description('Text about the refund, for your own use.')),
})
export type RefundPayment = v.InferOutput<typeof RefundPayment>

/** A refund as a merchant sees it. */
export const RefundResource = v.strictObject({
  id: v.pipe(v.string(), v.description('Id of the refund.')),
  resource: v.literal('refund'),
  amount: v.pipe(v.number(), v.integer(), v.description("Refunded amount in the currency's smallest unit.")),
  currency: v.pipe(v.string(), v.description('Currency of the payment.')),
  payment: v.pipe(v.string(), v.description('Id of the payment.')),
  description: v.pipe(v.nullable(v.string()), v.description('Description that the merchant sent, or null.')),
  chargeback: v.pipe(v.boolean(), v.description('Whether a chargeback caused the refund.')),
  created_at: v.pipe(v.string(), v.description('Time of the refund.')),
})
export type RefundResource = v.InferOutput<typeof RefundResource>

/** Shows a refund. */
export const refund = viewOf(
  RefundResource,
  ({ id, amount, currency, payment, description, chargeback, created_at }: Refund): RefundResource => ({
    id,
    resource: 'refund',
    amount,
    currency,
    payment,
    description,
    chargeback,
    created_at,
  }),
)
