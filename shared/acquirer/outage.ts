import { Refusal } from '#shared/domain/errors.ts'
import type { Clock } from '#shared/platform/ports.ts'
import { type Acquirer, OutcomeUnknown } from './acquirer.ts'

/** After so many operations without an answer in a row, new operations are refused for a while. */
const UNANSWERED_MAX = 5

const REFUSED_FOR_SECONDS = 30

/** Operations of this process that the provider did not answer. */
interface Outage {
  unanswered: number
  /** When the next operation is tried, in epoch milliseconds. */
  tried_at: number
}

/** The outage that this process sees, by its clock. */
const outages = new WeakMap<Clock, Outage>()

/**
 * Refuses with `service_unavailable` an operation that is about to begin while the provider does not answer. Every 30
 * seconds, one operation is let through as a try, and the first answer ends the outage. A merchant then waits for
 * nothing, and no operation begins whose outcome would stay unknown.
 */
export function refuseDuringOutage(clock: Clock): void {
  const outage = outages.get(clock)
  if (!outage || outage.unanswered < UNANSWERED_MAX) return
  const left_ms = outage.tried_at - clock.now()
  if (left_ms > 0)
    throw new Refusal('service_unavailable', {
      message: 'The provider of live payments does not answer. Try again later.',
      retry_after_seconds: Math.ceil(left_ms / 1000),
    })
  outage.tried_at = clock.now() + REFUSED_FOR_SECONDS * 1000
}

/** Returns the acquirer with a record of the operations that it does not answer. Inquiries do not count. */
export const withOutages = (acquirer: Acquirer, clock: Clock): Acquirer => ({
  repeats: acquirer.repeats,
  accepts: (order) => acquirer.accepts(order),
  inquire: (order, options, within_ms) => acquirer.inquire(order, options, within_ms),
  send: (order, within_ms) => noted(clock, acquirer.send(order, within_ms)),
  verify: (verification, within_ms) => noted(clock, acquirer.verify(verification, within_ms)),
})

async function noted<T>(clock: Clock, answer: Promise<T>): Promise<T> {
  try {
    const answered = await answer
    outages.delete(clock)
    return answered
  } catch (error) {
    if (error instanceof OutcomeUnknown) note(clock, error)
    throw error
  }
}

function note(clock: Clock, { is_answered }: OutcomeUnknown): void {
  if (is_answered) {
    outages.delete(clock)
    return
  }
  const unanswered = (outages.get(clock)?.unanswered ?? 0) + 1
  outages.set(clock, { unanswered, tried_at: clock.now() + REFUSED_FOR_SECONDS * 1000 })
}
