import type Stripe from 'stripe'
import type { Order } from '#shared/acquirer/acquirer.ts'
import type { Outcome } from '#shared/domain/payment.ts'
import { toStripe } from './amount.ts'
import { type StripeCalls, StripeRefusal } from './calls.ts'
import { chargedIntent, metadataOf } from './intents.ts'
import { find } from './lists.ts'
import { outcomeOfRefund } from './outcome.ts'
import { once } from './repetition.ts'

/** The codes by which Stripe refuses to refund a charge whose money is disputed. */
const DISPUTED = new Set(['charge_disputed', 'refund_disputed_payment'])

/** Sends a refund under its key. A refund that may have been sent before is looked up first. */
export const sendRefund = (calls: StripeCalls, order: Order): Promise<Outcome> =>
  once(calls, order, { found: () => foundRefund(calls, order), send: () => refund(calls, order) })

/** The outcome of a refund that Stripe has; null if it has none with the key of the order. */
export async function foundRefund(calls: StripeCalls, order: Order): Promise<Outcome | null> {
  const payment_intent = await chargedIntent(calls, order)
  if (payment_intent === undefined) return null
  const found = await find(
    (page) => calls.call((stripe, options) => stripe.refunds.list({ payment_intent, ...page }, options)),
    ({ metadata }) => metadata?.key === order.key,
  )
  return found ? outcomeOfRefund(found, order) : null
}

async function refund(calls: StripeCalls, order: Order): Promise<Outcome> {
  const payment_intent = await chargedIntent(calls, order)
  if (payment_intent === undefined) return { result: 'declined', code: 'other_error' }
  try {
    const amount = toStripe(order.amount, order.currency)
    return outcomeOfRefund(await createRefund(calls, order, { payment_intent, amount }), order)
  } catch (error) {
    if (!(error instanceof StripeRefusal)) throw error
    const found = error.code === 'charge_already_refunded' ? await foundRefund(calls, order) : null
    if (found) return found
    if (DISPUTED.has(error.code ?? '')) return { result: 'declined', code: 'other_error', is_disputed: true }
    calls.refused(order, error)
    return { result: 'declined', code: 'other_error' }
  }
}

/** Creates a refund under the key of the order. Without an amount, it is everything that is not refunded yet. */
export function createRefund(
  calls: StripeCalls,
  order: Order,
  params: Stripe.RefundCreateParams,
): Promise<Stripe.Refund> {
  const metadata = metadataOf(calls, order)
  return calls.call((stripe, options) => stripe.refunds.create({ ...params, metadata }, options), { key: order.key })
}
