import type Stripe from 'stripe'
import { type Order, OutcomeUnknown } from '#shared/acquirer/acquirer.ts'
import { isRepeatable } from '#shared/acquirer/inquiry-schedule.ts'
import type { Outcome } from '#shared/domain/payment.ts'
import { type StripeCalls, StripeRefusal } from './calls.ts'
import { cancelIntent, captureIntent, nameIntent } from './intent-calls.ts'
import { createIntent, expanded, findIntent, readIntent } from './intents.ts'
import { outcomeOfCharge } from './outcome.ts'
import { methodOf } from './payment-method.ts'
import { refusedCharge } from './refused-charge.ts'
import { inquireSetup, isSetup } from './setup.ts'

/**
 * Sends a charge: creates its PaymentIntent, which moves no money and can be repeated, and confirms it, which charges
 * at most once. A charge whose PaymentIntent is known is not created again. Throws `OutcomeUnknown` with the id of the
 * PaymentIntent, if it is known.
 */
export async function sendCharge(calls: StripeCalls, order: Order): Promise<Outcome> {
  if (order.reference !== null) return continueCharge(calls, order, order.reference)
  if (!isRepeatable(order, calls.access.clock.now())) {
    const found = await findIntent(calls, order)
    return found === undefined ? { result: 'never_arrived' } : continueCharge(calls, order, found)
  }
  // Both calls end before the outcome, so that no call runs on after it.
  const [intent, method] = await Promise.allSettled([
    createIntent(calls, order),
    methodOf(calls, order.details!, order),
  ])
  if (intent.status === 'rejected') return refusedCharge(calls, order, intent.reason)
  const { id } = intent.value
  return method.status === 'rejected'
    ? refusedCharge(calls, order, method.reason, id)
    : confirm(calls, order, id, method.value)
}

/** Sends a charge whose PaymentIntent exists. A hold that 3-D Secure has verified is captured or kept. */
async function continueCharge(calls: StripeCalls, order: Order, id: string): Promise<Outcome> {
  const intent = await readIntent(calls, id)
  const outcome = outcomeOfCharge(intent, order)
  if (outcome) {
    await nameIntent(calls, order, intent)
    return outcome
  }
  if (intent.status === 'requires_capture') return captureVerified(calls, order, id)
  try {
    return await confirm(calls, order, id, await methodOf(calls, order.details!, order))
  } catch (error) {
    return refusedCharge(calls, order, error, id)
  }
}

async function captureVerified(calls: StripeCalls, order: Order, id: string): Promise<Outcome> {
  try {
    return known(outcomeOfCharge(await captureIntent(calls, order, id), order), id)
  } catch (error) {
    return refusedCharge(calls, order, error, id)
  }
}

async function confirm(
  calls: StripeCalls,
  order: Order,
  id: string,
  method: Stripe.PaymentIntentConfirmParams,
): Promise<Outcome> {
  const params = { ...method, ...expanded, return_url: order.return_url }
  try {
    const intent = await calls.call(
      (stripe, options) => stripe.paymentIntents.confirm(id, params, options),
      { limit: 'confirm' },
      id,
    )
    return known(outcomeOfCharge(intent, order), id)
  } catch (error) {
    // Another confirmation of the same PaymentIntent came first, or it is cancelled. No second one can charge.
    if (error instanceof StripeRefusal && error.code === 'payment_intent_unexpected_state')
      return known(outcomeOfCharge(await readIntent(calls, id), order), id)
    return refusedCharge(calls, order, error, id)
  }
}

/** The outcome after a confirmation or a capture. Without one, something may still be happening. */
function known(outcome: Outcome | null, reference: string): Outcome {
  if (!outcome) throw new OutcomeUnknown({ reference })
  return outcome
}

/**
 * Inquires about a charge, or about the verification of a card without an amount. With `final`, a PaymentIntent that has
 * taken no money is cancelled first, so that a late confirmation is refused. Throws `OutcomeUnknown` if it cannot be
 * cancelled at this moment.
 */
export async function inquireCharge(calls: StripeCalls, order: Order, final: boolean): Promise<Outcome> {
  const id = order.reference ?? (await findIntent(calls, order))
  if (id === undefined) return { result: 'never_arrived' }
  if (isSetup(id)) return inquireSetup(calls, id)
  const intent = await readIntent(calls, id)
  const outcome = outcomeOfCharge(intent, order)
  if (outcome) await nameIntent(calls, order, intent)
  const is_open = !outcome || intent.status === 'requires_payment_method' || intent.status === 'requires_confirmation'
  if (final && is_open) await cancelIntent(calls, id)
  return outcome ?? { result: 'never_arrived', reference: id }
}
