import { describe, expect, test } from 'vitest'
import { payment_types } from '#shared/domain/payment-details.ts'
import { brands_of, isPayableIn, methodsOf } from '#shared/domain/session-methods.ts'
import { sessionRecord } from '#test/fixtures/records.ts'

describe('methodsOf, isPayableIn and brands_of', () => {
  test('methodsOf adds the fee of each type to the amount with tax', () => {
    const session = sessionRecord({ payment_types: ['pay_easy', 'credit_card', 'konbini', 'bank_transfer'] })
    expect(methodsOf(session)).toEqual([
      { type: 'pay_easy', fee: 190, total: 1290, offsite: false, additional_fields: [] },
      { type: 'credit_card', fee: 0, total: 1100, offsite: false, additional_fields: [] },
      { type: 'konbini', fee: 190, total: 1290, offsite: false, additional_fields: [] },
      { type: 'bank_transfer', fee: 0, total: 1100, offsite: false, additional_fields: [] },
    ])
  })

  test('methodsOf returns no total for a session without an amount', () => {
    expect(methodsOf(sessionRecord({ amount: null, currency: null, tax: 0 }))).toEqual([
      { type: 'credit_card', fee: 0, total: null, offsite: false, additional_fields: [] },
    ])
  })

  test.each([
    ['paysafe_cash', ['email'], []],
    ['mobile', ['email'], []],
    ['japan_mobile', ['brand', 'email'], ['brand']],
    ['paypay', [], []],
    ['paidy', [], []],
  ] as const)('methodsOf asks for the fields of %s, except an e-mail address that is known', (type, fields, known) => {
    const asked = (email: string | null) => methodsOf(sessionRecord({ payment_types: [type], email }))[0]
    expect(asked(null)).toMatchObject({ offsite: true, additional_fields: fields })
    expect(asked('taro@example.com')).toMatchObject({ offsite: true, additional_fields: known })
  })

  test('isPayableIn accepts only yen for cash, and every currency for other types', () => {
    const only_yen = payment_types.filter((type) => !isPayableIn(type, 'USD'))
    expect(only_yen).toEqual(['konbini', 'pay_easy', 'bank_transfer'])
    expect(payment_types.filter((type) => !isPayableIn(type, 'JPY'))).toEqual([])
  })

  test('brands_of lists the brands of each type that has a choice', () => {
    expect(Object.keys(brands_of)).toEqual(['credit_card', 'konbini', 'japan_mobile'])
    expect(brands_of.konbini).toHaveLength(6)
    expect(brands_of.japan_mobile).toEqual(['docomo', 'au', 'softbank', 'rakuten'])
  })
})
