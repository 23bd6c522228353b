import { Refusal } from './errors.ts'
import type { Operation, Payment, PaymentEvent, PaymentStatus } from './payment.ts'

/** The result of a decision: the next state of the payment, and its events in their order. */
export interface Decision {
  readonly next: Payment
  readonly events: readonly PaymentEvent[]
}

/** The state machine of a payment: the statuses that can follow each status. No other transition is possible. */
export const transitions: Readonly<Record<PaymentStatus, readonly PaymentStatus[]>> = {
  pending: ['authorized', 'captured', 'cancelled', 'expired', 'failed'],
  authorized: ['captured', 'cancelled', 'expired'],
  captured: ['refunded'],
  refunded: [],
  cancelled: [],
  expired: [],
  failed: [],
}

/**
 * Returns the payment in its new status. Throws for a transition that is not in the table, which is a defect of the
 * service.
 */
export function moved(payment: Payment, status: PaymentStatus, fields: Partial<Payment> = {}): Payment {
  if (!transitions[payment.status].includes(status))
    throw new Error(`a payment cannot go from ${payment.status} to ${status}`)
  return { ...payment, ...fields, status }
}

/**
 * Returns the amount of a captured payment that can still be refunded. Refunds in flight and pending refund requests
 * count as refunded.
 */
export function left(payment: Payment): number {
  const refunding = sum(payment.in_flight.filter((entry) => entry.operation === 'refund'))
  const requested = sum(payment.refund_requests.filter((request) => request.status === 'pending'))
  return payment.total - payment.amount_refunded - refunding - requested
}

/** Whether a payment is neither paid nor ended. */
export const isOpen = ({ status }: Payment): boolean => status === 'pending' || status === 'authorized'

/** Whether a payment has ended without money: it failed, was cancelled or expired. */
export const hasEnded = ({ status }: Payment): boolean =>
  status === 'failed' || status === 'cancelled' || status === 'expired'

/**
 * Whether the payment was made at a payment service provider, where it can change without us. The sandbox is part of
 * this service, so its payments change only here.
 */
export const isAtProvider = ({ provider }: Payment): boolean => (provider ?? 'sandbox') !== 'sandbox'

/** Refuses with `conflict` while an operation of these kinds is in flight at the acquirer. */
export function refuseWhile(payment: Payment, ...operations: readonly Operation[]): void {
  if (payment.in_flight.some((entry) => operations.includes(entry.operation)))
    throw new Refusal('conflict', {
      message: 'Another operation on this payment has not ended yet. Look at the payment in a moment, then try again.',
    })
}

const sum = (entries: readonly { readonly amount: number }[]): number =>
  entries.reduce((total, entry) => total + entry.amount, 0)
