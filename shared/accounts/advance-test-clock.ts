import { Refusal } from '#shared/domain/errors.ts'
import { beginAdvance, newTestClock, shownTime } from '#shared/domain/test-clock.ts'
import { type Change, changed } from '#shared/store/change.ts'
import { testClockKey } from '#shared/store/keys.ts'
import { testClocks } from '#shared/store/test-clocks.ts'
import type { UnitOfWork } from '#shared/store/unit-of-work.ts'

/**
 * Begins to advance the time of a merchant's test mode, and returns the time at which the advance ends, in epoch
 * milliseconds. Zero seconds change nothing and return the time that is reached. Refuses with `conflict` while an
 * earlier advance goes on. A local run moves its own clock instead, and returns when all work on the way is done.
 */
export async function advanceTestClock(
  work: UnitOfWork,
  seconds: number,
): Promise<{ changes: readonly Change[]; answer: number }> {
  if (work.platform.advanceClock) {
    await work.platform.advanceClock(seconds)
    return { changes: [], answer: work.now() }
  }
  const stored = await work.at(testClocks, testClockKey(work.merchant))
  const clock = stored ?? newTestClock(work.merchant, work.realNow())
  if (seconds === 0) return { changes: [], answer: shownTime(clock, work.realNow()) }
  if (clock.target !== null) throw new Refusal('conflict', { message: GOES_ON })
  const next = beginAdvance(clock, seconds, work.realNow())
  return { changes: [changed(testClocks, next)], answer: next.target }
}

const GOES_ON =
  'An earlier advance of the test clock goes on. Wait until it ends: {"advance": 0} shows the time reached.'
