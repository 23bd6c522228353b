import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { payment_types } from '#shared/domain/payment-details.ts'
import { PaymentDetailsResource, TokenDetailsResource } from '#shared/resources/shown-payment-details.ts'

const card = { type: 'credit_card', email: null, brand: 'visa', last_four_digits: '1111', month: 12, year: 2035 }

describe('PaymentDetailsResource and TokenDetailsResource', () => {
  test.each([
    ['the details of payments', PaymentDetailsResource],
    ['the details of tokens', TokenDetailsResource],
  ])('%s name every payment type once', (_, { options }) => {
    const types = options.flatMap(({ entries: { type } }) => ('options' in type ? type.options : [type.literal]))
    expect(types.toSorted()).toEqual(payment_types.toSorted())
  })

  test('payments can show codes and pages, and tokens cannot', () => {
    const codes = { confirmation_code: '1', receipt: '2', instructions_url: 'https://pay.example' }
    const konbini = { type: 'konbini', email: null, store: 'lawson' }
    for (const [plain, more] of [
      [konbini, codes],
      [card, { redirect_url: 'https://pay.example' }],
    ] as const) {
      expect(v.is(PaymentDetailsResource, { ...plain, ...more })).toBe(true)
      expect(v.is(TokenDetailsResource, { ...plain, ...more })).toBe(false)
      expect(v.is(TokenDetailsResource, plain)).toBe(true)
    }
  })

  test('the fields of another type are not described', () => {
    expect(v.is(PaymentDetailsResource, { ...card, store: 'lawson' })).toBe(false)
    expect(v.is(PaymentDetailsResource, { type: 'paypay', email: null, last_four_digits: '1111' })).toBe(false)
  })
})
