import { describe, expect, test } from 'vitest'
import { parse } from '#shared/resources/parse.ts'
import { CreateToken, token } from '#shared/resources/token.ts'
import { refusalOf } from '#test/fixtures/refusals.ts'

const paypay = { type: 'paypay' }
const mobile = { type: 'mobile', email: 'a@example.com' }

describe('CreateToken', () => {
  test('requires payment details, and refuses those of another token', () => {
    expect(parse(CreateToken, { payment_details: paypay })).toEqual({ payment_details: paypay })
    expect(refusalOf(CreateToken, {})).toMatchObject({ code: 'missing_parameter', param: 'payment_details' })
    expect(refusalOf(CreateToken, { payment_details: 'tok_1' })).toMatchObject({
      code: 'invalid_parameter',
      param: 'payment_details',
    })
  })

  test('accepts a currency, and requires it for mobile payments', () => {
    expect(parse(CreateToken, { payment_details: paypay, currency: 'JPY' }).currency).toBe('JPY')
    expect(parse(CreateToken, { payment_details: mobile, currency: 'JPY' }).currency).toBe('JPY')
    expect(refusalOf(CreateToken, { payment_details: paypay, currency: 'yen' }).code).toBe('invalid_currency')
    for (const currency of [undefined, null, ''])
      expect(refusalOf(CreateToken, { payment_details: mobile, currency })).toMatchObject({
        code: 'missing_parameter',
        param: 'currency',
      })
  })
})

describe('token', () => {
  test('returns the whole id, the times and what may be shown of the details', () => {
    const shown = { type: 'paypay', email: null } as const
    const record = {
      lookup: 'half',
      version: 1,
      type: 'paypay',
      shown,
      expiry_days: null,
      currency: 'JPY',
      sealed: 'c2VhbGVk',
      created_at: '2030-01-01T00:00:00Z',
      expires_at: '2030-01-01T01:00:00Z',
      spent_by: null,
    } as const
    expect(Object.entries(token({ record, id: 'tok_halfhalf' }))).toEqual([
      ['id', 'tok_halfhalf'],
      ['resource', 'token'],
      ['created_at', '2030-01-01T00:00:00Z'],
      ['expires_at', '2030-01-01T01:00:00Z'],
      ['payment_details', shown],
    ])
  })
})
