import { Refusal } from './errors.ts'
import type { FailureCode } from './failure.ts'
import { ended, failed, refunded } from './operation-outcome.ts'
import type { Metadata, Payment, RefundRequest } from './payment.ts'
import { DEADLINE_DAYS_CARD, endOfDayInJapan } from './payment-deadline.ts'
import { payment_type_rows } from './payment-details.ts'
import { atMost, notPayable, notRefundable } from './payment-refusals.ts'
import { type Decision, left, moved, refuseWhile } from './payment-states.ts'
import { timestamp } from './timestamp.ts'

/*
 * Decisions that do not involve the acquirer: changes by the merchant, approval and refusal by the customer, expiry,
 * cancellation of a payment that is given up, and refund requests.
 */

/** Changes the fields that a merchant can change at any time. */
export function update(
  payment: Payment,
  fields: {
    readonly description?: string | null
    readonly external_order_num?: string | null
    readonly metadata?: Metadata
  },
): Decision {
  return { next: { ...payment, ...fields }, events: ['payment.updated'] }
}

/**
 * Records that the customer paid in cash, by transfer or off-site, or passed 3-D Secure. The payment is captured, or
 * authorized if `capture` is false. Refuses with `not_capturable` a payment that does not wait for its customer.
 */
export function pay(payment: Payment, now: number): Decision {
  const { flow } = payment_type_rows[payment.payment_details.type]
  const waits = flow === 'cash' ? payment.status === 'authorized' : isOffSite(payment)
  if (!waits) throw notPayable(payment)
  refuseWhile(payment, 'void')
  if (!payment.capture) {
    const payment_deadline = endOfDayInJapan(now, DEADLINE_DAYS_CARD)
    return { next: moved(payment, 'authorized', { payment_deadline }), events: ['payment.authorized'] }
  }
  return { next: moved(payment, 'captured', { captured_at: timestamp(now) }), events: ['payment.captured'] }
}

/** Whether the customer was sent off-site and the result is not known yet. */
export const isOffSite = ({ status, payment_details }: Payment): boolean =>
  status === 'pending' && 'redirect_url' in payment_details

/**
 * Fails a payment whose customer did not approve it off-site or did not pass 3-D Secure. Any other payment stays
 * unchanged.
 */
export const decline = (payment: Payment): Decision =>
  isOffSite(payment) ? failed(payment, notApproved(payment)) : { next: payment, events: [] }

/** Returns why a payment failed if its customer did not approve it. */
export const notApproved = ({ payment_details: { type } }: Payment): FailureCode =>
  payment_type_rows[type].flow === 'card' ? 'failed_authentication' : 'refused_by_customer'

/** Expires a payment that was not paid by its deadline. */
export const expire = ended

/** Cancels a pending payment whose charge can still succeed. A charge that succeeds later is voided. */
export function abandon(payment: Payment): Decision {
  return { next: moved(payment, 'cancelled'), events: ['payment.cancelled'] }
}

/**
 * Requests a refund that the provider cannot make by itself. An operator completes or rejects the request. Refuses with
 * `not_refundable` a payment that is not captured or that can be refunded directly, and with `invalid_parameter` an
 * amount above what is left.
 */
export function requestRefund(
  payment: Payment,
  request: Omit<RefundRequest, 'status' | 'payment' | 'currency'>,
): Decision {
  const { refundable } = payment_type_rows[payment.payment_details.type]
  if (payment.status !== 'captured' || refundable) throw notRefundable(payment)
  const rest = left(payment)
  if (request.amount > rest) throw new Refusal('invalid_parameter', { param: 'amount', message: atMost(rest, payment) })
  const record: RefundRequest = { ...request, payment: payment.id, currency: payment.currency, status: 'pending' }
  return { next: { ...payment, refund_requests: [...payment.refund_requests, record] }, events: ['payment.updated'] }
}

/**
 * Completes or rejects a refund request. Repeating the same decision changes nothing. The opposite decision is refused
 * with `unprocessable_entity`.
 */
export function endRefundRequest(
  payment: Payment,
  id: string,
  status: 'completed' | 'rejected',
  { refund_id, now }: { readonly refund_id: string; readonly now: number },
): Decision {
  const request = payment.refund_requests.find((entry) => entry.id === id)
  if (!request) throw new Refusal('not_found')
  if (request.status === status) return { next: payment, events: [] }
  if (request.status !== 'pending')
    throw new Refusal('unprocessable_entity', { message: `The refund request is ${request.status} already.` })
  const refund_requests = payment.refund_requests.map((entry) => (entry === request ? { ...entry, status } : entry))
  const next = { ...payment, refund_requests }
  if (status === 'rejected') return { next, events: ['payment.updated'] }
  const { next: paid_back, events } = refunded(next, {
    id: refund_id,
    amount: request.amount,
    currency: payment.currency,
    payment: payment.id,
    description: request.description,
    chargeback: false,
    status: 'succeeded',
    created_at: timestamp(now),
  })
  return { next: paid_back, events }
}
