import { describe, expect, test } from 'vitest'
import { AMOUNT_MAX, type NewPayment, newPayment } from '#shared/domain/new-payment.ts'
import { type PaymentType, payment_types } from '#shared/domain/payment-details.ts'
import { refused } from '#test/fixtures/refusals.ts'

/** 23:30 on 2 January in Japan, half an hour before the day ends there. */
const NOW = Date.parse('2030-01-02T14:30:00.999Z')

const make = (type: PaymentType, order: Partial<NewPayment> = {}, expiry_days: number | null = null) =>
  newPayment(
    { amount: 1000, currency: 'JPY', ...order },
    { shown: { type, email: 'taro@example.com' }, expiry_days },
    'pay_1',
    NOW,
  )

/**
 * For each type: its only currency (null: any), its fee, whether `capture` is honoured, and the day of its deadline.
 */
const rows: Record<PaymentType, [currency: string | null, fee: number, card: boolean, deadline: string]> = {
  credit_card: [null, 0, true, '2030-02-01'],
  konbini: ['JPY', 190, false, '2030-01-05'],
  pay_easy: ['JPY', 190, false, '2030-01-05'],
  bank_transfer: ['JPY', 0, false, '2030-01-05'],
  bit_cash: [null, 0, false, '2030-01-05'],
  net_cash: [null, 0, false, '2030-01-05'],
  paysafe_cash: [null, 0, false, '2030-01-03'],
  mobile: [null, 0, false, '2030-01-03'],
  japan_mobile: [null, 0, false, '2030-01-03'],
  retailer_account: [null, 0, false, '2030-01-05'],
  web_money: [null, 0, false, '2030-01-05'],
  paypay: [null, 0, false, '2030-01-03'],
  merpay: [null, 0, false, '2030-01-03'],
  rakutenpay: [null, 0, false, '2030-01-03'],
  aupay: [null, 0, false, '2030-01-03'],
  linepay: [null, 0, false, '2030-01-03'],
  alipay: [null, 0, false, '2030-01-03'],
  wechatpay: [null, 0, false, '2030-01-03'],
  paidy: [null, 0, false, '2030-01-03'],
}

describe('newPayment', () => {
  test.each(payment_types)('applies the currency, fee, capture and deadline of %s', (type) => {
    const [currency, fee, card, deadline] = rows[type]
    const payment = make(type, { capture: false, tax: 'auto' })
    expect(payment).toMatchObject({
      status: 'pending',
      version: 0,
      amount: 1000,
      tax: 100,
      payment_method_fee: fee,
      total: 1100 + fee,
      authorized_total: 1100 + fee,
      capture: !card,
      payment_deadline: `${deadline}T14:59:59Z`,
      created_at: '2030-01-02T14:30:00Z',
      in_flight: [{ operation: 'charge', attempt: 1, amount: 1000, tax: 100 }],
    })
    if (currency) expect(refused(() => make(type, { currency: 'USD' })).code).toBe('invalid_currency')
    else expect(make(type, { currency: 'USD' }).currency).toBe('USD')
  })

  test.each([
    [1, 'auto', 0],
    [9, 'auto', 0],
    [19, 'auto', 1],
    [1999, 'auto', 199],
    [1000, 7, 7],
    [1000, 0, 0],
    [1000, undefined, 0],
  ] as const)('with amount %d and tax %s, the tax is %d', (amount, tax, expected) => {
    expect(make('credit_card', { amount, tax })).toMatchObject({ amount, tax: expected, total: amount + expected })
  })

  test('captures a card unless the request says otherwise', () => {
    expect(make('credit_card').capture).toBe(true)
    expect(make('credit_card', { capture: true }).capture).toBe(true)
    expect(make('credit_card', { capture: false }).capture).toBe(false)
  })

  test.each([
    [0, '2030-01-02T14:59:59Z'],
    [1, '2030-01-03T14:59:59Z'],
    [59, '2030-03-02T14:59:59Z'],
  ])('gives cash with expiry_days %d the deadline %s', (expiry_days, deadline) => {
    expect(make('konbini', {}, expiry_days).payment_deadline).toBe(deadline)
  })

  test('accepts a total at the upper bound, and refuses a higher one', () => {
    expect(make('credit_card', { amount: AMOUNT_MAX }).total).toBe(9_999_999_999)
    expect(refused(() => make('credit_card', { amount: AMOUNT_MAX, tax: 1 }))).toEqual({
      code: 'invalid_parameter',
      param: 'tax',
    })
    expect(refused(() => make('konbini', { amount: AMOUNT_MAX - 189 })).code).toBe('invalid_parameter')
  })

  test('sets defaults for absent fields, and keeps given fields', () => {
    expect(make('credit_card')).toMatchObject({
      customer: null,
      session: null,
      description: null,
      captured_at: null,
      external_order_num: null,
      metadata: {},
      amount_refunded: 0,
      locale: 'ja',
      refunds: [],
      refund_requests: [],
      return_url: null,
      webhooks: [],
      fraud_details: null,
      failure: null,
    })
    const order = {
      customer: 'cus_1',
      session: 'ses_1',
      description: 'tea',
      external_order_num: '42',
      metadata: { a: 1 },
      locale: 'ko',
      return_url: 'https://shop.example/',
      webhooks: [{ url: 'https://shop.example/', events: ['payment.failed' as const], secret_sealed: null }],
      fraud_details: { customer_ip: '192.0.2.1' },
    }
    expect(make('credit_card', order)).toMatchObject(order)
  })
})
