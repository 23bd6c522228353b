import { expect, test } from 'vitest'
import { withReferences } from '#infra/openapi/references.ts'

const parts = { Currency: { type: 'string' as const, enum: ['JPY', 'USD'] } }

test('a part becomes a reference that keeps the description of its place', () => {
  const schemas = { Payment: { properties: { currency: { ...parts.Currency, description: 'Of the payment.' } } } }
  expect(withReferences(schemas, parts)).toEqual({
    Payment: { properties: { currency: { $ref: '#/components/schemas/Currency', description: 'Of the payment.' } } },
    Currency: parts.Currency,
  })
})

test('a part that can be null becomes a choice', () => {
  const nullable = { enum: ['JPY', 'USD', null], type: ['string', 'null'] }
  expect(withReferences({ Account: { properties: { currency: nullable as object } } }, parts).Account).toEqual({
    properties: { currency: { anyOf: [{ $ref: '#/components/schemas/Currency' }, { type: 'null' }] } },
  })
})

test('a part that nothing contains is left out', () => {
  expect(withReferences({ Payment: { type: 'object' } }, parts)).toEqual({ Payment: { type: 'object' } })
})
