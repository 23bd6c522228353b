import { describe, expect, test } from 'vitest'
import { decimalsOf, isCurrency } from '#shared/domain/currency.ts'

describe('isCurrency and decimalsOf', () => {
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

  test('isCurrency accepts active codes, and rejects the codes that they replaced', () => {
    expect(['VES', 'SLE', 'ZWG', 'XCG', 'MRU', 'EUR'].every(isCurrency)).toBe(true)
    expect(['VEF', 'SLL', 'ZWL', 'ANG', 'MRO', 'HRK', 'BGN'].some(isCurrency)).toBe(false)
  })

  test.each(['jpy', 'JP', 'JPYY', 'ABC', '', 'XXX', 'XTS', 'XAU', 'constructor', ' '])(
    '%j is not a currency',
    (code) => {
      expect(isCurrency(code)).toBe(false)
      expect(() => decimalsOf(code)).toThrow(RangeError)
    },
  )

  test('isCurrency accepts exactly 165 codes of three letters', () => {
    const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'.split('')
    const codes = letters.flatMap((a) => letters.flatMap((b) => letters.map((c) => a + b + c)))
    expect(codes.filter(isCurrency)).toHaveLength(165)
  })
})
