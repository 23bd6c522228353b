import type { InFlight, Outcome, Payment, PaymentEvent, Refund } from './payment.ts'
import { DEADLINE_DAYS_OFF_SITE, earlierDeadline, endOfDayInJapan } from './payment-deadline.ts'
import { type Decision, hasEnded, isAtProvider, isOpen, moved } from './payment-states.ts'
import { timestamp } from './timestamp.ts'

/**
 * The result of applying the outcome of an operation to its payment. `void` is set if a charge succeeded after its
 * payment had ended, so that the charge must be voided.
 */
export type AppliedOutcome = Decision & { readonly void?: true }

/**
 * Turns the outcome of an operation into the next state of the payment. An operation that is no longer in flight has
 * its outcome already, so nothing changes. An operation that is only accepted stays in flight.
 */
export function applyOutcome(payment: Payment, attempt: number, outcome: Outcome, now: number): AppliedOutcome {
  const operation = payment.in_flight.find((entry) => entry.attempt === attempt)
  if (!operation || outcome.result === 'accepted') return { next: payment, events: [] }
  const rest = { ...payment, in_flight: payment.in_flight.filter((entry) => entry !== operation) }
  return rules[operation.operation](rest, operation, outcome, now)
}

type ApplyOutcome = (payment: Payment, operation: InFlight, outcome: Outcome, now: number) => AppliedOutcome

const rules: Readonly<Record<InFlight['operation'], ApplyOutcome>> = {
  charge(payment, _operation, outcome, now) {
    if (payment.status !== 'pending') {
      const needs_void = hasEnded(payment) && canTakeMoney(payment, outcome)
      return { next: payment, events: [], ...(needs_void && { void: true }) }
    }
    switch (outcome.result) {
      case 'accepted':
        return { next: payment, events: [] }
      case 'declined':
        return failed(payment, outcome.code)
      case 'never_arrived':
        return failed(payment, 'never_arrived')
      case 'expired':
        return ended(payment)
    }
    const shown = { ...payment, payment_details: { ...payment.payment_details, ...outcome.shown } }
    switch (outcome.result) {
      case 'captured':
      case 'done':
        return { next: moved(shown, 'captured', { captured_at: timestamp(now) }), events: ['payment.captured'] }
      case 'authorized': {
        const payment_deadline = earlierDeadline(payment.payment_deadline, outcome.until)
        return { next: moved(shown, 'authorized', { payment_deadline }), events: ['payment.authorized'] }
      }
      case 'pending': {
        const payment_deadline = earlierDeadline(endOfDayInJapan(now, DEADLINE_DAYS_OFF_SITE), outcome.until)
        return { next: { ...shown, payment_deadline }, events: [] }
      }
    }
  },

  capture(payment, { amount, tax }, outcome, now) {
    if (outcome.result === 'expired' && isOpen(payment)) return ended(payment)
    if (!succeeded(outcome)) return { next: payment, events: [] }
    const total = amount + tax + payment.payment_method_fee
    const fields = { amount, tax, total, captured_at: timestamp(now) }
    return { next: moved(payment, 'captured', fields), events: ['payment.captured'] }
  },

  refund(payment, operation, outcome, now) {
    return succeeded(outcome) ? refunded(payment, refundOf(payment, operation, now)) : { next: payment, events: [] }
  },

  void(payment, { because }, outcome, now) {
    if (outcome.result === 'declined' || !isOpen(payment)) return { next: payment, events: [] }
    if (outcome.result === 'captured') return capturedThere(payment, outcome.taken ?? payment.total, now)
    if (outcome.result === 'expired' || because === 'expired') return ended(payment)
    return { next: moved(payment, 'cancelled'), events: ['payment.cancelled'] }
  },
}

/** Whether a provider can have taken this much money of an authorization. */
export const canBeTaken = ({ authorized_total, payment_method_fee }: Payment, total: number): boolean =>
  total <= authorized_total && total > payment_method_fee

/**
 * Captures a payment with the money that its provider has taken without an order of ours. The provider reports only a
 * total: the tax is kept if the total leaves room for it.
 */
export function capturedThere(payment: Payment, total: number, now: number): Decision {
  const tax = payment.tax < total - payment.payment_method_fee ? payment.tax : 0
  const amount = total - payment.payment_method_fee - tax
  const fields = { amount, tax, total, captured_at: timestamp(now) }
  return { next: moved(payment, 'captured', fields), events: ['payment.captured'] }
}

/** Adds a refund to the payment. The refund that completes the total makes the payment `refunded`. */
export function refunded(payment: Payment, refund: Refund): Decision {
  const amount_refunded = payment.amount_refunded + refund.amount
  const next = { ...payment, amount_refunded, refunds: [...payment.refunds, refund] }
  if (amount_refunded < payment.total) return { next, events: ['payment.refund.created'] }
  return { next: moved(next, 'refunded'), events: ['payment.refund.created', 'payment.refunded'] }
}

function refundOf(payment: Payment, operation: InFlight, now: number): Refund {
  return {
    id: operation.refund_id!,
    amount: operation.amount,
    currency: payment.currency,
    payment: payment.id,
    description: operation.description,
    chargeback: false,
    status: 'succeeded',
    created_at: timestamp(now),
  }
}

/** Fails a payment. A charge that was declined as fraudulent also marks the payment. */
export function failed(payment: Payment, code: NonNullable<Payment['failure']>): Decision {
  const events: PaymentEvent[] =
    code === 'fraudulent' ? ['payment.failed', 'payment.marked.as.fraud'] : ['payment.failed']
  return { next: moved(payment, 'failed', { failure: code }), events }
}

/** Expires an open payment whose authorization or reservation has ended. */
export const ended = (payment: Payment): Decision => ({ next: moved(payment, 'expired'), events: ['payment.expired'] })

const succeeded = ({ result }: Outcome): boolean =>
  result !== 'declined' && result !== 'never_arrived' && result !== 'expired'

/**
 * Whether a charge with this outcome has taken money, or can still take it: at a provider, the customer can pay a
 * pending charge later. The sandbox leaves that decision to us.
 */
const canTakeMoney = (payment: Payment, { result }: Outcome): boolean =>
  result === 'captured' ||
  result === 'authorized' ||
  result === 'done' ||
  (result === 'pending' && isAtProvider(payment))
