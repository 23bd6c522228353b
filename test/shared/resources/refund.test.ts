import { describe, expect, test } from 'vitest'
import { parse } from '#shared/resources/parse.ts'
import { RefundPayment, refund } from '#shared/resources/refund.ts'
import { refusalOf } from '#test/fixtures/refusals.ts'

describe('RefundPayment', () => {
  test('leaves an absent amount out, and refuses a blank amount', () => {
    expect(parse(RefundPayment, {})).toStrictEqual({ description: null })
    for (const amount of [null, '', 0, -1, '1.5'])
      expect(refusalOf(RefundPayment, { amount })).toMatchObject({ code: 'invalid_parameter', param: 'amount' })
  })

  test('accepts an amount and a description', () => {
    expect(parse(RefundPayment, { amount: '100', description: 'broken' })).toEqual({
      amount: 100,
      description: 'broken',
    })
    expect(refusalOf(RefundPayment, { description: 'x'.repeat(256) }).param).toBe('description')
  })
})

describe('refund', () => {
  const record = {
    id: 'ref_1',
    amount: 100,
    currency: 'JPY',
    payment: 'pay_1',
    description: null,
    chargeback: false,
    status: 'failed',
    created_at: '2030-01-01T00:00:00Z',
  } as const

  test('returns the documented fields in their order', () => {
    expect(Object.entries(refund(record))).toEqual([
      ['id', 'ref_1'],
      ['resource', 'refund'],
      ['amount', 100],
      ['currency', 'JPY'],
      ['payment', 'pay_1'],
      ['description', null],
      ['chargeback', false],
      ['status', 'failed'],
      ['created_at', '2030-01-01T00:00:00Z'],
    ])
  })

  test('shows a refund that was stored without a status as succeeded', () => {
    const { status, ...stored } = record
    expect(refund(stored).status).toBe('succeeded')
  })
})
