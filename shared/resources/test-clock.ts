import * as v from 'valibot'
import { ADVANCE_SECONDS_MAX } from '#shared/domain/test-clock.ts'
import { timestamp } from '#shared/domain/timestamp.ts'
import { described, shown_timestamp } from './answer-fields.ts'
import { integer } from './fields.ts'
import { viewOf } from './view.ts'

/** By how much the time of the test mode advances. */
export const AdvanceTestClock = v.object({
  advance: v.pipe(
    integer(0, ADVANCE_SECONDS_MAX, ', a number of seconds such as 86400 for a day'),
    v.description(
      'The number of seconds by which the time of your test mode advances, at most a year. 0 shows the time reached.',
    ),
  ),
})
export type AdvanceTestClock = v.InferOutput<typeof AdvanceTestClock>

/** The time of a merchant's test mode. */
export const TestClockResource = described(
  v.strictObject({
    now: described(
      shown_timestamp,
      'Time at which the advance ends, in UTC. With an `advance` of 0, the time that your test mode has reached.',
    ),
  }),
  'The clock of your test mode.',
)
export type TestClockResource = v.InferOutput<typeof TestClockResource>

/** Shows the time of a test clock, given in epoch milliseconds. */
export const testClock = viewOf(TestClockResource, (now: number): TestClockResource => ({ now: timestamp(now) }))
