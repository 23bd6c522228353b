import type { TestClock } from '#shared/domain/test-clock.ts'
import { testClockKey } from './keys.ts'
import type { Kind } from './kind.ts'

/** The clocks of test mode. A clock falls due by real time, for the next look of its worker. */
export const testClocks: Kind<TestClock> = {
  name: 'test_clock',
  key: (merchant) => testClockKey(merchant),
  due: ({ next_look_at }) => next_look_at,
  due_by_clock: () => undefined,
  due_kind: 'test_clock',
}
