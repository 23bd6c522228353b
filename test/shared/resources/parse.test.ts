import fc from 'fast-check'
import type { GenericSchema } from 'valibot'
import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { Refusal } from '#shared/domain/errors.ts'
import { CreateSession } from '#shared/resources/create-session.ts'
import { CreateCustomer, ListCustomers, UpdateCustomer } from '#shared/resources/customer.ts'
import { ListEvents } from '#shared/resources/event.ts'
import { currency, integer, text } from '#shared/resources/fields.ts'
import { parse } from '#shared/resources/parse.ts'
import { CancelPayment, CapturePayment, CreatePayment, ListPayments, UpdatePayment } from '#shared/resources/payment.ts'
import { RefundPayment } from '#shared/resources/refund.ts'
import { CreateRefundRequest } from '#shared/resources/refund-request.ts'
import { CreateSecureToken } from '#shared/resources/secure-token.ts'
import { CancelSession, PaySession } from '#shared/resources/session.ts'
import { CreateToken } from '#shared/resources/token.ts'
import { refusalOf } from '#test/fixtures/refusals.ts'

const Order = v.object({
  name: text(10),
  currency: v.optional(currency),
  items: v.optional(v.array(v.object({ price: integer(1, 9) }))),
})

describe('parse', () => {
  test('names the first offending parameter as a form spells it', () => {
    const refusal = refusalOf(Order, { name: 'x', items: [{ price: 1 }, { price: 10 }, { price: 11 }] })
    expect(refusal).toMatchObject({
      code: 'invalid_parameter',
      param: 'items[1][price]',
      message: 'items[1][price] must be an integer from 1 to 9.',
    })
  })

  test('says of a required parameter that is absent that it is missing', () => {
    const missing = { code: 'missing_parameter', param: 'name', message: 'name is required.' }
    expect(refusalOf(Order, {})).toMatchObject(missing)
    expect(refusalOf(Order, { name: undefined })).toMatchObject(missing)
    expect(refusalOf(Order, { name: 'x', items: [{}] })).toMatchObject({
      code: 'missing_parameter',
      param: 'items[0][price]',
    })
  })

  test('a required parameter that is there but null or empty is not missing, but invalid', () => {
    expect(refusalOf(Order, { name: null })).toMatchObject({ code: 'invalid_parameter', param: 'name' })
    expect(refusalOf(Order, { name: '' })).toMatchObject({ code: 'invalid_parameter', param: 'name' })
  })

  test('gives the faults that have a code of their own that code', () => {
    expect(refusalOf(Order, { name: 'x', currency: 'ABC' })).toMatchObject({
      code: 'invalid_currency',
      param: 'currency',
    })
  })

  test('names no parameter where the request itself is none', () => {
    for (const input of [undefined, null, 7, 'text', true])
      expect(refusalOf(Order, input)).toMatchObject({ code: 'invalid_parameter', param: null })
  })

  test('a schema without words of its own repeats nothing either', () => {
    const message = 'number is not valid.'
    expect(refusalOf(v.object({ number: v.literal('x') }), { number: '4242424242424242' })).toMatchObject({ message })
  })

  test('ignores what the schema does not know', () => {
    expect(parse(Order, { name: 'x', note: 'y' })).toEqual({ name: 'x' })
  })
})

const details = { type: 'credit_card', number: '4242424242424242', month: 12, year: 2030, name: 'x' }
const account = { bank_name: 'x', branch_number: 'x', account_type: 'normal', account_number: '1234567' }

/** Every request, with a body that is taken. */
const requests: Record<string, [GenericSchema, object]> = {
  CreateToken: [CreateToken, { payment_details: details }],
  CreateCustomer: [CreateCustomer, { payment_details: details }],
  UpdateCustomer: [UpdateCustomer, {}],
  ListCustomers: [ListCustomers, {}],
  CreatePayment: [CreatePayment, { amount: 1, currency: 'JPY', payment_details: details }],
  UpdatePayment: [UpdatePayment, {}],
  CapturePayment: [CapturePayment, {}],
  RefundPayment: [RefundPayment, {}],
  CreateRefundRequest: [CreateRefundRequest, { amount: 1, customer_name: 'x', ...account }],
  CancelPayment: [CancelPayment, {}],
  ListPayments: [ListPayments, {}],
  ListEvents: [ListEvents, {}],
  CreateSession: [CreateSession, { amount: 1, currency: 'JPY' }],
  PaySession: [PaySession, { payment_details: details }],
  CancelSession: [CancelSession, {}],
  CreateSecureToken: [
    CreateSecureToken,
    { amount: 1, currency: 'JPY', return_url: 'https://example.com', payment_details: details },
  ],
}

const CANARY = '4111'

const leaf = fc.oneof(
  fc.constantFrom(null, true, '', '0', '-0', '1.0', 'true', 'auto', 'JPY', 'tok_1', 'credit_card', 'konbini', [], {}),
  fc.constantFrom(-0, 1e308, -1, 1, 10, 1.5, 9_999_999_999, 2 ** 53),
  fc.string().map((end) => `${CANARY}${end}`),
  fc.jsonValue({ maxDepth: 3 }),
)

const names = ['type', 'email', 'number', 'month', 'year', 'name', 'store', 'url', 'events', '__proto__', 'constructor']

const hash = fc
  .array(fc.tuple(fc.constantFrom(...names), leaf), { maxLength: 8 })
  .map((pairs) => Object.fromEntries(pairs))

const value = fc.oneof(leaf, hash, fc.array(hash, { maxLength: 3 }))

/** A request with whatever a client may send for one or two of its parameters. */
const garbageFor = (schema: GenericSchema, taken: object) => {
  const parameters = Object.keys((schema as unknown as { entries: object }).entries)
  const changes = fc.dictionary(fc.constantFrom(...parameters, 'unknown'), value, { minKeys: 1, maxKeys: 2 })
  return changes.map((changed) => ({ ...taken, ...changed }))
}

describe.each(Object.entries(requests))('%s', (_, [schema, taken]) => {
  test('takes whatever JSON can say or refuses it, and never repeats a value', () => {
    expect(() => parse(schema, taken)).not.toThrow()
    fc.assert(
      fc.property(fc.oneof(garbageFor(schema, taken), fc.jsonValue()), (input) => {
        try {
          parse(schema, input)
        } catch (error) {
          expect(error).toBeInstanceOf(Refusal)
          const { message, param, code } = error as Refusal
          expect(`${code} ${message} ${param}`).not.toContain(CANARY)
          expect(message).toMatch(/^(\w+(\[.*\])*|The request) (must|is required)/s)
        }
      }),
      { numRuns: 500 },
    )
  })
})
