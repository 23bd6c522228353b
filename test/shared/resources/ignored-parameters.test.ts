import type * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { CreateSession } from '#shared/resources/create-session.ts'
import { ignoredParameters } from '#shared/resources/ignored-parameters.ts'
import { CreatePayment, ListPayments } from '#shared/resources/payment.ts'
import { CreateToken } from '#shared/resources/token.ts'
import { type Content, route_requests } from '#test/fixtures/route-requests.ts'

const ignored = (schema: v.GenericSchema | undefined, input: unknown) =>
  [...ignoredParameters(schema, input)].map((path) => path.join('.'))

const payment_details = { type: 'konbini', email: 'a@example.com', store: 'lawson', stores: 'x', number: '4111' }

describe('ignoredParameters', () => {
  test.each<[string, v.GenericSchema | undefined, unknown, string[]]>([
    ['an unknown key', CreatePayment, { ammount: 1, amount: 1 }, ['ammount']],
    ['keys below an object of a variant', CreateToken, { payment_details }, ['stores', 'number']],
    ['keys below a lazy object', CreatePayment, { payment_details }, ['stores', 'number']],
    ['keys in a list', CreateSession, { line_items: [{ amount: 1 }, { price: 1 }, 7, null] }, ['line_items.1.price']],
    ['keys in an object of a pipe', CreateSession, { payment_data: { taxes: 1, tax: 1 } }, ['payment_data.taxes']],
    ['an unknown filter', ListPayments, { status: 'captured', order: 'x' }, ['order']],
    ['every key without a schema', undefined, { a: { b: 1 }, c: 1 }, ['a', 'c']],
    ['no key of metadata', CreatePayment, { metadata: { a: 1 } }, []],
    ['no key of a variant that is not chosen', CreateToken, { payment_details: { type: 'cash', a: 1 } }, []],
    ['no inherited name', CreatePayment, JSON.parse('{"constructor":1}'), ['constructor']],
    ['nothing in a text', CreatePayment, 'text', []],
  ])('names %s', (_, schema, input, paths) => {
    expect(ignored(schema, input).map((path) => path.replace(/^payment_details\./, ''))).toEqual(paths)
  })

  test('names nothing in a valid payment of any type', () => {
    const { contents } = route_requests['POST /payments']!
    expect(contents!.flatMap((content: Content) => ignored(CreatePayment, content))).toEqual([])
  })
})
