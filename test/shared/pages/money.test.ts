import { describe, expect, test } from 'vitest'
import { locales } from '#shared/domain/session.ts'
import { money, shownTime } from '#shared/pages/money.ts'

describe('money', () => {
  test.each([
    [1000, 'JPY', '¥1,000'],
    [9_999_999_999, 'JPY', '¥9,999,999,999'],
    [0, 'JPY', '¥0'],
    [1050, 'USD', '$10.50'],
    [1_234_567, 'USD', '$12,345.67'],
    [1000, 'KRW', '₩1,000'],
  ])('%i %s is %s in English', (amount, currency, said) => {
    expect(money(amount, currency, 'en')).toBe(said)
  })

  test('shows the yen alike in every language', () => {
    expect(locales.map((locale) => money(1290, 'JPY', locale))).toEqual(['¥1,290', '¥1,290', '¥1,290'])
  })

  test.each([
    [1234, 'KWD', '1.234'],
    [12_345, 'CLF', '1.2345'],
  ])('shows %i %s with the decimals of ISO 4217', (amount, currency, digits) => {
    expect(money(amount, currency, 'en').replace(/[^\d.]/g, '')).toBe(digits)
  })
})

describe('shownTime', () => {
  test('shows Japan time, whatever the time zone of the server', () => {
    expect(shownTime('2026-01-04T14:59:59Z', 'ja')).toBe('2026年1月4日(日) 23:59（日本時間）')
    expect(shownTime('2026-01-04T14:59:59Z', 'en')).toBe('Sun, January 4, 2026 at 23:59 (Japan time)')
    expect(shownTime('2026-01-04T14:59:59Z', 'ko')).toBe('2026년 1월 4일 일요일 23:59 (일본 시간)')
  })

  test('shows midnight as the start of the day', () => {
    expect(shownTime('2026-01-04T15:00:00Z', 'en')).toContain('January 5, 2026 at 00:00')
  })
})
