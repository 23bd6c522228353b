import { describe, expect, test } from 'vitest'
import { type NewSession, newSession, offeredTypes } from '#shared/domain/new-session.ts'
import { payment_type_rows, payment_types } from '#shared/domain/payment-details.ts'
import { refused } from '#test/fixtures/refusals.ts'

const NOW = Date.parse('2030-01-02T03:00:00.500Z')
const LARGEST = 9_999_999_999

const order = (fields: Partial<NewSession> = {}): NewSession => ({
  ...{ mode: 'payment', amount: 1000, currency: 'JPY', tax: 100, capture: 'auto', external_order_num: null },
  ...{ return_url: null, default_locale: 'ja', email: null, line_items: [], metadata: {}, expires_in_seconds: 60 },
  ...fields,
})
const offered = (fields: Partial<NewSession>) => newSession(order(fields), 'ses_1', [], NOW).payment_types

describe('newSession', () => {
  test('is pending until it expires', () => {
    const webhooks = [{ url: 'https://shop.example/', events: ['payment.captured'], secret_sealed: 'x' }] as const
    const made = newSession(order({ payment_types: ['konbini'], capture: 'manual' }), 'ses_1', webhooks, NOW)
    expect(made).toEqual({
      ...{ id: 'ses_1', version: 0, mode: 'payment', status: 'pending', amount: 1000, currency: 'JPY', tax: 100 },
      ...{ capture: false, external_order_num: null, webhooks, return_url: null, default_locale: 'ja', email: null },
      ...{ payment_types: ['konbini'], line_items: [], metadata: {}, payment: null, tries: 0, secure_token: null },
      ...{ customer_id: null, completed_at: null, cancelled_at: null },
      created_at: '2030-01-02T03:00:00Z',
      expires_at: '2030-01-02T03:01:00Z',
    })
  })

  test('of mode customer has no amount, and offers cards only', () => {
    const { amount, currency, payment_types: types } = newSession(order({ mode: 'customer' }), 'ses_1', [], NOW)
    expect([amount, currency, types]).toEqual([null, 'JPY', ['credit_card']])
    expect(newSession(order({ mode: 'customer', currency: undefined }), 'ses_1', [], NOW).currency).toBeNull()
  })

  test.each([
    [undefined, ['credit_card', 'alipay']],
    [[], ['credit_card', 'alipay']],
    [['alipay'], ['alipay']],
  ] as const)('with the payment types %j named offers those, or all', (named, types) => {
    expect(offered({ payment_types: named })).toEqual(expect.arrayContaining([...types]))
  })

  test.each(payment_types)('offers %s if the currency and the total allow it', (type) => {
    const { currency, fee } = payment_type_rows[type]
    expect(offered({ currency: 'USD' }).includes(type)).toBe(currency === null || currency === 'USD')
    expect(offered({ currency: currency ?? 'JPY' })).toContain(type)
    expect(offered({ currency: currency ?? 'JPY', amount: LARGEST - 100 - fee })).toContain(type)
    if (fee > 0) expect(offered({ amount: LARGEST - 100 - fee + 1 })).not.toContain(type)
  })
})

describe('offeredTypes', () => {
  const offer = (payment_types: readonly unknown[], fields: Partial<NewSession> = {}) =>
    offeredTypes(order({ payment_types, ...fields }))

  test('drops unknown and repeated types, and keeps the order of the request', () => {
    expect(offer(['paypay', 'barter', 'konbini', 5, null, 'paypay', 'credit_card'])).toEqual([
      ...['paypay', 'konbini', 'credit_card'],
    ])
  })

  test.each(payment_types)('drops %s where mode, currency or total exclude it', (type) => {
    const { currency, fee } = payment_type_rows[type]
    const with_card = type === 'credit_card' ? ['credit_card'] : ['credit_card', type]
    const named = (fields: Partial<NewSession>) => offer(['credit_card', type], fields)
    expect(named({ mode: 'customer' })).toEqual(['credit_card'])
    expect(named({ currency: 'USD' })).toEqual(currency === null ? with_card : ['credit_card'])
    expect(named({ amount: LARGEST - 100 - fee })).toEqual(with_card)
    if (fee > 0) expect(named({ amount: LARGEST - 100 - fee + 1 })).toEqual(['credit_card'])
  })

  test.each([
    [['barter'], {}],
    [['konbini'], { currency: 'USD' }],
    [['konbini', 'paypay'], { mode: 'customer' }],
  ] as const)('refuses %j with %j, because no type is left', (types, fields) => {
    const refusal = { code: 'invalid_payment_type', param: 'payment_types' }
    expect(refused(() => offer(types, fields as Partial<NewSession>))).toEqual(refusal)
  })

  test('refuses an amount that no type can take', () => {
    const too_large = () => offer(['konbini'], { amount: LARGEST - 100 })
    expect(refused(too_large)).toEqual({ code: 'invalid_parameter', param: 'amount' })
  })
})
