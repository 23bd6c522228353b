import { type Order, OutcomeUnknown } from '#shared/acquirer/acquirer.ts'
import type { Outcome } from '#shared/domain/payment.ts'
import { type StripeCalls, StripeRefusal } from './calls.ts'
import { declineOf, isDecline } from './declines.ts'
import { readIntent } from './intents.ts'
import { declined } from './outcome.ts'

/**
 * Returns the outcome of a charge one of whose calls failed. A decline is the outcome. Any other refusal is a defect of
 * this service: the charge is declined and raises an alarm. Throws an unknown outcome again, with the id of the
 * PaymentIntent.
 */
export async function refusedCharge(
  calls: StripeCalls,
  order: Order,
  failure: unknown,
  reference?: string,
): Promise<Outcome> {
  if (failure instanceof OutcomeUnknown && failure.reference === undefined && reference !== undefined)
    throw new OutcomeUnknown({ reference })
  if (!(failure instanceof StripeRefusal)) throw failure
  const { error } = failure
  const ids = reference === undefined ? {} : { reference }
  if (error.type !== 'card_error' && !isDecline(error)) {
    calls.refused(order, failure)
    return { result: 'declined', code: 'other_error', ...ids }
  }
  const decline: Outcome = { result: 'declined', code: declineOf(error), ...ids }
  const { payment_intent: intent } = error
  if (decline.code === 'fraudulent' || !intent) return decline
  return (await declineOfIntent(calls, intent.id)) ?? decline
}

/**
 * The decline as the PaymentIntent shows it, because only its charge says whether Stripe's own rules blocked it.
 * Undefined if it cannot be read: the decline of the confirmation then counts.
 */
async function declineOfIntent(calls: StripeCalls, id: string): Promise<Outcome | undefined> {
  try {
    const intent = await readIntent(calls, id)
    return intent.last_payment_error ? declined(intent) : undefined
  } catch (error) {
    if (error instanceof OutcomeUnknown || error instanceof StripeRefusal) return undefined
    throw error
  }
}
