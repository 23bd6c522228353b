import { describe, expect, test } from 'vitest'
import { decimalsOf, isCurrency } from '#shared/domain/currency.ts'

describe('currencies', () => {
  test.each([
    ['JPY', 0],
    ['KRW', 0],
    ['USD', 2],
    ['HUF', 2],
    ['KWD', 3],
    ['CLF', 4],
  ])('%s has %i decimals', (code, decimals) => {
    expect(isCurrency(code)).toBe(true)
    expect(decimalsOf(code)).toBe(decimals)
  })

  test('the list holds the active codes: what replaced an old currency, and not the old one', () => {
    expect(['VES', 'SLE', 'ZWG', 'XCG', 'MRU', 'EUR'].every(isCurrency)).toBe(true)
    expect(['VEF', 'SLL', 'ZWL', 'ANG', 'MRO', 'HRK', 'BGN'].some(isCurrency)).toBe(false)
  })

  test.each(['jpy', 'JP', 'JPYY', 'ABC', '', 'XXX', 'XTS', 'XAU', 'constructor', ' '])('%j is no currency', (code) => {
    expect(isCurrency(code)).toBe(false)
    expect(() => decimalsOf(code)).toThrow(RangeError)
  })

  test('of all codes of three letters, ISO 4217 has 165 with a smallest unit', () => {
    const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'.split('')
    const codes = letters.flatMap((a) => letters.flatMap((b) => letters.map((c) => a + b + c)))
    expect(codes.filter(isCurrency)).toHaveLength(165)
  })
})
