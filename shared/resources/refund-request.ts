import * as v from 'valibot'
import { type RefundRequest, refund_account_types, refund_request_statuses } from '#shared/domain/payment.ts'
import { described, resourceName, shown_amount, shown_timestamp, shownId } from './answer-fields.ts'
import { amount, boolean, oneOf, orNull, text, withDefault } from './fields.ts'
import { viewOf } from './view.ts'

/** The parameters of a transfer to the customer's bank account, for payment methods that cannot refund. */
export const CreateRefundRequest = v.object({
  amount: v.pipe(
    amount,
    v.description(
      'The amount to refund, in the smallest unit of the currency. Refunds and pending refund requests never exceed the total of the payment.',
    ),
  ),
  customer_name: v.pipe(text(255), v.description("The name of the holder of the customer's bank account.")),
  bank_name: v.pipe(text(255), v.description("The name of the customer's bank.")),
  branch_number: v.pipe(text(64), v.description('The number of the branch of the bank.')),
  account_type: v.pipe(oneOf(['normal', 'checking', 'savings']), v.description('The type of the bank account.')),
  account_number: v.pipe(
    text(64, 4),
    v.description('The number of the bank account. Only its last three characters are returned.'),
  ),
  bank_code: v.pipe(orNull(text(64)), v.description('The code of the bank.')),
  branch_name: v.pipe(orNull(text(255)), v.description('The name of the branch of the bank.')),
  include_payment_method_fee: v.pipe(
    withDefault(boolean, false),
    v.description('Whether the fee of the payment method is to be refunded as well.'),
  ),
  description: v.pipe(orNull(text(255)), v.description('Text about the refund request, for your own use.')),
})
export type CreateRefundRequest = v.InferOutput<typeof CreateRefundRequest>

/** Masks an account number except for its last three characters: `****567`. */
export function masked(account_number: string): string {
  return account_number.replace(/.(?=.{3})/gsu, '*')
}

/** A refund request as a merchant sees it. */
export const RefundRequestResource = described(
  v.strictObject({
    id: described(shownId('refund_request'), 'Id of the refund request.'),
    resource: resourceName('refund_request'),
    amount: described(shown_amount, "Amount to return to the customer, in the currency's smallest unit."),
    customer_name: described(v.string(), 'Name of the customer, who holds the bank account.'),
    bank_name: described(v.string(), "Name of the customer's bank."),
    branch_number: described(v.string(), 'Number of the branch of the bank.'),
    account_type: described(v.picklist(refund_account_types), 'Kind of the bank account.'),
    account_number: described(
      v.string(),
      'Number of the bank account, masked except for its last three digits: `****567`.',
    ),
    bank_code: described(v.nullable(v.string()), 'Code of the bank, or null if you sent none.'),
    branch_name: described(v.nullable(v.string()), 'Name of the branch, or null if you sent none.'),
    include_payment_method_fee: described(
      v.boolean(),
      'The value that you sent: whether the request includes the fee that the customer paid for the payment method.',
    ),
    description: described(v.nullable(v.string()), 'The description that you sent with the request, or null.'),
    status: described(
      v.picklist(refund_request_statuses),
      '`pending` until the operator has handled the request. `completed`: the money was returned, and the payment has a refund. `rejected`: nothing was returned.',
    ),
    created_at: described(shown_timestamp, 'Time of the request, in UTC.'),
  }),
  "A request to return money to the customer's bank account, for payment methods that cannot refund.",
)
export type RefundRequestResource = v.InferOutput<typeof RefundRequestResource>

/** Shows a refund request. */
export const refund_request = viewOf(
  RefundRequestResource,
  (record: RefundRequest): RefundRequestResource => ({
    id: record.id,
    resource: 'refund_request',
    amount: record.amount,
    customer_name: record.customer_name,
    bank_name: record.bank_name,
    branch_number: record.branch_number,
    account_type: record.account_type,
    account_number: record.account_number,
    bank_code: record.bank_code,
    branch_name: record.branch_name,
    include_payment_method_fee: record.include_payment_method_fee,
    description: record.description,
    status: record.status,
    created_at: record.created_at,
  }),
)
