import * as v from 'valibot'
import type { RefundRequest } from '#shared/domain/payment.ts'
import { amount, boolean, oneOf, orNull, text, withDefault } from './fields.ts'

/** The parameters of a transfer to the customer's bank account, for payment methods that cannot refund. */
export const CreateRefundRequest = v.object({
  amount,
  customer_name: text(255),
  bank_name: text(255),
  branch_number: text(64),
  account_type: oneOf(['normal', 'checking', 'savings']),
  account_number: text(64, 4),
  bank_code: orNull(text(64)),
  branch_name: orNull(text(255)),
  include_payment_method_fee: withDefault(boolean, false),
  description: orNull(text(255)),
})
export type CreateRefundRequest = v.InferOutput<typeof CreateRefundRequest>

/** Masks an account number except for its last three characters: `****567`. */
export function masked(account_number: string): string {
  return account_number.replace(/.(?=.{3})/gsu, '*')
}

/** A refund request as a merchant sees it. */
export function refund_request(record: RefundRequest) {
  return {
    id: record.id,
    resource: 'refund_request' as const,
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
  }
}
