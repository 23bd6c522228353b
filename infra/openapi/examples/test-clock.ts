import type { ScenarioStep } from './example-step.ts'

/** A shop moves its test mode to the next day. */
export const test_clock_steps: readonly ScenarioStep[] = [
  {
    name: 'advance_test_clock',
    route: 'POST /test_clock',
    summary: 'Advance the time of the test mode by a day',
    request: () => ({ content: { advance: 86_400 } }),
  },
]
