import { Refusal } from './errors.ts'
import type { Operation, Payment, PaymentEvent, PaymentStatus } from './payment.ts'

/** What a decision makes of a payment: its next state, and the events that tell of it, in their order. */
export interface Decision {
  readonly next: Payment
  readonly events: readonly PaymentEvent[]
}

/** Where a payment can go from each status. Nothing else can happen. */
export const transitions: Readonly<Record<PaymentStatus, readonly PaymentStatus[]>> = {
  pending: ['authorized', 'captured', 'cancelled', 'expired', 'failed'],
  authorized: ['captured', 'cancelled', 'expired'],
  captured: ['refunded'],
  refunded: [],
  cancelled: [],
  expired: [],
  failed: [],
}

/** The payment in its new status. A transition that is not in the table is a defect of ours, never a merchant's fault. */
export function moved(payment: Payment, status: PaymentStatus, fields: Partial<Payment> = {}): Payment {
  if (!transitions[payment.status].includes(status))
    throw new Error(`a payment cannot go from ${payment.status} to ${status}`)
  return { ...payment, ...fields, status }
}

/** What of a captured payment is neither given back, nor on its way back, nor asked back. */
export function left(payment: Payment): number {
  const refunding = sum(payment.in_flight.filter((entry) => entry.operation === 'refund'))
  const requested = sum(payment.refund_requests.filter((request) => request.status === 'pending'))
  return payment.total - payment.amount_refunded - refunding - requested
}

/** Whether a payment is neither paid nor at an end. */
export const isOpen = ({ status }: Payment): boolean => status === 'pending' || status === 'authorized'

/** Refuses with `conflict` while an operation of these kinds is out at the acquirer. */
export function refuseWhile(payment: Payment, ...operations: readonly Operation[]): void {
  if (payment.in_flight.some((entry) => operations.includes(entry.operation)))
    throw new Refusal('conflict', { message: 'Another operation on this payment has not ended yet.' })
}

const sum = (entries: readonly { readonly amount: number }[]): number =>
  entries.reduce((total, entry) => total + entry.amount, 0)
