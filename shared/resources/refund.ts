import * as v from 'valibot'
import { type Refund, refund_statuses } from '#shared/domain/payment.ts'
import { described, resourceName, shown_amount, shown_currency, shown_timestamp, shownId } from './answer-fields.ts'
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
export const RefundResource = described(
  v.strictObject({
    id: described(shownId('refund'), 'Id of the refund.'),
    resource: resourceName('refund'),
    amount: described(shown_amount, "Refunded amount, in the currency's smallest unit."),
    currency: described(shown_currency, 'Currency of the payment.'),
    payment: described(shownId('payment'), 'Id of the refunded payment.'),
    description: described(v.nullable(v.string()), 'The description that you sent with the refund, or null.'),
    chargeback: described(
      v.boolean(),
      'Whether the refund is a chargeback, which the card holder obtained from their bank.',
    ),
    status: described(
      v.picklist(refund_statuses),
      'Whether the money was returned (`succeeded`), is still on its way (`pending`), or could not be returned (`failed`).',
    ),
    created_at: described(shown_timestamp, 'Time of the refund, in UTC.'),
  }),
  'A refund of a payment, in full or in part.',
)
export type RefundResource = v.InferOutput<typeof RefundResource>

/** Shows a refund. A refund that was stored without a status succeeded. */
export const refund = viewOf(
  RefundResource,
  ({
    id,
    amount,
    currency,
    payment,
    description,
    chargeback,
    status = 'succeeded',
    created_at,
  }: Refund): RefundResource => ({
    id,
    resource: 'refund',
    amount,
    currency,
    payment,
    description,
    chargeback,
    status,
    created_at,
  }),
)
