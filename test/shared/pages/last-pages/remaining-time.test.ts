import { describe, expect, test } from 'vitest'
import { remainingTime } from '#shared/pages/last-pages/remaining-time.ts'

describe('remainingTime', () => {
  test.each([
    [3 * 86_400 + 4 * 3600 + 59, '3 days 4 hours', '3日4時間', '3일 4시간'],
    [86_400, '1 day', '1日', '1일'],
    [86_399, '23 hours 59 minutes', '23時間59分', '23시간 59분'],
    [3600, '1 hour', '1時間', '1시간'],
    [3599, '59 minutes', '59分', '59분'],
    [60, '1 minute', '1分', '1분'],
    [59, '59 seconds', '59秒', '59초'],
    [1, '1 second', '1秒', '1초'],
  ])('formats %d seconds', (seconds, en, ja, ko) => {
    expect(remainingTime(seconds, 'en')).toBe(en)
    expect(remainingTime(seconds, 'ja')).toBe(ja)
    expect(remainingTime(seconds, 'ko')).toBe(ko)
  })
})
