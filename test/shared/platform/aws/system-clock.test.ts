import { expect, test } from 'vitest'
import { systemClock } from '#shared/platform/aws/system-clock.ts'

test('systemClock.now returns the time of the machine in milliseconds', () => {
  const before = Date.now()
  const now = systemClock.now()
  expect(now).toBeGreaterThanOrEqual(before)
  expect(now).toBeLessThanOrEqual(Date.now())
})

test('systemClock.wait waits for the given milliseconds', async () => {
  const before = performance.now()
  await systemClock.wait(5)
  // A timer may be up to a millisecond early.
  expect(performance.now() - before).toBeGreaterThanOrEqual(4)
})
