import { type Order, OutcomeUnknown } from '#shared/acquirer/acquirer.ts'
import type { Outcome } from '#shared/domain/payment.ts'
import { type StripeCalls, StripeRefusal } from './calls.ts'
import { captureIntent } from './intent-calls.ts'
import { chargedIntent, readIntent } from './intents.ts'
import { outcomeOfCapture } from './outcome.ts'
import { once } from './repetition.ts'

/** The codes by which Stripe says that the hold to capture has ended. */
const HOLD_ENDED = new Set(['charge_expired_for_capture', 'capture_charge_authorization_expired'])

/** Sends a capture under its key. A capture that may have been sent before is looked up first. */
export const sendCapture = (calls: StripeCalls, order: Order): Promise<Outcome> =>
  once(calls, order, { found: () => foundCapture(calls, order), send: () => capture(calls, order) })

/** The outcome of a capture that has taken effect; null if nothing has been captured. */
export async function foundCapture(calls: StripeCalls, order: Order): Promise<Outcome | null> {
  const id = await chargedIntent(calls, order)
  return id === undefined ? null : outcomeOfCapture(await readIntent(calls, id), order)
}

async function capture(calls: StripeCalls, order: Order): Promise<Outcome> {
  const id = await chargedIntent(calls, order)
  if (id === undefined) return { result: 'declined', code: 'other_error' }
  try {
    const outcome = outcomeOfCapture(await captureIntent(calls, order, id), order)
    if (outcome) return outcome
  } catch (error) {
    if (!(error instanceof StripeRefusal)) throw error
    return refused(calls, order, id, error)
  }
  throw new OutcomeUnknown()
}

async function refused(calls: StripeCalls, order: Order, id: string, refusal: StripeRefusal): Promise<Outcome> {
  if (HOLD_ENDED.has(refusal.code ?? '')) return { result: 'expired' }
  if (refusal.code === 'payment_intent_unexpected_state' || refusal.code === 'charge_already_captured') {
    const outcome = outcomeOfCapture(await readIntent(calls, id), order)
    if (outcome) return outcome
    throw new OutcomeUnknown()
  }
  calls.refused(order, refusal)
  return { result: 'declined', code: 'other_error' }
}
