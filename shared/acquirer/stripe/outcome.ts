import type Stripe from 'stripe'
import { type Order, OutcomeUnknown } from '#shared/acquirer/acquirer.ts'
import type { Outcome } from '#shared/domain/payment.ts'
import { timestamp } from '#shared/domain/timestamp.ts'
import { fromStripe, toStripe } from './amount.ts'
import { declineOf } from './declines.ts'
import { shownTo } from './shown.ts'

/**
 * Thrown when an answer of Stripe contradicts its order, or contains a value that this version does not know. The outcome
 * is then unknown, and an operator must look: `code` says what is wrong.
 */
export class UnexpectedAnswer extends OutcomeUnknown {
  override readonly is_answered = true
  readonly code: string
  constructor(code: string, reference?: string) {
    super({ reference })
    this.code = code
  }
}

/** The code of a reservation that ended because the customer did not pay in time. */
const ATTEMPT_EXPIRED = 'payment_intent_payment_attempt_expired'

/**
 * Returns the outcome of a charge by its PaymentIntent. Null means that nothing has happened yet: the PaymentIntent can
 * still be confirmed, or its verified hold captured. Throws `UnexpectedAnswer` for another amount or currency, and for a
 * status that is unknown.
 */
export function outcomeOfCharge(intent: Stripe.PaymentIntent, order: Order): Outcome | null {
  const reference = intent.id
  switch (intent.status) {
    case 'succeeded':
      refuseOther(intent, order, intent.amount_received)
      return { result: 'captured', reference, ...feeOf(intent, order.currency) }
    case 'requires_capture':
      refuseOther(intent, order, intent.amount_capturable)
      // A charge at once is held only by the 3-D Secure of its token, and has not been captured yet.
      if (order.capture) return null
      return { result: 'authorized', reference, ...endOfHold(intent) }
    case 'requires_action':
      refuseOther(intent, order, intent.amount)
      return waiting(intent, order)
    case 'processing':
      return order.type === 'konbini' || order.type === 'bank_transfer'
        ? { result: 'authorized', reference }
        : { result: 'pending', reference }
    case 'canceled':
      return endOf(intent)
    case 'requires_payment_method':
    case 'requires_confirmation':
      return intent.last_payment_error ? declined(intent) : null
    default:
      throw new UnexpectedAnswer('status', reference)
  }
}

/**
 * Returns the outcome of a capture by the PaymentIntent of its charge. Null means that nothing has been captured yet.
 * Throws `UnexpectedAnswer` if another amount was captured.
 */
export function outcomeOfCapture(intent: Stripe.PaymentIntent, order: Order): Outcome | null {
  const reference = intent.id
  switch (intent.status) {
    case 'succeeded':
      refuseOther(intent, order, intent.amount_received)
      return { result: 'done', reference, ...feeOf(intent, order.currency) }
    case 'canceled':
      return { result: 'expired', reference }
    case 'requires_capture':
    case 'processing':
      return null
    default:
      throw new UnexpectedAnswer('status', reference)
  }
}

/** Returns the outcome of a refund. A refund that its bank has not confirmed yet is done for the merchant. */
export function outcomeOfRefund(refund: Stripe.Refund, order: Order): Outcome {
  const reference = refund.id
  if (refund.amount !== toStripe(order.amount, order.currency) || refund.currency.toUpperCase() !== order.currency)
    throw new UnexpectedAnswer('amount', reference)
  switch (refund.status) {
    case 'succeeded':
    case 'pending':
    case 'requires_action':
      return { result: 'done', reference }
    case 'failed':
    case 'canceled':
      return { result: 'declined', code: 'other_error', reference }
    default:
      throw new UnexpectedAnswer('status', reference)
  }
}

/** Returns the outcome of a charge that was declined. A charge that Stripe's own rules blocked is suspected fraud. */
export function declined(intent: Stripe.PaymentIntent): Outcome {
  const error = intent.last_payment_error!
  const reference = intent.id
  if (error.code === ATTEMPT_EXPIRED) return { result: 'expired', reference }
  return { result: 'declined', code: isBlocked(intent) ? 'fraudulent' : declineOf(error), reference }
}

const isBlocked = ({ latest_charge }: Stripe.PaymentIntent): boolean =>
  typeof latest_charge === 'object' && latest_charge?.outcome?.type === 'blocked'

/** Whether Stripe itself ended a PaymentIntent: its hold or its voucher expired. */
export const hasEndedThere = ({ cancellation_reason }: Stripe.PaymentIntent): boolean =>
  cancellation_reason === 'automatic' || cancellation_reason === 'expired'

/**
 * The end of a PaymentIntent that takes no money. A hold or a voucher that Stripe ended has expired. What this service
 * cancelled never took effect, unless a decline came first.
 */
function endOf(intent: Stripe.PaymentIntent): Outcome {
  if (hasEndedThere(intent)) return { result: 'expired', reference: intent.id }
  return intent.last_payment_error ? declined(intent) : { result: 'never_arrived', reference: intent.id }
}

function waiting(intent: Stripe.PaymentIntent, order: Order): Outcome {
  const shown = shownTo(intent.next_action, order)
  if (!shown) throw new UnexpectedAnswer('next_action', intent.id)
  return { ...shown, reference: intent.id }
}

/** When the network ends the hold of a card, if Stripe says it. */
export function endOfHold({ latest_charge }: Stripe.PaymentIntent): { until?: string } {
  const before = typeof latest_charge === 'object' && latest_charge?.payment_method_details?.card?.capture_before
  return before ? { until: timestamp(before * 1000) } : {}
}

/** What Stripe keeps of a charge, if its balance is already booked and in the currency of the payment. */
function feeOf({ latest_charge }: Stripe.PaymentIntent, currency: string): { fee?: number } {
  const booked = typeof latest_charge === 'object' ? latest_charge?.balance_transaction : null
  if (!booked || typeof booked === 'string' || booked.currency.toUpperCase() !== currency) return {}
  return { fee: fromStripe(booked.fee, currency) }
}

function refuseOther(intent: Stripe.PaymentIntent, { amount, currency }: Order, moved: number): void {
  if (intent.currency.toUpperCase() !== currency) throw new UnexpectedAnswer('currency', intent.id)
  if (moved !== toStripe(amount, currency)) throw new UnexpectedAnswer('amount', intent.id)
}
