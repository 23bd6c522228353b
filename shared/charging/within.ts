import type { Work } from '#shared/store/work.ts'
import { OutcomeUnknown } from './acquirer.ts'

/** How long an acquirer may take to answer. After it, the outcome is unknown. */
const ANSWER_WITHIN_MILLISECONDS = 15_000

/** How long a request may ask the acquirer in all, so that it can still answer and record before its own time is over. */
const ASKING_WITHIN_MILLISECONDS = 20_000

/** The acquirer's answer, or `OutcomeUnknown` when it takes too long. */
export async function within<T>(work: Work, answer: Promise<T>): Promise<T> {
  const left = work.began_at + ASKING_WITHIN_MILLISECONDS - work.now()
  const answered = new AbortController()
  const late = work.platform.clock.wait(Math.min(ANSWER_WITHIN_MILLISECONDS, left), answered.signal).then(() => {
    throw new OutcomeUnknown()
  })
  return Promise.race([answer, late]).finally(() => answered.abort('answered'))
}
