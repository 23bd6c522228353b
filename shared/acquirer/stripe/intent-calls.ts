import type Stripe from 'stripe'
import { type Order, OutcomeUnknown } from '#shared/acquirer/acquirer.ts'
import { toStripe } from './amount.ts'
import { type StripeCalls, StripeRefusal } from './calls.ts'
import { expanded, metadataOf } from './intents.ts'

/**
 * Cancels a PaymentIntent, so that it never takes money. Throws `OutcomeUnknown` if Stripe does not cancel it in its
 * present state: it must be read again.
 */
export async function cancelIntent(calls: StripeCalls, id: string): Promise<void> {
  const cancelled = await calls
    .call((stripe, options) => stripe.paymentIntents.cancel(id, {}, options), {}, id)
    .catch((error: unknown) => {
      if (error instanceof StripeRefusal) throw new OutcomeUnknown({ reference: id })
      throw error
    })
  if (cancelled.status !== 'canceled') throw new OutcomeUnknown({ reference: id })
}

/**
 * Captures the amount of an order from a hold. Repeating it under the key of the order captures once. The capture of a
 * hold that a secure token has verified names the payment in the metadata.
 */
export function captureIntent(calls: StripeCalls, order: Order, id: string): Promise<Stripe.PaymentIntent> {
  const is_charge = order.operation === 'charge'
  const params = {
    amount_to_capture: toStripe(order.amount, order.currency),
    ...expanded,
    ...(is_charge && { metadata: metadataOf(calls, order) }),
  }
  // The key of a charge is already that of its creation.
  const key = is_charge ? `${order.key}-capture` : order.key
  return calls.call((stripe, options) => stripe.paymentIntents.capture(id, params, options), { key }, id)
}

/**
 * Names the payment of a charge in the metadata of a hold that a secure token has verified, so that notifications about
 * the hold lead to the payment. Any other PaymentIntent stays unchanged. Stripe's refusal raises an alarm, and the
 * scheduled look-ups of the payment then replace its notifications.
 */
export async function nameIntent(calls: StripeCalls, order: Order, intent: Stripe.PaymentIntent): Promise<void> {
  const { token, payment } = intent.metadata
  if (intent.status !== 'requires_capture' || payment !== undefined || token === order.payment) return
  const metadata = metadataOf(calls, order)
  try {
    await calls.call((stripe, options) => stripe.paymentIntents.update(intent.id, { metadata }, options), {}, intent.id)
  } catch (error) {
    if (!(error instanceof StripeRefusal)) throw error
    calls.refused(order, error)
  }
}
