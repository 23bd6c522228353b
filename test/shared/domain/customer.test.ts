import { describe, expect, test } from 'vitest'
import { type Customer, createCustomer, deleteCustomer, type Source, updateCustomer } from '#shared/domain/customer.ts'

const NOW = Date.parse('2030-01-02T03:00:00.500Z')
const AT = '2030-01-02T03:00:00Z'

const visa: Source = { type: 'credit_card', brand: 'visa', last_four_digits: '1111', month: 12, year: 2030 }
const konbini: Source = { type: 'konbini', brand: null, last_four_digits: null, month: null, year: null }

const before: Customer = {
  id: 'cus_1',
  version: 3,
  email: 'a@example.com',
  currency: 'JPY',
  source: visa,
  metadata: { a: 1, b: 2 },
  created_at: '2029-01-01T00:00:00Z',
  updated_at: '2029-01-01T00:00:00Z',
}

describe('createCustomer', () => {
  test('makes a customer with the payment details that it shows', () => {
    const fields = { email: 'a@example.com', currency: 'JPY', metadata: { a: 1 } }
    expect(createCustomer('cus_1', fields, { email: null, source: visa }, NOW)).toEqual({
      next: { ...fields, id: 'cus_1', version: 0, source: visa, created_at: AT, updated_at: AT },
      events: ['customer.created'],
    })
  })

  test.each([
    ['a@example.com', 'b@example.com', 'a@example.com'],
    ['a@example.com', null, 'a@example.com'],
    [null, 'b@example.com', 'b@example.com'],
    [null, null, null],
  ])('with the address %j, and %j in the payment details, has the address %j', (own, stored, email) => {
    const fields = { email: own, currency: null, metadata: {} }
    expect(createCustomer('cus_1', fields, { email: stored, source: visa }, NOW).next.email).toBe(email)
  })
})

describe('updateCustomer', () => {
  test.each<[string, Partial<Customer>]>([
    ['nothing', {}],
    ['the address', { email: 'b@example.com' }],
    ['the address away', { email: null }],
    ['the currency', { currency: null }],
    ['the metadata as a whole', { metadata: { c: 3 } }],
    ['the payment details', { source: konbini }],
    ['the payment details away', { source: null }],
  ])('changes %s, and keeps every other field', (_, fields) => {
    expect(updateCustomer(before, fields, NOW)).toEqual({
      next: { ...before, ...fields, updated_at: AT },
      events: ['customer.updated'],
    })
  })
})

describe('deleteCustomer', () => {
  test.each([
    ['with', visa],
    ['without', null],
  ])('reports a customer %s payment details as one without, otherwise unchanged', (_, source) => {
    expect(deleteCustomer({ ...before, source })).toEqual({
      next: { ...before, source: null },
      events: ['customer.deleted'],
    })
  })
})
