import { Refusal } from './errors.ts'
import type { InFlight, Payment } from './payment.ts'
import { payment_type_rows } from './payment-details.ts'
import { atMost, notCancellable, notCapturable, notRefundable } from './payment-refusals.ts'
import { isOpen, left, refuseWhile } from './payment-states.ts'

/*
 * Operations at the acquirer. Each decision reserves the operation on the payment before anything is sent. A concurrent
 * operation sees the reservation or fails its version check.
 */

/** A payment with a new operation in flight. The operation is the last entry of `in_flight`. */
export interface Reserved {
  readonly next: Payment
  readonly operation: InFlight
}

/**
 * Captures an authorized card payment, in full or in part. The rest of the authorization is released. An absent `tax`
 * keeps the tax of the payment, reduced to what the authorized total leaves besides the amount. Refuses other payments
 * with `not_capturable`.
 */
export function capture(
  payment: Payment,
  request: { readonly amount?: number; readonly tax?: number | 'auto' },
): Reserved {
  if (payment.status !== 'authorized' || !isCard(payment)) throw notCapturable(payment)
  refuseWhile(payment, 'capture', 'void')
  const amount = request.amount ?? payment.amount
  const room = payment.authorized_total - amount
  const tax =
    request.tax === 'auto' ? Math.floor(amount / 10) : (request.tax ?? Math.min(payment.tax, Math.max(room, 0)))
  if (room < tax)
    throw new Refusal('invalid_parameter', {
      param: room < 0 || request.tax === 'auto' ? 'amount' : 'tax',
      message: `At most ${payment.authorized_total} ${payment.currency} can be captured, tax included, in the smallest unit of the currency.`,
    })
  return reserve(payment, { operation: 'capture', amount, tax, refund_id: null, description: null })
}

/**
 * Refunds part of a captured payment, or all that is left of it. Refuses with `not_refundable` a payment that is not
 * captured or whose type has no refunds.
 */
export function refund(
  payment: Payment,
  request: { readonly amount?: number; readonly description?: string | null },
  refund_id: string,
): Reserved {
  if (payment.status !== 'captured' || !payment_type_rows[payment.payment_details.type].refundable)
    throw notRefundable(payment)
  const rest = left(payment)
  const amount = request.amount ?? rest
  if (amount > rest || amount < 1)
    throw new Refusal('invalid_parameter', { param: 'amount', message: atMost(rest, payment) })
  return reserve(payment, { operation: 'refund', amount, tax: 0, refund_id, description: request.description ?? null })
}

/**
 * Cancels an unpaid payment: releases a card authorization, or withdraws a request to pay. Refuses other payments with
 * `not_cancellable`.
 */
export function cancel(payment: Payment): Reserved {
  if (!isOpen(payment)) throw notCancellable(payment)
  refuseWhile(payment, 'capture', 'void')
  return reserve(payment, {
    operation: 'void',
    amount: payment.amount,
    tax: payment.tax,
    refund_id: null,
    description: null,
  })
}

const isCard = (payment: Payment): boolean => payment_type_rows[payment.payment_details.type].flow === 'card'

function reserve(payment: Payment, entry: Omit<InFlight, 'attempt'>): Reserved {
  const operation: InFlight = { ...entry, attempt: payment.version + 1 }
  return { next: { ...payment, in_flight: [...payment.in_flight, operation] }, operation }
}
