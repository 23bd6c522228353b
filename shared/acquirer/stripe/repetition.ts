import { type Order, OutcomeUnknown } from '#shared/acquirer/acquirer.ts'
import { isRepeatable } from '#shared/acquirer/inquiry-schedule.ts'
import type { Outcome } from '#shared/domain/payment.ts'
import type { StripeCalls } from './calls.ts'

/** The two ways to learn the outcome of an order: to look up what it has done, or to send it under its key. */
interface Ways {
  found(): Promise<Outcome | null>
  send(): Promise<Outcome>
}

/** An order that is older than this has probably been sent before. */
const SENT_BEFORE_MS = 30_000

/**
 * Executes an order at most once. An order that has probably been sent before is looked up first, because Stripe stores
 * failures under a key too. Once Stripe can have forgotten the key, the order is only looked up.
 */
export async function once({ access }: StripeCalls, order: Order, { found, send }: Ways): Promise<Outcome> {
  const now = access.clock.now()
  if (now - Date.parse(order.sent_at) < SENT_BEFORE_MS) return send()
  const outcome = await found()
  if (outcome) return outcome
  return isRepeatable(order, now) ? send() : { result: 'never_arrived' }
}

/**
 * Inquires about an order that is repeated under its key. Without an effect, it has not arrived so far. With `final`,
 * that stays true only once Stripe can have forgotten the key, so `OutcomeUnknown` is thrown before.
 */
export function inquired({ access }: StripeCalls, order: Order, outcome: Outcome | null, final: boolean): Outcome {
  if (outcome) return outcome
  if (final && isRepeatable(order, access.clock.now())) throw new OutcomeUnknown()
  return { result: 'never_arrived' }
}
