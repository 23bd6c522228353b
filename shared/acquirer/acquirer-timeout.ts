import type { UnitOfWork } from '#shared/store/unit-of-work.ts'
import { OutcomeUnknown } from './acquirer.ts'

/** How long an acquirer may take to respond. After this time, the outcome is unknown. */
const ANSWER_WITHIN_MILLISECONDS = 15_000

/**
 * How long a request may wait for the acquirer in total, counted from the start of the request. The request needs the
 * rest of its own time limit to record the outcome and to respond.
 */
const ASKING_WITHIN_MILLISECONDS = 20_000

/**
 * The response of the acquirer. `ask` gets the time that is left, in milliseconds, so that it can close its connection.
 * Throws `OutcomeUnknown` if the response takes longer, and without a call of `ask` if no time is left.
 */
export async function withAcquirerTimeout<T>(
  work: UnitOfWork,
  ask: (within_ms: number) => Promise<T>,
  answer_within_ms = ANSWER_WITHIN_MILLISECONDS,
): Promise<T> {
  const left = work.began_at + ASKING_WITHIN_MILLISECONDS - work.realNow()
  const within_ms = Math.min(answer_within_ms, left)
  if (within_ms <= 0) throw new OutcomeUnknown()
  const answered = new AbortController()
  const late = work.platform.clock.wait(within_ms, answered.signal).then(() => {
    throw new OutcomeUnknown()
  })
  return Promise.race([ask(within_ms), late]).finally(() => answered.abort('answered'))
}
