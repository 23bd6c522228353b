import { expect, test } from 'vitest'
import { duration } from '#shared/docs/retry-schedule-section.ts'

test.each([
  [4, '4 s'],
  [192, '3 min 12 s'],
  [3600, '1 h'],
  [5880, '1 h 38 min'],
  [360_000, '4 d 4 h'],
  [86_400 * 25, '25 d'],
])('duration writes %i seconds as %s', (seconds, text) => {
  expect(duration(seconds)).toBe(text)
})
