import { describe, expect, test } from 'vitest'
import { type NewSession, newSession, refuseUnpayable } from '#shared/domain/new-session.ts'
import { type PaymentType, payment_type_rows, payment_types } from '#shared/domain/payment-details.ts'
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

describe('refuseUnpayable', () => {
  const named = (type: PaymentType, fields: Partial<NewSession>) => () =>
    refuseUnpayable(order({ payment_types: ['credit_card', type], ...fields }))

  test.each(payment_types)('%s, by mode, currency and total', (type) => {
    const { currency, fee } = payment_type_rows[type]
    const customer = named(type, { mode: 'customer' })
    if (type === 'credit_card') customer()
    else expect(refused(customer)).toEqual({ code: 'invalid_payment_type', param: 'payment_types[1]' })
    const in_dollars = named(type, { currency: 'USD' })
    if (currency === null) in_dollars()
    else expect(refused(in_dollars)).toEqual({ code: 'invalid_currency', param: 'payment_types[1]' })
    const total = (amount: number) => named(type, { currency: currency ?? 'JPY', amount })
    total(LARGEST - 100 - fee)()
    expect(refused(total(LARGEST - 100 - fee + 1))).toEqual({ code: 'invalid_parameter', param: 'amount' })
  })

  test('a session that names no payment type is never refused', () => {
    refuseUnpayable(order({ amount: LARGEST }))
    refuseUnpayable(order({ mode: 'customer', amount: undefined, currency: undefined }))
  })
})
