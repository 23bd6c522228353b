import type Stripe from 'stripe'
import { type ReportedPayment, reportOf } from '#shared/domain/follow-payment.ts'
import { fromStripe } from './amount.ts'
import { declined, endOfHold, hasEndedThere, UnexpectedAnswer } from './outcome.ts'

/**
 * Returns the present state of a payment by its PaymentIntent and all of its refunds. A voucher that is processed at
 * the store still waits. A PaymentIntent that was cancelled after a decline was declined. Throws `UnexpectedAnswer` for
 * a status that is unknown.
 */
export function reportedPayment(intent: Stripe.PaymentIntent, refunds: readonly Stripe.Refund[] = []): ReportedPayment {
  switch (intent.status) {
    case 'succeeded':
      return {
        state: 'paid',
        amount: fromStripe(intent.amount_received, intent.currency.toUpperCase()),
        refunds: refunds.filter(hasMovedMoney).map(reportedRefund),
      }
    case 'requires_capture':
      return { state: 'held', ...endOfHold(intent) }
    case 'requires_action':
    case 'processing':
      return { state: 'waiting' }
    case 'requires_payment_method':
    case 'requires_confirmation':
      return intent.last_payment_error ? reportOf(declined(intent)) : { state: 'waiting' }
    case 'canceled':
      return hasEndedThere(intent) || !intent.last_payment_error ? { state: 'ended' } : reportOf(declined(intent))
    default:
      throw new UnexpectedAnswer('status', intent.id)
  }
}

/**
 * Whether a refund has returned money. After a capture in part, Stripe lists the release of the rest as a refund that
 * succeeded. It moves no money, so it has no balance transaction.
 */
const hasMovedMoney = ({ status, balance_transaction }: Stripe.Refund): boolean =>
  status === 'succeeded' && balance_transaction !== null

const reportedRefund = ({ id, amount, currency, metadata }: Stripe.Refund) => ({
  reference: id,
  amount: fromStripe(amount, currency.toUpperCase()),
  key: metadata?.key ?? null,
})
