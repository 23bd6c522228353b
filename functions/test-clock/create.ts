import { advanceTestClock } from '#shared/accounts/advance-test-clock.ts'
import { endpoint } from '#shared/http/endpoint.ts'
import { AdvanceTestClock, testClock } from '#shared/resources/test-clock.ts'

/**
 * Advances the time of your test mode, and does all work that falls due on the way at its own time: captures of
 * subscriptions, deadlines, retries of webhooks and settlements. Responds at once with the time at which the advance
 * ends. Another advance is refused with `conflict` until then. Only test keys may call it.
 * @refuses conflict, invalid_parameter, missing_parameter, not_found
 */
export const handler = endpoint('POST /test_clock', {
  request: AdvanceTestClock,
  returns: testClock,
  run: ({ request, work }) => advanceTestClock(work, request.advance),
})
