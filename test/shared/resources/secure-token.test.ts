import { describe, expect, test } from 'vitest'
import { parse } from '#shared/resources/parse.ts'
import { CreateSecureToken, created_secure_token, secure_token } from '#shared/resources/secure-token.ts'
import { card } from '#test/fixtures/api.ts'
import { secureTokenRecord } from '#test/fixtures/records.ts'
import { refusalOf } from '#test/fixtures/refusals.ts'

const order = { amount: 0, currency: 'JPY', return_url: 'http://localhost:3000/' }

describe('CreateSecureToken', () => {
  test('accepts payment details or a customer, and an amount of zero', () => {
    expect(parse(CreateSecureToken, { ...order, payment_details: 'tok_1' })).toEqual({
      ...order,
      payment_details: 'tok_1',
    })
    expect(parse(CreateSecureToken, { ...order, customer: 'cus_1' })).toEqual({ ...order, customer: 'cus_1' })
    expect(parse(CreateSecureToken, { ...order, payment_details: card() })).toMatchObject({
      payment_details: { type: 'credit_card', number: '4111111111111111' },
    })
  })

  test.each([
    [{}, 'missing_parameter', 'payment_details'],
    [{ payment_details: 'tok_1', customer: 'cus_1' }, 'invalid_parameter', 'payment_details'],
    [{ payment_details: 'tok_1', amount: -1 }, 'invalid_parameter', 'amount'],
    [{ payment_details: 'tok_1', amount: 10_000_000_000 }, 'invalid_parameter', 'amount'],
    [{ payment_details: 'tok_1', return_url: 'file:///etc/passwd' }, 'invalid_parameter', 'return_url'],
    [{ payment_details: 'tok_1', return_url: null }, 'invalid_parameter', 'return_url'],
  ])('refuses %o with %s for %s', (fields, code, param) => {
    expect(refusalOf(CreateSecureToken, { ...order, ...fields })).toMatchObject({ code, param })
  })
})

describe('secure_token and created_secure_token', () => {
  test('show nothing of the card, and the authentication URL only on creation', () => {
    const seen = {
      id: 'tok_1',
      resource: 'secure_token',
      verification_status: 'OK',
      created_at: '2030-01-02T03:00:00Z',
    }
    const record = secureTokenRecord({ verification_status: 'OK' })
    expect(secure_token(record)).toEqual(seen)
    expect(created_secure_token({ record, url: 'https://pay.example.com' })).toEqual({
      ...seen,
      authentication_url: 'https://pay.example.com',
    })
  })
})
