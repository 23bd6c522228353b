import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { endOfDayInJapan } from '#shared/domain/payment-deadline.ts'

describe('endOfDayInJapan', () => {
  test('returns the last second of a day in Japan', () => {
    expect(endOfDayInJapan(Date.UTC(2030, 0, 31, 3), 3)).toBe('2030-02-03T14:59:59Z')
  })

  test('returns the end of the current day in Japan for 0 days', () => {
    expect(endOfDayInJapan(Date.UTC(2030, 0, 1, 14, 59, 59), 0)).toBe('2030-01-01T14:59:59Z')
    expect(endOfDayInJapan(Date.UTC(2030, 0, 1, 15), 0)).toBe('2030-01-02T14:59:59Z')
  })

  test('returns the end of a day in Japan, less than a day after the requested number of days', () => {
    const now = fc.integer({ min: 0, max: 4_000_000_000 }).map((second) => second * 1000)
    fc.assert(
      fc.property(now, fc.integer({ min: 0, max: 60 }), (moment, days) => {
        const end = Date.parse(endOfDayInJapan(moment, days))
        expect(end - moment).toBeGreaterThanOrEqual(days * 86_400_000)
        expect(end - moment).toBeLessThan((days + 1) * 86_400_000)
        expect(new Date(end + 9 * 3_600_000).toISOString()).toMatch(/T23:59:59/)
      }),
    )
  })
})
