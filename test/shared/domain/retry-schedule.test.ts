import { expect, test } from 'vitest'
import { ATTEMPTS_MAX, RETRY_WAITS, retryOffset } from '#shared/domain/retry-schedule.ts'

const HOUR = 3_600

test('25 retries come at waits that grow strictly, the last of 100 hours, 25 days in all', () => {
  expect(RETRY_WAITS).toHaveLength(25)
  for (const [index, wait] of RETRY_WAITS.entries()) expect(wait).toBeGreaterThan(RETRY_WAITS[index - 1] ?? 0)
  expect(RETRY_WAITS.at(-1)).toBe(100 * HOUR)
  expect(RETRY_WAITS.reduce((sum, wait) => sum + wait, 0)).toBe(25 * 24 * HOUR)
  expect(ATTEMPTS_MAX).toBe(26)
})

test('the waits are a power of their number in whole seconds; the 24th makes up for the rounding of all', () => {
  const rounding = RETRY_WAITS.map((wait, index) => wait - Math.round(360_000 * ((index + 1) / 25) ** 3.5552688))
  expect(rounding).toEqual([...Array(23).fill(0), -2, 0])
})

test('a retry is due when all the waits before it are over', () => {
  expect([1, 2, 3, 24, 25].map(retryOffset)).toEqual([4_000, 49_000, 241_000, 1_800_000_000, 2_160_000_000])
})
