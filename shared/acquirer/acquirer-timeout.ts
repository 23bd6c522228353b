import type { UnitOfWork } from '#shared/store/unit-of-work.ts'
import { OutcomeUnknown } from './acquirer.ts'

/** How long an acquirer may take to respond. After this time, the outcome is unknown. */
const ANSWER_WITHIN_MILLISECONDS = 15_000

/**
 * How long a request may wait for the acquirer in total, counted from the start of the request. The request needs the
 * rest of its own time limit to record the outcome and to respond.
 */
const ASKING_WITHIN_MILLISECONDS = 20_000

/** The response of the acquirer. Throws `OutcomeUnknown` if the response takes too long. */
export async function withAcquirerTimeout<T>(work: UnitOfWork, answer: Promise<T>): Promise<T> {
  const left = work.began_at + ASKING_WITHIN_MILLISECONDS - work.now()
  const answered = new AbortController()
  const late = work.platform.clock.wait(Math.min(ANSWER_WITHIN_MILLISECONDS, left), answered.signal).then(() => {
    throw new OutcomeUnknown()
  })
  return Promise.race([answer, late]).finally(() => answered.abort('answered'))
}
