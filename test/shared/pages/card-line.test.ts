import { expect, test } from 'vitest'
import { card_brands } from '#shared/domain/payment-details.ts'
import { cardLine } from '#shared/pages/card-line.ts'

test.each(card_brands)('cardLine shows a card of %s with its brand and its last four digits', (brand) => {
  const line = cardLine({ type: 'credit_card', email: null, brand, last_four_digits: '1111' })
  expect(line).toMatch(/^[A-Z][A-Za-z ]+ •••• 1111$/)
})

test('cardLine shows a card without a known brand with its digits only', () => {
  expect(cardLine({ type: 'credit_card', email: null, brand: null, last_four_digits: '1111' })).toBe('•••• 1111')
})
