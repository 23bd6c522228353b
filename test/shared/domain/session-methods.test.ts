import { describe, expect, test } from 'vitest'
import { payment_types } from '#shared/domain/payment-details.ts'
import { brands_of, isPayableIn, methodsOf } from '#shared/domain/session-methods.ts'
import { sessionRecord } from '#test/fixtures/records.ts'

describe('the methods of a session', () => {
  test('cost the amount with tax, and the fee of the type', () => {
    const session = sessionRecord({ payment_types: ['pay_easy', 'credit_card', 'konbini', 'bank_transfer'] })
    expect(methodsOf(session)).toEqual([
      { type: 'pay_easy', fee: 190, total: 1290 },
      { type: 'credit_card', fee: 0, total: 1100 },
      { type: 'konbini', fee: 190, total: 1290 },
      { type: 'bank_transfer', fee: 0, total: 1100 },
    ])
  })

  test('cost nothing where nothing is paid', () => {
    expect(methodsOf(sessionRecord({ amount: null, currency: null, tax: 0 }))).toEqual([
      { type: 'credit_card', fee: 0, total: null },
    ])
  })

  test('cash can be paid in yen alone, all else in any currency', () => {
    const only_yen = payment_types.filter((type) => !isPayableIn(type, 'USD'))
    expect(only_yen).toEqual(['konbini', 'pay_easy', 'bank_transfer'])
    expect(payment_types.filter((type) => !isPayableIn(type, 'JPY'))).toEqual([])
  })

  test('have brands where a customer chooses among some', () => {
    expect(Object.keys(brands_of)).toEqual(['credit_card', 'konbini', 'japan_mobile'])
    expect(brands_of.konbini).toHaveLength(6)
    expect(brands_of.japan_mobile).toEqual(['docomo', 'au', 'softbank', 'rakuten'])
  })
})
