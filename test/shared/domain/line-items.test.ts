import { describe, expect, test } from 'vitest'
import { lineAmount, sumOfItems } from '#shared/domain/line-items.ts'

describe('lineAmount', () => {
  test.each([
    [500, 2, 1000],
    [500, null, 500],
    [1005, 0.1, 101],
    [100, 1.005, 101],
    [333, 0.3333333333333333, 111],
    [1, 0.4, 0],
    [0, 3, 0],
    [9_999_999_999, 1, 9_999_999_999],
    [null, 2, null],
  ])('of %s times %s is %s', (amount, quantity, expected) => {
    expect(lineAmount({ amount, quantity })).toBe(expected)
  })
})

describe('sumOfItems', () => {
  const item = (amount: number | null, quantity: number | null) => ({
    amount,
    quantity,
    description: null,
    image: null,
  })

  test('adds up the items that have an amount', () => {
    expect(sumOfItems([item(500, 2), item(null, 3), item(99, 1.5)])).toBe(1149)
  })

  test('is undefined if no item has an amount', () => {
    expect(sumOfItems([])).toBeUndefined()
    expect(sumOfItems([item(null, 3)])).toBeUndefined()
  })
})
