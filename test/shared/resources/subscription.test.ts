import { describe, expect, test } from 'vitest'
import type { Subscription } from '#shared/domain/subscription.ts'
import { parse } from '#shared/resources/parse.ts'
import { CreateSubscription, ListSubscriptions, subscription } from '#shared/resources/subscription.ts'
import { refusalOf } from '#test/fixtures/refusals.ts'

const request = { customer: 'cus_1', amount: '1000', currency: 'JPY', period: 'monthly' }

describe('CreateSubscription', () => {
  test('accepts the documented parameters, and ignores unknown ones', () => {
    const metadata = { plan: 'gold', seats: 3, trial: false, note: '' }
    expect(parse(CreateSubscription, { ...request, metadata, tax: 10, day: 9 })).toStrictEqual({
      ...request,
      amount: 1000,
      metadata,
    })
    expect(parse(CreateSubscription, { ...request, metadata: null }).metadata).toStrictEqual({})
    expect(parse(CreateSubscription, request).metadata).toStrictEqual({})
  })

  test.each<[amount: unknown, currency: string, smallest: number]>([
    [0, 'JPY', 0],
    [-0, 'JPY', 0],
    ['0', 'USD', 0],
    ['0.00', 'USD', 0],
    [1000, 'JPY', 1000],
    ['1000.00', 'JPY', 1000],
    ['10.50', 'USD', 1050],
    [10.5, 'USD', 1050],
    ['10.5', 'USD', 1050],
    ['10', 'USD', 1000],
    ['0.07', 'USD', 7],
    ['10.500000', 'USD', 1050],
    // In floating point, a hundred times each of these is not exactly the whole number.
    ['1.15', 'USD', 115],
    [4.35, 'USD', 435],
    [1.005, 'KWD', 1005],
    ['0.0001', 'CLF', 1],
    ['9999999999', 'JPY', 9_999_999_999],
    ['99999999.99', 'USD', 9_999_999_999],
  ])('reads %j %s as %i in the smallest unit', (amount, currency, smallest) => {
    expect(parse(CreateSubscription, { ...request, amount, currency }).amount).toBe(smallest)
  })

  test.each<[amount: unknown, currency?: string]>([
    [''],
    [null],
    [-1],
    ['-1'],
    ['1,000'],
    ['10,50', 'USD'],
    ['1 000'],
    ['１０００'],
    ['1000.'],
    ['.5', 'USD'],
    ['1e3'],
    ['0x10'],
    ['auto'],
    [true],
    [[1000]],
    [{}],
    [1000.5],
    ['1000.01'],
    ['10.505', 'USD'],
    [0.1 + 0.2, 'USD'],
    [1e-7, 'USD'],
    [10_000_000_000],
    ['100000000', 'USD'],
    ['99999999.991', 'USD'],
    [1e21],
    [`1.${'0'.repeat(1_000_000)}`],
  ])('refuses an amount of %j %s', (amount, currency = 'JPY') => {
    const refusal = refusalOf(CreateSubscription, { ...request, amount, currency })
    expect(refusal).toMatchObject({ code: 'invalid_parameter', param: 'amount' })
    expect(refusal.message.length).toBeLessThan(200)
  })

  test.each([
    ['1000.01', 'JPY', 'amount must have at most 0 decimals in JPY.'],
    ['100000000', 'USD', 'amount must not exceed 9999999999 of the smallest unit.'],
  ])('explains the refusal of %s %s', (amount, currency, message) => {
    expect(refusalOf(CreateSubscription, { ...request, amount, currency }).message).toBe(message)
  })

  test.each([
    ['customer', 'missing_parameter'],
    ['amount', 'missing_parameter'],
    ['currency', 'missing_parameter'],
    ['period', 'missing_parameter'],
  ])('requires %s', (param, code) => {
    expect(refusalOf(CreateSubscription, { ...request, [param]: undefined })).toMatchObject({ code, param })
  })

  test.each([
    ['customer', '', 'invalid_parameter'],
    ['customer', null, 'invalid_parameter'],
    ['customer', 17, 'invalid_parameter'],
    ['customer', ['cus_1'], 'invalid_parameter'],
    ['customer', 'c'.repeat(256), 'invalid_parameter'],
    ['currency', 'yen', 'invalid_currency'],
    ['currency', 'XXX', 'invalid_currency'],
    ['currency', '', 'invalid_currency'],
    ['currency', 392, 'invalid_currency'],
    ['period', 'daily', 'invalid_parameter'],
    ['period', 'Monthly', 'invalid_parameter'],
    ['period', null, 'invalid_parameter'],
    ['period', '', 'invalid_parameter'],
    ['metadata', 'a', 'invalid_parameter'],
    ['metadata', ['a'], 'invalid_parameter'],
  ])('refuses %s %j', (param, value, code) => {
    expect(refusalOf(CreateSubscription, { ...request, [param]: value })).toMatchObject({ code, param })
  })

  test('names the invalid value of the metadata', () => {
    const metadata = { a: 1, b: { c: 1 } }
    expect(refusalOf(CreateSubscription, { ...request, metadata }).param).toBe('metadata[b]')
  })
})

describe('ListSubscriptions', () => {
  test('filters by one or several statuses, by customer and by time', () => {
    const filter = { status: 'active, retrying', customer: 'cus_1', start_time: '2030-01-01T00:00:00Z', per_page: '5' }
    expect(parse(ListSubscriptions, filter)).toEqual({
      status: ['active', 'retrying'],
      customer: 'cus_1',
      start_time: Date.UTC(2030, 0, 1),
      page: 1,
      per_page: 5,
    })
    expect(parse(ListSubscriptions, { status: '', customer: '' })).toEqual({ page: 1, per_page: 10 })
  })

  test.each([
    ['status', 'cancelled'],
    ['status', 'active,cancelled'],
    ['customer', 17],
    ['start_time', 'yesterday'],
    ['end_time', '2030-02-31'],
    ['page', 0],
    ['per_page', 101],
  ])('refuses %s %j', (param, value) => {
    expect(refusalOf(ListSubscriptions, { [param]: value })).toMatchObject({ code: 'invalid_parameter', param })
  })
})

/**
 * A subscription created a second before noon on 9 March in Japan. Its customer was created just after midnight that
 * day.
 */
const kept: Subscription = {
  id: 'sub_1',
  version: 7,
  status: 'retrying',
  amount: 1050,
  currency: 'USD',
  period: 'monthly',
  customer: {
    number: 17,
    merchant_number: 4,
    uuid: 'cus_1',
    created_at: '2030-03-08T15:00:01Z',
    updated_at: '2030-03-08T14:59:59Z',
    email: 'hanako@example.com',
    currency: null,
    metadata: { vip: true },
  },
  payment_details: { type: 'credit_card', month: 3, year: 2031, email: 'card@example.com' },
  interval: 2,
  tries: 1,
  retry_count: 1,
  retry_at: '2030-05-10T02:59:59Z',
  not_before: null,
  in_flight: null,
  payments: ['pay_1', 'pay_2'],
  metadata: { plan: 'gold' },
  created_at: '2030-03-09T02:59:59Z',
  ended_at: null,
}

describe('subscription', () => {
  test('returns the fields of the API reference in its order, and no internal ones', () => {
    expect(JSON.stringify(subscription(kept))).toBe(
      JSON.stringify({
        id: 'sub_1',
        resource: 'subscription',
        status: 'retrying',
        amount: 10.5,
        currency: 'USD',
        customer: {
          id: 17,
          uuid: 'cus_1',
          merchant_id: 4,
          created_at: '2030-03-09T00:00:01.000+09:00',
          updated_at: '2030-03-08T23:59:59.000+09:00',
          email: 'hanako@example.com',
          currency: null,
          metadata: { vip: true },
        },
        period: 'monthly',
        day: 9,
        payment_details: { type: 'credit_card', month: '3', year: '2031', email: 'card@example.com' },
        retry_count: 1,
        retry_at: '2030-05-10T02:59:59Z',
        next_capture_at: '2030-06-09T02:59:59Z',
        created_at: '2030-03-09T02:59:59Z',
        ended_at: null,
        metadata: { plan: 'gold' },
        payments: ['pay_1', 'pay_2'],
        last_failure: null,
      }),
    )
  })

  test('shows why its latest capture failed', () => {
    const last_failure = { code: 'card_expired', payment: 'pay_3', failed_at: '2030-05-09T02:59:59Z' } as const
    expect(subscription({ ...kept, last_failure }).last_failure).toEqual({
      code: 'card_expired',
      message: 'The card has expired. Ask the customer for another card.',
      payment: 'pay_3',
      failed_at: '2030-05-09T02:59:59Z',
    })
  })

  test.each<[period: Subscription['period'], created_at: string, day: number]>([
    // Midnight in Japan comes nine hours before midnight in UTC.
    ['monthly', '2030-03-08T14:59:59Z', 8],
    ['monthly', '2030-03-08T15:00:00Z', 9],
    ['monthly', '2030-01-31T15:00:00Z', 1],
    ['monthly', '2030-01-31T14:59:59Z', 31],
    ['weekly', '2030-03-10T14:59:59Z', 7],
    ['weekly', '2030-03-10T15:00:00Z', 1],
    ['yearly', '2029-12-31T14:59:59Z', 365],
    ['yearly', '2029-12-31T15:00:00Z', 1],
    ['yearly', '2032-12-31T14:59:59Z', 366],
    ['yearly', '2032-02-29T03:00:00Z', 60],
    ['yearly', '2030-03-01T03:00:00Z', 60],
  ])('returns for a %s subscription created at %s the day %i', (period, created_at, day) => {
    expect(subscription({ ...kept, period, created_at }).day).toBe(day)
  })

  test.each<[amount: number, currency: string, shown: string]>([
    [0, 'USD', '0'],
    [1050, 'USD', '10.5'],
    [1000, 'JPY', '1000'],
    [7, 'USD', '0.07'],
    [115, 'USD', '1.15'],
    [1005, 'KWD', '1.005'],
    [9_999_999_999, 'USD', '99999999.99'],
    [9_999_999_999, 'CLF', '999999.9999'],
  ])('returns %i %s in the smallest unit as the number %s', (amount, currency, shown) => {
    expect(JSON.stringify(subscription({ ...kept, amount, currency }).amount)).toBe(shown)
  })

  test.each<[Subscription['status'], string | null]>([
    ['pending', null],
    ['active', '2030-05-09T02:59:59Z'],
    ['retrying', '2030-06-09T02:59:59Z'],
    ['suspended', null],
    ['deleted', null],
  ])('returns for a subscription that is %s the next capture %s', (status, next_capture_at) => {
    expect(subscription({ ...kept, status }).next_capture_at).toBe(next_capture_at)
  })

  test('returns no month and year for a source other than a card, and null for no source', () => {
    const payment_details = { type: 'konbini', month: null, year: null, email: 'taro@example.com' } as const
    expect(subscription({ ...kept, payment_details }).payment_details).toStrictEqual(payment_details)
    expect(subscription({ ...kept, payment_details: null }).payment_details).toBeNull()
  })
})
