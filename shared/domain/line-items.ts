import type { LineItem } from './session.ts'

/**
 * Returns the amount of a line item in the currency's smallest unit: the amount of one, times the quantity, rounded
 * half up. An item without a quantity counts once. Returns null for an item without an amount.
 */
export function lineAmount({ amount, quantity }: Pick<LineItem, 'amount' | 'quantity'>): number | null {
  if (amount === null) return null
  // In binary, 1.005 × 100 is slightly below 100.5. Fifteen digits are exact for every amount that can be charged.
  return Math.round(Number((amount * (quantity ?? 1)).toPrecision(15)))
}

/** Returns the sum of the line items that have an amount, or undefined if none has one. */
export function sumOfItems(items: readonly LineItem[]): number | undefined {
  const amounts = items.map(lineAmount).filter((amount) => amount !== null)
  return amounts.length === 0 ? undefined : amounts.reduce((sum, amount) => sum + amount, 0)
}
