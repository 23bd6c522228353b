import { expect, test } from 'vitest'
import { systemClock } from '#shared/platform/aws/system-clock.ts'

test('tells the time of the machine, in milliseconds', () => {
  const before = Date.now()
  const now = systemClock.now()
  expect(now).toBeGreaterThanOrEqual(before)
  expect(now).toBeLessThanOrEqual(Date.now())
})

test('waits for as long as it is told', async () => {
  const before = performance.now()
  await systemClock.wait(5)
  // A timer may be up to a millisecond early.
  expect(performance.now() - before).toBeGreaterThanOrEqual(4)
})
