import type Stripe from 'stripe'
import { fromStripe } from './amount.ts'
import { type StripeCalls, StripeRefusal } from './calls.ts'

/** The payment of a bank transfer. */
interface Subject {
  readonly merchant: string
  readonly payment: string
}

/**
 * Logs how much of a bank transfer is missing, as long as the customer has sent too little. Raises the alarm `overpaid`
 * once a bank transfer is paid and the customer has sent too much: an operator returns the excess from the customer's
 * balance at Stripe. Any other payment logs nothing.
 */
export async function logTransfer(calls: StripeCalls, intent: Stripe.PaymentIntent, about: Subject): Promise<void> {
  const currency = intent.currency.toUpperCase()
  const remaining = intent.next_action?.display_bank_transfer_instructions?.amount_remaining
  if (typeof remaining === 'number' && remaining < intent.amount) {
    const amount_remaining = fromStripe(remaining, currency)
    calls.access.log({ level: 'info', event: 'underpaid', ...about, provider: 'stripe', amount_remaining })
  }
  if (intent.status !== 'succeeded' || !intent.payment_method_types.includes('customer_balance')) return
  const excess = await unusedCash(calls, intent, about)
  if (excess > 0) calls.alarm('overpaid', about, { amount_excess: fromStripe(excess, currency) })
}

/** The money of the customer that no payment has used. Each bank transfer has its own customer. */
async function unusedCash(calls: StripeCalls, intent: Stripe.PaymentIntent, about: Subject): Promise<number> {
  const { customer, currency } = intent
  const id = typeof customer === 'string' ? customer : customer?.id
  if (id === undefined) return 0
  try {
    const { available } = await calls.call((stripe, options) => stripe.customers.retrieveCashBalance(id, {}, options))
    return available?.[currency] ?? 0
  } catch (error) {
    // The payment is followed even if the API key may not read balances.
    if (!(error instanceof StripeRefusal)) throw error
    calls.refused(about, error)
    return 0
  }
}
