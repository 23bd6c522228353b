import { describe, expect, test } from 'vitest'
import { likely_elsewhere, likely_types, METHODS_SHOWN, methodOrder } from '#shared/domain/method-order.ts'
import { offeredTypes } from '#shared/domain/new-session.ts'
import { type PaymentType, payment_types } from '#shared/domain/payment-details.ts'
import { locales, type Session } from '#shared/domain/session.ts'
import { isPayableIn } from '#shared/domain/session-methods.ts'
import { sessionRecord } from '#test/fixtures/records.ts'

/** A session for which the merchant named no payment types. */
const open = (currency: string, fields: Partial<Session> = {}) => {
  const order = { mode: 'payment', amount: 1000, tax: 0, currency } as const
  return sessionRecord({ ...order, payment_types: offeredTypes(order), ...fields })
}

const named = (...types: PaymentType[]) => sessionRecord({ payment_types: types })

describe('methodOrder', () => {
  test.each([
    ['JPY', 'ja', 'credit_card konbini paypay rakutenpay japan_mobile'],
    ['JPY', 'en', 'credit_card konbini paypay alipay wechatpay'],
    ['JPY', 'ko', 'credit_card konbini linepay alipay paypay'],
    ['KRW', 'ko', 'credit_card linepay alipay wechatpay'],
    ['USD', 'en', 'credit_card alipay wechatpay'],
    ['USD', 'ja', 'credit_card paypay linepay rakutenpay alipay'],
    ['CNY', 'en', 'alipay wechatpay credit_card'],
    ['TWD', 'ko', 'credit_card linepay alipay wechatpay'],
    ['EUR', 'en', 'credit_card paysafe_cash alipay wechatpay'],
  ] as const)('shows the likely methods of %s in %s first', (currency, locale, likely) => {
    const session = open(currency)
    const { shown, more } = methodOrder(session, locale)
    expect(shown.join(' ')).toBe(likely)
    expect([...shown, ...more].sort()).toEqual([...session.payment_types].sort())
    expect(more).toEqual(session.payment_types.filter((type) => !shown.includes(type)))
  })

  test('keeps the order of the merchant, and shows the first five of it', () => {
    const types: PaymentType[] = ['paypay', 'konbini', 'credit_card', 'paidy', 'merpay', 'aupay', 'linepay']
    for (const locale of locales)
      expect(methodOrder(named(...types), locale)).toEqual({ shown: types.slice(0, 5), more: types.slice(5) })
  })

  test('keeps the order of a part of the types, also if it is that of the API reference', () => {
    expect(methodOrder(named('konbini', 'pay_easy', 'paypay'), 'ja').shown).toEqual(['konbini', 'pay_easy', 'paypay'])
  })

  test('does not hide a single method', () => {
    const six: PaymentType[] = ['credit_card', 'konbini', 'pay_easy', 'bank_transfer', 'paypay', 'paidy']
    expect(methodOrder(named(...six), 'ja')).toEqual({ shown: six, more: [] })
  })

  test('leaves out a likely method whose fee makes the total too large', () => {
    const order = { mode: 'payment', amount: 9_999_999_999, tax: 0, currency: 'JPY' } as const
    const { shown, more } = methodOrder(sessionRecord({ ...order, payment_types: offeredTypes(order) }), 'ja')
    expect(shown).toEqual(['credit_card', 'paypay', 'rakutenpay', 'japan_mobile'])
    expect(more).not.toContain('konbini')
  })

  test('shows the card in mode customer, without an amount or a currency', () => {
    const session = sessionRecord({ mode: 'customer', amount: null, currency: null, payment_types: ['credit_card'] })
    expect(methodOrder(session, 'en')).toEqual({ shown: ['credit_card'], more: [] })
  })

  test('names only types that the currency allows, each once', () => {
    const rows = [...Object.entries(likely_types), ['USD', likely_elsewhere] as const]
    for (const [currency, row] of rows)
      for (const types of Object.values(row)) {
        expect(types.filter((type) => !isPayableIn(type, currency))).toEqual([])
        expect(new Set(types).size).toBe(types.length)
        expect(types.length).toBeLessThanOrEqual(METHODS_SHOWN)
        expect(payment_types).toEqual(expect.arrayContaining([...types]))
      }
  })
})
