import type { InFlight, Outcome, Payment, PaymentEvent, Refund } from './payment.ts'
import { DEADLINE_DAYS_OFF_SITE, endOfDayInJapan } from './payment-deadline.ts'
import { type Decision, isOpen, moved } from './payment-states.ts'
import { timestamp } from './timestamp.ts'

/**
 * The result of applying the outcome of an operation to its payment. `void` is set if a charge succeeded after its
 * payment had ended, so that the charge must be voided.
 */
export type AppliedOutcome = Decision & { readonly void?: true }

/**
 * Turns the outcome of an operation into the next state of the payment. An operation that is no longer in flight has
 * its outcome already, so nothing changes.
 */
export function applyOutcome(payment: Payment, attempt: number, outcome: Outcome, now: number): AppliedOutcome {
  const operation = payment.in_flight.find((entry) => entry.attempt === attempt)
  if (!operation) return { next: payment, events: [] }
  const rest = { ...payment, in_flight: payment.in_flight.filter((entry) => entry !== operation) }
  return rules[operation.operation](rest, operation, outcome, now)
}

type ApplyOutcome = (payment: Payment, operation: InFlight, outcome: Outcome, now: number) => AppliedOutcome

const rules: Readonly<Record<InFlight['operation'], ApplyOutcome>> = {
  charge(payment, _operation, outcome, now) {
    if (payment.status !== 'pending') return { next: payment, events: [], ...(tookMoney(outcome) && { void: true }) }
    switch (outcome.result) {
      case 'declined':
        return failed(payment, outcome.code)
      case 'never_arrived':
        return failed(payment, 'never_arrived')
    }
    const shown = { ...payment, payment_details: { ...payment.payment_details, ...outcome.shown } }
    switch (outcome.result) {
      case 'captured':
      case 'done':
        return { next: moved(shown, 'captured', { captured_at: timestamp(now) }), events: ['payment.captured'] }
      case 'authorized':
        return { next: moved(shown, 'authorized'), events: ['payment.authorized'] }
      case 'pending':
        return { next: { ...shown, payment_deadline: endOfDayInJapan(now, DEADLINE_DAYS_OFF_SITE) }, events: [] }
    }
  },

  capture(payment, { amount, tax }, outcome, now) {
    if (!succeeded(outcome)) return { next: payment, events: [] }
    const total = amount + tax + payment.payment_method_fee
    const fields = { amount, tax, total, captured_at: timestamp(now) }
    return { next: moved(payment, 'captured', fields), events: ['payment.captured'] }
  },

  refund(payment, operation, outcome, now) {
    return succeeded(outcome) ? refunded(payment, refundOf(payment, operation, now)) : { next: payment, events: [] }
  },

  void(payment, _operation, outcome) {
    if (outcome.result === 'declined') return { next: payment, events: [] }
    return isOpen(payment)
      ? { next: moved(payment, 'cancelled'), events: ['payment.cancelled'] }
      : { next: payment, events: [] }
  },
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

function failed(payment: Payment, code: NonNullable<Payment['failure']>): AppliedOutcome {
  const events: PaymentEvent[] =
    code === 'fraudulent' ? ['payment.failed', 'payment.marked.as.fraud'] : ['payment.failed']
  return { next: moved(payment, 'failed', { failure: code }), events }
}

const succeeded = ({ result }: Outcome): boolean => result !== 'declined' && result !== 'never_arrived'

const tookMoney = ({ result }: Outcome): boolean =>
  result === 'captured' || result === 'authorized' || result === 'done'
