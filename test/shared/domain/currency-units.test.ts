import { describe, expect, test } from 'vitest'
import { inOwnUnit, inSmallestUnit } from '#shared/domain/currency.ts'
import { AMOUNT_MAX } from '#shared/domain/new-payment.ts'

describe('inSmallestUnit and inOwnUnit', () => {
  test.each([
    ['10.50', 'USD', 1050, 10.5],
    ['10.5', 'USD', 1050, 10.5],
    ['10', 'USD', 1000, 10],
    ['0.01', 'USD', 1, 0.01],
    ['19.99', 'USD', 1999, 19.99],
    ['1000', 'JPY', 1000, 1000],
    ['1000.00', 'JPY', 1000, 1000],
    ['1.234', 'KWD', 1234, 1.234],
    ['1.2340', 'KWD', 1234, 1.234],
    ['0.0001', 'CLF', 1, 0.0001],
    ['0', 'JPY', 0, 0],
    ['0.00', 'USD', 0, 0],
    ['0.000', 'KWD', 0, 0],
    ['0010.50', 'USD', 1050, 10.5],
    ['10.50000000000000000000', 'USD', 1050, 10.5],
    ['9999999999', 'JPY', 9_999_999_999, 9_999_999_999],
    ['99999999.99', 'USD', 9_999_999_999, 99_999_999.99],
    ['9999999.999', 'KWD', 9_999_999_999, 9_999_999.999],
  ])('%s %s is %i in the smallest unit, and is shown as %d', (text, code, amount, shown) => {
    expect(inSmallestUnit(text, code)).toBe(amount)
    expect(inOwnUnit(amount, code)).toBe(shown)
  })

  test.each([
    ['10.505', 'USD'],
    ['1000.50', 'JPY'],
    ['1000.01', 'JPY'],
    ['1.2345', 'KWD'],
    ['0.00001', 'CLF'],
    ['', 'USD'],
    ['.5', 'USD'],
    ['10.', 'USD'],
    ['10,50', 'USD'],
    ['1,000', 'JPY'],
    ['-1', 'USD'],
    ['+1', 'USD'],
    ['1e3', 'USD'],
    [' 10', 'USD'],
    ['10 ', 'USD'],
    ['10\n', 'USD'],
    ['١٠', 'USD'],
    ['0x10', 'USD'],
    ['Infinity', 'USD'],
    ['10.5.0', 'USD'],
    ['12345678901', 'JPY'],
  ])('%j is not an amount in %s', (text, code) => {
    expect(inSmallestUnit(text, code)).toBeNaN()
  })

  test.each([
    ['10000000000', 'JPY'],
    ['100000000.00', 'USD'],
    ['10000000.000', 'KWD'],
  ])('%s %s exceeds the highest amount of a payment', (text, code) => {
    expect(inSmallestUnit(text, code) <= AMOUNT_MAX).toBe(false)
  })

  test('an amount of 0 to 9,999,999,999 is the same after both conversions, whatever the decimals', () => {
    const amounts = [0, 1, 7, 10, 99, 101, 999, 1_050, 12_345, 33_333_333, 4_503_599_627, 9_999_999_998, AMOUNT_MAX]
    for (const code of ['JPY', 'USD', 'KWD', 'CLF'])
      for (const amount of amounts) expect(inSmallestUnit(String(inOwnUnit(amount, code)), code)).toBe(amount)
  })
})
