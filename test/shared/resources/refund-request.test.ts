import { describe, expect, test } from 'vitest'
import { parse } from '#shared/resources/parse.ts'
import { CreateRefundRequest, masked, refund_request } from '#shared/resources/refund-request.ts'
import { refusalOf } from '#test/fixtures/refusals.ts'

const request = {
  amount: 1_000,
  customer_name: '山田太郎',
  bank_name: 'みずほ銀行',
  branch_number: '001',
  account_type: 'normal',
  account_number: '1234567',
}

describe('CreateRefundRequest', () => {
  test('requires the amount and the bank account', () => {
    expect(parse(CreateRefundRequest, request)).toStrictEqual({
      ...request,
      bank_code: null,
      branch_name: null,
      include_payment_method_fee: false,
      description: null,
    })
    for (const field of Object.keys(request))
      expect(refusalOf(CreateRefundRequest, { ...request, [field]: undefined })).toMatchObject({
        code: 'missing_parameter',
        param: field,
      })
  })

  test('reads the same from a form and from JSON', () => {
    const rest = { bank_code: '0001', branch_name: '本店', description: 'returned' }
    const form = { ...request, ...rest, amount: '1000', include_payment_method_fee: 'true' }
    const json = { ...request, ...rest, include_payment_method_fee: true }
    expect(parse(CreateRefundRequest, form)).toStrictEqual(parse(CreateRefundRequest, json))
  })

  test.each([
    { amount: 0 },
    { amount: null },
    { customer_name: '' },
    { bank_name: 'x'.repeat(256) },
    { account_type: 'ordinary' },
    { account_number: '123' },
    { account_number: 1_234_567 },
    { include_payment_method_fee: 'yes' },
  ])('refuses %j', (change) => {
    expect(refusalOf(CreateRefundRequest, { ...request, ...change })).toMatchObject({
      code: 'invalid_parameter',
      param: Object.keys(change)[0],
    })
  })
})

describe('masked', () => {
  test.each([
    ['1234567', '****567'],
    ['1234', '*234'],
    ['12-345678', '******678'],
  ])('masks %s as %s', (account_number, shown) => {
    expect(masked(account_number)).toBe(shown)
  })
})

describe('refund_request', () => {
  test('returns the documented fields in their order', () => {
    const record = {
      id: 'rrq_1',
      payment: 'pay_1',
      currency: 'JPY',
      ...request,
      account_type: 'normal',
      account_number: '****567',
      bank_code: null,
      branch_name: null,
      include_payment_method_fee: true,
      description: null,
      status: 'pending',
      created_at: '2030-01-01T00:00:00Z',
    } as const
    expect(Object.entries(refund_request(record))).toEqual([
      ['id', 'rrq_1'],
      ['resource', 'refund_request'],
      ['amount', 1_000],
      ['customer_name', '山田太郎'],
      ['bank_name', 'みずほ銀行'],
      ['branch_number', '001'],
      ['account_type', 'normal'],
      ['account_number', '****567'],
      ['bank_code', null],
      ['branch_name', null],
      ['include_payment_method_fee', true],
      ['description', null],
      ['status', 'pending'],
      ['created_at', '2030-01-01T00:00:00Z'],
    ])
  })
})
