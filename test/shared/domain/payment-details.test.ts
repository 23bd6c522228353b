import { expect, test } from 'vitest'
import { withoutVerificationValue } from '#shared/domain/payment-details.ts'

test('a card is stored without its verification value, and other payment details are stored whole', () => {
  const card = { type: 'credit_card', number: '4111111111111111', month: 12, year: 2030, name: 'TARO' } as const
  expect(withoutVerificationValue({ ...card, verification_value: '123' })).toStrictEqual(card)
  expect(withoutVerificationValue(card)).toStrictEqual(card)
  const prepaid = { type: 'net_cash', prepaid_number: '1234', user_password: 'x' } as const
  expect(withoutVerificationValue(prepaid)).toStrictEqual(prepaid)
})
