import { describe, expect, test } from 'vitest'
import { CreateCustomer, customer, ListCustomers, sourceOf, UpdateCustomer } from '#shared/resources/customer.ts'
import { parse } from '#shared/resources/parse.ts'
import { refusalOf } from '#test/fixtures/refusals.ts'

const paypay = { type: 'paypay' }

describe('CreateCustomer', () => {
  test('requires payment details: an object or a token', () => {
    const rest = { currency: null, email: null, metadata: {} }
    expect(parse(CreateCustomer, { payment_details: 'tok_1' })).toStrictEqual({ payment_details: 'tok_1', ...rest })
    expect(parse(CreateCustomer, { payment_details: paypay })).toStrictEqual({ payment_details: paypay, ...rest })
    expect(refusalOf(CreateCustomer, { email: 'a@example.com' })).toMatchObject({
      code: 'missing_parameter',
      param: 'payment_details',
    })
  })

  test('accepts a currency, an e-mail address and metadata', () => {
    const request = { payment_details: 'tok_1', currency: 'JPY', email: 'a@example.com', metadata: { a: 1 } }
    expect(parse(CreateCustomer, request)).toStrictEqual(request)
    expect(refusalOf(CreateCustomer, { ...request, currency: 'XXX' }).param).toBe('currency')
    expect(refusalOf(CreateCustomer, { ...request, email: 'a' }).param).toBe('email')
    expect(refusalOf(CreateCustomer, { ...request, metadata: 'a' }).param).toBe('metadata')
  })
})

describe('UpdateCustomer', () => {
  test('changes only the given fields', () => {
    expect(parse(UpdateCustomer, {})).toStrictEqual({})
    expect(parse(UpdateCustomer, { email: 'a@example.com' })).toStrictEqual({ email: 'a@example.com' })
  })

  test('clears a field with null, and removes the payment details', () => {
    const nothing = { payment_details: null, currency: null, email: null }
    expect(parse(UpdateCustomer, { ...nothing, metadata: null })).toStrictEqual({ ...nothing, metadata: {} })
  })

  test('removes payment details with empty text too, because a form has no null', () => {
    expect(parse(UpdateCustomer, { payment_details: '' })).toStrictEqual({ payment_details: null })
  })
})

describe('ListCustomers', () => {
  test('filters by time and address', () => {
    const request = { email: 'a@example.com', start_time: '2030-01-01T00:00:00Z', page: '2' }
    expect(parse(ListCustomers, request)).toEqual({
      email: 'a@example.com',
      start_time: Date.UTC(2030, 0, 1),
      page: 2,
      per_page: 10,
    })
  })
})

describe('customer', () => {
  test('returns the fields of the API reference in its order, without currency and updated_at', () => {
    const source = { type: 'paypay', brand: null, last_four_digits: null, month: null, year: null } as const
    const record = {
      id: 'cus_1',
      version: 3,
      email: null,
      currency: 'JPY',
      source,
      metadata: { a: 'b' },
      created_at: '2030-01-01T00:00:00Z',
      updated_at: '2030-01-01T00:00:00Z',
    }
    expect(Object.entries(customer(record))).toEqual([
      ['id', 'cus_1'],
      ['resource', 'customer'],
      ['email', null],
      ['source', source],
      ['metadata', { a: 'b' }],
      ['created_at', '2030-01-01T00:00:00Z'],
    ])
  })
})

describe('sourceOf', () => {
  test('returns the card, without the e-mail address', () => {
    const card = { type: 'credit_card', brand: 'visa', last_four_digits: '1111', month: 12, year: 2030 } as const
    expect(sourceOf({ ...card, email: 'a@example.com' })).toStrictEqual(card)
  })

  test('returns only the type of other payment details', () => {
    const nothing = { brand: null, last_four_digits: null, month: null, year: null }
    expect(sourceOf({ type: 'net_cash', email: null, last_four_digits: '1234' })).toStrictEqual({
      type: 'net_cash',
      ...nothing,
    })
  })
})
