import { expect, test } from 'vitest'
import { ATTEMPTS_MAX, RETRY_WAITS, retryOffset } from '#shared/domain/retry-schedule.ts'

const HOUR = 3_600

test('RETRY_WAITS holds 25 growing waits, the last of 100 hours, which sum up to 25 days', () => {
  expect(RETRY_WAITS).toHaveLength(25)
  for (const [index, wait] of RETRY_WAITS.entries()) expect(wait).toBeGreaterThan(RETRY_WAITS[index - 1] ?? 0)
  expect(RETRY_WAITS.at(-1)).toBe(100 * HOUR)
  expect(RETRY_WAITS.reduce((sum, wait) => sum + wait, 0)).toBe(25 * 24 * HOUR)
  expect(ATTEMPTS_MAX).toBe(26)
})

test('RETRY_WAITS is a power of the retry number in whole seconds, and its 24th wait corrects the rounding', () => {
  const rounding = RETRY_WAITS.map((wait, index) => wait - Math.round(360_000 * ((index + 1) / 25) ** 3.5552688))
  expect(rounding).toEqual([...Array(23).fill(0), -2, 0])
})

test('retryOffset is the sum of all waits up to the retry', () => {
  expect([1, 2, 3, 24, 25].map(retryOffset)).toEqual([4_000, 49_000, 241_000, 1_800_000_000, 2_160_000_000])
})
