import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Payment } from '#shared/domain/payment.ts'
import { parse } from '#shared/resources/parse.ts'
import {
  CancelPayment,
  CapturePayment,
  CreatePayment,
  ListPayments,
  payment,
  UpdatePayment,
} from '#shared/resources/payment.ts'
import { refusalOf } from '#test/fixtures/refusals.ts'

const order = { amount: 1_000, currency: 'JPY', payment_details: 'tok_1' }
const refused = (change: object) => refusalOf(CreatePayment, { ...order, ...change })

describe('CreatePayment', () => {
  test('requires an amount, a currency and a source, and sets defaults for the rest', () => {
    expect(parse(CreatePayment, order)).toStrictEqual({
      ...order,
      tax: 0,
      capture: true,
      description: null,
      external_order_num: null,
      return_url: null,
      locale: 'ja',
      metadata: {},
      webhooks: [],
      fraud_details: null,
    })
    for (const param of ['amount', 'currency', 'payment_details'])
      expect(refused({ [param]: undefined })).toMatchObject({ code: 'missing_parameter', param })
  })

  test('requires exactly one source, and treats a blank source as absent', () => {
    const { payment_details: _, ...rest } = order
    expect(parse(CreatePayment, { ...rest, customer: 'cus_1' }).customer).toBe('cus_1')
    expect(parse(CreatePayment, { ...rest, customer: 'cus_1', payment_details: '' }).customer).toBe('cus_1')
    expect(parse(CreatePayment, { ...order, customer: null }).payment_details).toBe('tok_1')
    expect(parse(CreatePayment, { ...order, payment_details: { type: 'paypay' } }).payment_details).toEqual({
      type: 'paypay',
    })
    expect(refused({ customer: 'cus_1' })).toMatchObject({ code: 'invalid_parameter', param: 'payment_details' })
    for (const blank of [null, ''])
      expect(refused({ payment_details: blank, customer: blank })).toMatchObject({
        code: 'missing_parameter',
        param: 'payment_details',
      })
  })

  test('names the path of a fault in the payment details', () => {
    expect(refused({ payment_details: { type: 'credit_card', number: '4111111111111112' } })).toMatchObject({
      code: 'invalid_parameter',
      param: 'payment_details[number]',
    })
    expect(refused({ payment_details: { type: 'gold' } }).code).toBe('invalid_payment_type')
  })

  test('accepts an integer or auto as tax, and no blank value', () => {
    expect(['10.0', 10, 'auto'].map((tax) => parse(CreatePayment, { ...order, tax }).tax)).toEqual([10, 10, 'auto'])
    for (const tax of [null, '', -1, 0.5]) expect(refused({ tax }).param).toBe('tax')
  })

  test('treats null and empty text as absent for texts, the URL and the locale', () => {
    for (const blank of [null, '']) {
      const blanks = { description: blank, external_order_num: blank, return_url: blank, locale: blank }
      expect(parse(CreatePayment, { ...order, ...blanks })).toStrictEqual(parse(CreatePayment, order))
    }
  })

  test('keeps the given fraud details', () => {
    const fraud_details = {
      customer_ip: '192.0.2.1',
      customer_email: 'a@example.com',
      browser_language: '',
      other: 'x',
    }
    expect(parse(CreatePayment, { ...order, fraud_details }).fraud_details).toStrictEqual({
      customer_ip: '192.0.2.1',
      customer_email: 'a@example.com',
    })
  })

  test.each([
    [{ amount: 0 }, 'amount'],
    [{ amount: 10_000_000_000 }, 'amount'],
    [{ amount: null }, 'amount'],
    [{ capture: 'yes' }, 'capture'],
    [{ description: 'x'.repeat(2_001) }, 'description'],
    [{ description: 5 }, 'description'],
    [{ external_order_num: 'x'.repeat(256) }, 'external_order_num'],
    [{ return_url: '/thanks' }, 'return_url'],
    [{ locale: 'fr' }, 'locale'],
    [{ metadata: { a: {} } }, 'metadata[a]'],
    [{ webhooks: [{ url: 'https://example.com', events: ['all'] }] }, 'webhooks[0][events][0]'],
    [{ fraud_details: { customer_ip: 'x'.repeat(1_025) } }, 'fraud_details[customer_ip]'],
    [{ fraud_details: { customer_email: 'x' } }, 'fraud_details[customer_email]'],
  ])('refuses %j with the parameter %s', (change, param) => {
    expect(refused(change)).toMatchObject({ code: 'invalid_parameter', param })
  })

  test('reads the same request from a form and from JSON', () => {
    const text = fc.string({ minLength: 1, maxLength: 40, unit: 'grapheme-ascii' })
    const card = fc.record({
      type: fc.constant('credit_card'),
      number: fc.constant('4111111111111111'),
      month: fc.integer({ min: 1, max: 12 }),
      year: fc.integer({ min: 2_000, max: 2_099 }),
      name: text,
    })
    const json = fc.record(
      {
        amount: fc.integer({ min: 1, max: 9_999_999_999 }),
        currency: fc.constantFrom('JPY', 'USD'),
        payment_details: card,
        tax: fc.oneof(fc.integer({ min: 0, max: 9_999_999_999 }), fc.constant('auto')),
        capture: fc.boolean(),
        description: text,
        locale: fc.constantFrom('ja', 'en', 'ko'),
        metadata: fc.dictionary(fc.string({ minLength: 1, maxLength: 40 }), text, { maxKeys: 5 }),
        webhooks: fc.array(
          fc.record({ url: fc.webUrl(), events: fc.constant(['payment.captured']), secret_key: text }),
          {
            maxLength: 3,
          },
        ),
      },
      { requiredKeys: ['amount', 'currency', 'payment_details'] },
    )
    fc.assert(
      fc.property(json, (request) => {
        expect(parse(CreatePayment, asForm(request))).toEqual(parse(CreatePayment, request))
      }),
    )
  })
})

/** The same content, with all numbers and booleans as text. */
function asForm(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(asForm)
  if (typeof value !== 'object' || value === null) return String(value)
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, asForm(inner)]))
}

describe('UpdatePayment', () => {
  test('changes only the given fields, and null clears a field', () => {
    expect(parse(UpdatePayment, { amount: 5, status: 'captured' })).toStrictEqual({})
    expect(parse(UpdatePayment, { description: 'new' })).toStrictEqual({ description: 'new' })
    expect(parse(UpdatePayment, { description: null, external_order_num: '', metadata: { a: 1 } })).toStrictEqual({
      description: null,
      external_order_num: null,
      metadata: { a: 1 },
    })
    expect(refusalOf(UpdatePayment, { external_order_num: 'x'.repeat(256) }).param).toBe('external_order_num')
  })
})

describe('CapturePayment and CancelPayment', () => {
  test('CapturePayment accepts amount and tax, and no blank values', () => {
    expect(parse(CapturePayment, {})).toStrictEqual({})
    expect(parse(CapturePayment, { amount: '500', tax: '0' })).toEqual({ amount: 500, tax: 0 })
    for (const request of [{ amount: null }, { amount: '' }, { amount: 0 }, { tax: null }, { tax: '' }])
      expect(refusalOf(CapturePayment, request).param).toBe(Object.keys(request)[0])
  })

  test('CancelPayment ignores all parameters', () => {
    expect(parse(CancelPayment, { amount: 'x' })).toStrictEqual({})
  })
})

describe('ListPayments', () => {
  test('filters by status, currency, order number, customer and time', () => {
    expect(
      parse(ListPayments, {
        status: 'pending,captured',
        currency: 'JPY',
        external_order_num: '7',
        customer: 'cus_1',
        end_time: '2030-01-01T00:00:00Z',
      }),
    ).toEqual({
      status: ['pending', 'captured'],
      currency: 'JPY',
      external_order_num: '7',
      customer: 'cus_1',
      end_time: Date.UTC(2030, 0, 1),
      page: 1,
      per_page: 10,
    })
  })

  test.each([{ status: 'paid' }, { status: 'pending,paid' }, { per_page: '0' }, { start_time: '1' }])(
    'refuses %j',
    (request) => {
      expect(refusalOf(ListPayments, request)).toMatchObject({
        code: 'invalid_parameter',
        param: Object.keys(request)[0],
      })
    },
  )
})

describe('payment', () => {
  const shown = {
    status: 'captured',
    amount: 1_000,
    tax: 100,
    customer: null,
    payment_deadline: '2030-02-01T14:59:59Z',
    payment_details: { type: 'paypay', email: null },
    payment_method_fee: 0,
    total: 1_100,
    currency: 'JPY',
    description: null,
    captured_at: '2030-01-01T00:00:00Z',
    external_order_num: null,
    metadata: { a: 1 },
    created_at: '2030-01-01T00:00:00Z',
    amount_refunded: 0,
    locale: 'ja',
    session: null,
    subscription: null,
    failure_code: null,
    failure_message: null,
    refunds: [],
    refund_requests: [],
  } as const
  const record: Payment = {
    ...shown,
    id: 'pay_1',
    version: 2,
    verified_by: null,
    capture: true,
    authorized_total: 1_100,
    return_url: 'https://example.com',
    webhooks: [{ url: 'https://example.com', events: ['payment.captured'], secret_sealed: 'x' }],
    fraud_details: { customer_ip: '192.0.2.1' },
    occurrence: null,
    failure: null,
    in_flight: [],
  }

  test('returns the fields of the API reference in its order, and no internal ones', () => {
    expect(Object.entries(payment(record))).toEqual(Object.entries({ id: 'pay_1', resource: 'payment', ...shown }))
  })

  test.each([
    ['card_declined', /another card/],
    ['fraudulent', /suspected fraud\. Do not tell the customer/],
    ['failed_authentication', /3-D Secure/],
    ['refused_by_customer', /did not approve/],
    ['never_arrived', /nothing was charged/],
  ] as const)('shows why it failed: %s', (failure, message) => {
    const { failure_code, failure_message } = payment({ ...record, status: 'failed', failure })
    expect([failure_code, failure_message]).toEqual([failure, expect.stringMatching(message)])
  })

  test('shows the subscription whose interval it captures', () => {
    expect(payment({ ...record, occurrence: { subscription: 'sub_1', interval: 0, try: 0 } }).subscription).toBe(
      'sub_1',
    )
  })

  test('returns its refunds as resources', () => {
    const refunds = [
      {
        id: 'ref_1',
        amount: 1,
        currency: 'JPY',
        payment: 'pay_1',
        description: null,
        chargeback: false,
        status: 'pending',
        created_at: '2030-01-02T00:00:00Z',
      } as const,
    ]
    expect(payment({ ...record, refunds }).refunds).toEqual([{ resource: 'refund', ...refunds[0] }])
  })
})
