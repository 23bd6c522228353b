import { describe, expect, test } from 'vitest'
import type { WantedOrder } from '#shared/acquirer/acquirer.ts'
import { refuseUnsupported } from '#shared/acquirer/stripe/methods.ts'
import { Refusal } from '#shared/domain/errors.ts'
import { payment_types } from '#shared/domain/payment-details.ts'

const NOW = Date.parse('2030-01-02T03:00:00Z')
const wanted: WantedOrder = { type: 'credit_card', brand: null, currency: 'JPY', amount: 1000, deadline: null }

/** The code and the parameter of the refusal; undefined if the order is accepted. */
function refusalOf(order: Partial<WantedOrder>): string | undefined {
  try {
    refuseUnsupported({ ...wanted, ...order }, NOW)
    return undefined
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return `${error.code} ${error.param}`
  }
}

describe('refuseUnsupported', () => {
  test.each(payment_types)('accepts %s only if Stripe offers it', (type) => {
    const offered = ['credit_card', 'konbini', 'bank_transfer', 'alipay', 'wechatpay'].includes(type)
    expect(refusalOf({ type })).toBe(offered ? undefined : 'invalid_payment_type payment_details[type]')
  })

  test.each(['family-mart', 'lawson', 'ministop', 'seicomart'])('accepts the store %s', (brand) => {
    expect(refusalOf({ type: 'konbini', brand })).toBeUndefined()
  })

  test.each(['seven-eleven', 'daily-yamazaki', 'constructor'])('refuses the store %s', (brand) => {
    expect(refusalOf({ type: 'konbini', brand })).toBe('invalid_parameter payment_details[store]')
  })

  test.each([
    ['konbini', 'JPY', 119, false],
    ['konbini', 'JPY', 120, true],
    ['konbini', 'JPY', 300_000, true],
    ['konbini', 'JPY', 300_001, false],
    ['credit_card', 'JPY', 49, false],
    ['credit_card', 'JPY', 50, true],
    ['credit_card', 'JPY', 99_999_999, true],
    ['credit_card', 'JPY', 100_000_000, false],
    ['credit_card', 'USD', 49, false],
    ['credit_card', 'USD', 50, true],
    ['credit_card', 'ISK', 999_999, true],
    ['credit_card', 'ISK', 1_000_000, false],
    ['credit_card', 'KWD', 5_120, true],
    ['credit_card', 'KWD', 5_124, false],
    ['credit_card', 'MGA', 150, false],
  ] as const)('%s %s %i is accepted: %s', (type, currency, amount, accepted) => {
    expect(refusalOf({ type, currency, amount })).toBe(accepted ? undefined : 'invalid_parameter amount')
  })

  test.each([
    ['JPY', 1, true],
    ['KWD', 10, true],
    ['KWD', 15, false],
    ['MGA', 150, false],
  ] as const)('a capture or refund of %s %i is accepted: %s', (currency, amount, accepted) => {
    expect(refusalOf({ currency, amount, is_part: true })).toBe(accepted ? undefined : 'invalid_parameter amount')
  })

  test.each([
    ['credit_card', 'KPW'],
    ['credit_card', 'CLF'],
    ['konbini', 'USD'],
    ['bank_transfer', 'KRW'],
    ['alipay', 'KRW'],
  ] as const)('refuses %s in %s', (type, currency) => {
    expect(refusalOf({ type, currency })).toBe('invalid_currency currency')
  })

  test('refuses a voucher that ends within 30 minutes', () => {
    const konbini = { type: 'konbini', brand: 'lawson' } as const
    expect(refusalOf({ ...konbini, deadline: '2030-01-02T03:30:00Z' })).toBe(
      'invalid_parameter payment_details[expiry_days]',
    )
    expect(refusalOf({ ...konbini, deadline: '2030-01-02T03:30:01Z' })).toBeUndefined()
    expect(refusalOf({ type: 'bank_transfer', deadline: '2030-01-02T03:00:01Z' })).toBeUndefined()
  })

  test('does not check what is not known', () => {
    expect(refusalOf({ type: 'konbini', currency: null, amount: null, brand: null, deadline: null })).toBeUndefined()
  })
})
