import type { InFlight, Operation, Payment, RefundRequest } from '#shared/domain/payment.ts'
import { type PaymentType, payment_type_rows } from '#shared/domain/payment-details.ts'

/** A payment as it is kept: a card of 1,000 JPY and 100 tax that is captured, unless `fields` say otherwise. */
export function paymentRecord(fields: Partial<Payment> = {}): Payment {
  return {
    id: 'pay_1',
    version: 7,
    status: 'captured',
    amount: 1000,
    tax: 100,
    payment_method_fee: 0,
    total: 1100,
    currency: 'JPY',
    customer: null,
    session: null,
    payment_deadline: '2030-02-01T14:59:59Z',
    payment_details: { type: 'credit_card', email: null },
    description: null,
    captured_at: null,
    external_order_num: null,
    metadata: {},
    created_at: '2030-01-02T03:00:00Z',
    amount_refunded: 0,
    locale: 'ja',
    refunds: [],
    refund_requests: [],
    verified_by: null,
    capture: true,
    authorized_total: 1100,
    return_url: null,
    webhooks: [],
    occurrence: null,
    fraud_details: null,
    failure: null,
    in_flight: [],
    ...fields,
  }
}

/** Such a payment of another type, with the type's own fee. */
export function paymentOf(type: PaymentType, fields: Partial<Payment> = {}): Payment {
  const { fee } = payment_type_rows[type]
  const total = 1100 + fee
  const money = { payment_method_fee: fee, total, authorized_total: total }
  return paymentRecord({ payment_details: { type, email: null }, ...money, ...fields })
}

/** An operation on its way, as attempt 8. */
export function inFlight(operation: Operation, fields: Partial<InFlight> = {}): InFlight {
  const refund_id = operation === 'refund' ? 'ref_1' : null
  return { operation, attempt: 8, amount: 1000, tax: 100, refund_id, description: null, ...fields }
}

/** A refund request of 300 that nobody has decided on. */
export function refundRequest(fields: Partial<RefundRequest> = {}): RefundRequest {
  return {
    id: 'rrq_1',
    payment: 'pay_1',
    amount: 300,
    currency: 'JPY',
    customer_name: 'Taro Yamada',
    bank_name: 'Mizuho',
    bank_code: null,
    branch_name: null,
    branch_number: '001',
    account_type: 'normal',
    account_number: '****567',
    include_payment_method_fee: false,
    description: null,
    status: 'pending',
    created_at: '2030-01-02T03:00:00Z',
    ...fields,
  }
}

/** What a decision refuses with: code and parameter. A decision that is taken fails the test. */
export function refused(decide: () => unknown): { code: string; param: string | null } {
  try {
    decide()
  } catch (error) {
    const { code, param } = error as { code?: string; param?: string | null }
    if (code === undefined) throw error
    return { code, param: param ?? null }
  }
  throw new Error('the decision was taken')
}
