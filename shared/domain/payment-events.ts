import { DEADLINE_DAYS_CARD } from './create-payment.ts'
import { endOfDayInJapan } from './deadline.ts'
import { Refusal } from './errors.ts'
import type { Metadata, Payment, RefundRequest } from './payment.ts'
import { payment_type_rows } from './payment-details.ts'
import { type Decision, isOpen, left, moved, refuseWhile } from './payment-states.ts'
import { refunded } from './settle-payment.ts'
import { timestamp } from './timestamp.ts'

/*
 * Decisions that ask no acquirer: what a merchant notes on a payment, what the customer does, and what time does.
 */

/** Changes what a merchant may change of a payment at any time. */
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

/** The customer has paid at the counter, by transfer or with the wallet. */
export function pay(payment: Payment, now: number): Decision {
  const { flow } = payment_type_rows[payment.payment_details.type]
  const waits = flow === 'cash' ? payment.status === 'authorized' : isElsewhere(payment)
  if (!waits) throw new Refusal('not_capturable')
  refuseWhile(payment, 'void')
  if (!payment.capture) {
    const payment_deadline = endOfDayInJapan(now, DEADLINE_DAYS_CARD)
    return { next: moved(payment, 'authorized', { payment_deadline }), events: ['payment.authorized'] }
  }
  return { next: moved(payment, 'captured', { captured_at: timestamp(now) }), events: ['payment.captured'] }
}

/** Whether the customer was sent elsewhere and has not come back yet. */
export const isElsewhere = ({ status, payment_details }: Payment): boolean =>
  status === 'pending' && 'redirect_url' in payment_details

/** The customer did not approve where they were sent to, or did not pass 3-D Secure. */
export function decline(payment: Payment): Decision {
  if (!isElsewhere(payment)) return { next: payment, events: [] }
  const { flow } = payment_type_rows[payment.payment_details.type]
  const failure = flow === 'card' ? 'card_declined' : 'other_error'
  return { next: moved(payment, 'failed', { failure }), events: ['payment.failed'] }
}

/** Whether the deadline of a payment has passed with the payment still open, and nothing of it out at the acquirer. */
export function isOverdue(payment: Payment, now: number): boolean {
  const settling = payment.in_flight.some((entry) => entry.operation !== 'charge')
  return isOpen(payment) && !settling && !isOccurrence(payment) && now >= Date.parse(payment.payment_deadline)
}

/** Whether it is an interval of a subscription, which no deadline ends: its outcome is asked for until it is known. */
const isOccurrence = ({ occurrence }: Payment): boolean => occurrence !== null

/** The deadline has passed and the payment is not paid. */
export function expire(payment: Payment): Decision {
  return { next: moved(payment, 'expired'), events: ['payment.expired'] }
}

/** The payment is not wanted any more while its charge is out; what the charge takes will be given back. */
export function abandon(payment: Payment): Decision {
  return { next: moved(payment, 'cancelled'), events: ['payment.cancelled'] }
}

/** When time alone ends the payment: its deadline, as long as it is not paid. An interval of a subscription has none. */
export function deadlineOf(payment: Payment): string | undefined {
  return isOpen(payment) && !isOccurrence(payment) ? payment.payment_deadline : undefined
}

/** Asks for money back that the provider cannot return by itself; an operator completes or rejects the request. */
export function requestRefund(
  payment: Payment,
  request: Omit<RefundRequest, 'status' | 'payment' | 'currency'>,
): Decision {
  const { refundable } = payment_type_rows[payment.payment_details.type]
  if (payment.status !== 'captured' || refundable) throw new Refusal('not_refundable')
  const rest = left(payment)
  if (request.amount > rest)
    throw new Refusal('invalid_parameter', { param: 'amount', message: `At most ${rest} can be refunded.` })
  const record: RefundRequest = { ...request, payment: payment.id, currency: payment.currency, status: 'pending' }
  return { next: { ...payment, refund_requests: [...payment.refund_requests, record] }, events: ['payment.updated'] }
}

/** The money of a refund request went out, or the request is turned down. A request that has ended stays as it is. */
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
    created_at: timestamp(now),
  })
  return { next: paid_back, events }
}
