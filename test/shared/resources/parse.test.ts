import fc from 'fast-check'
import type { GenericSchema } from 'valibot'
import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { type Fault, Refusal } from '#shared/domain/errors.ts'
import { AcceptServiceAgreement, CreateAccount, UpdateAccount } from '#shared/resources/account.ts'
import { CreateKey } from '#shared/resources/api-key.ts'
import { SubmitApplication } from '#shared/resources/application.ts'
import { CreateSession } from '#shared/resources/create-session.ts'
import { CreateCustomer, ListCustomers, UpdateCustomer } from '#shared/resources/customer.ts'
import { ListDeliveries } from '#shared/resources/delivery.ts'
import { ListEvents } from '#shared/resources/event.ts'
import { currency, integer, text } from '#shared/resources/fields.ts'
import { parse } from '#shared/resources/parse.ts'
import { CancelPayment, CapturePayment, CreatePayment, ListPayments, UpdatePayment } from '#shared/resources/payment.ts'
import { RefundPayment } from '#shared/resources/refund.ts'
import { CreateRefundRequest } from '#shared/resources/refund-request.ts'
import { CreateSecureToken } from '#shared/resources/secure-token.ts'
import { CancelSession, PaySession } from '#shared/resources/session.ts'
import { CreateSubscription, ListSubscriptions } from '#shared/resources/subscription.ts'
import { CreateToken } from '#shared/resources/token.ts'
import { CreateWebhook, RecoverWebhook, RotateSecret, UpdateWebhook } from '#shared/resources/webhook.ts'
import { refusalOf } from '#test/fixtures/refusals.ts'

const Order = v.object({
  name: text(10),
  currency: v.optional(currency),
  items: v.optional(v.array(v.object({ price: integer(1, 9) }))),
})

describe('parse', () => {
  test('names the first invalid parameter in the notation of forms', () => {
    const refusal = refusalOf(Order, { name: 'x', items: [{ price: 1 }, { price: 10 }, { price: 11 }] })
    expect(refusal).toMatchObject({
      code: 'invalid_parameter',
      param: 'items[1][price]',
      message: 'items[1][price] must be an integer from 1 to 9.',
    })
  })

  test('lists the faults of all parameters, each once, and the first one is the refusal', () => {
    const { code, message, param, details } = refusalOf(Order, { currency: 'ABC', items: [{ price: 10 }, {}] })
    expect(details).toEqual({
      errors: [
        {
          code: 'missing_parameter',
          message: 'name is required: it must be text of 1 to 10 characters.',
          param: 'name',
        },
        { code: 'invalid_currency', message: expect.stringContaining('JPY'), param: 'currency' },
        {
          code: 'invalid_parameter',
          message: 'items[0][price] must be an integer from 1 to 9.',
          param: 'items[0][price]',
        },
        {
          code: 'missing_parameter',
          message: 'items[1][price] is required: it must be an integer from 1 to 9.',
          param: 'items[1][price]',
        },
      ],
    })
    expect({ code, message, param }).toEqual((details!.errors as object[])[0])
    const twice = v.object({
      n: v.pipe(
        v.string(),
        v.check(() => false, 'must be x'),
        v.check(() => false, 'must be y'),
      ),
    })
    expect(refusalOf(twice, { n: 'z' }).details).toMatchObject({ errors: [{ message: 'n must be x.' }] })
    expect(refusalOf(twice, { n: 'z' }).details!.errors).toHaveLength(1)
  })

  test('lists at most 100 faults, and one fault of a request with thousands of values', () => {
    const listed = (count: number) =>
      refusalOf(Order, { name: 'x', items: Array.from({ length: count }, () => ({ price: 0 })) }).details!.errors
    expect([99, 100, 101, 2_000, 2_500, 400_000].map((count) => listed(count)!.length)).toEqual([
      99, 100, 100, 100, 1, 1,
    ])
  })

  test('refuses an absent required parameter with missing_parameter, and says what it must be', () => {
    const message = 'name is required: it must be text of 1 to 10 characters.'
    const missing = { code: 'missing_parameter', param: 'name', message }
    expect(refusalOf(Order, {})).toMatchObject(missing)
    expect(refusalOf(Order, { name: undefined })).toMatchObject(missing)
    expect(refusalOf(Order, { name: 'x', items: [{}] })).toMatchObject({
      code: 'missing_parameter',
      param: 'items[0][price]',
    })
  })

  test.each<[string, GenericSchema, object, string]>([
    ['has no message of its own', v.object({ a: v.string() }), {}, 'a is required.'],
    ['accepts undefined as a value', v.object({ a: v.pipe(v.unknown(), v.transform(Number)) }), {}, 'a is required.'],
    ['is an object', v.object({ a: v.object({}, 'must be an object') }), {}, 'a is required: it must be an object.'],
    ['has its own words', v.object({ a: v.string('is required, or b') }), {}, 'a is required, or b.'],
    [
      'is inside a text',
      v.object({ a: v.pipe(v.string(), v.parseJson(), v.object({ b: v.string('must be x') })) }),
      { a: '{}' },
      'a[b] is required.',
    ],
  ])('refuses an absent parameter whose schema %s', (_, schema, input, message) => {
    expect(refusalOf(schema, input)).toMatchObject({ code: 'missing_parameter', message })
  })

  test('refuses thousands of absent parameters, and explains the 100 that it lists', () => {
    const { details } = refusalOf(Order, { name: 'x', items: Array.from({ length: 4_000 }, () => ({})) })
    const messages = (details!.errors as readonly Fault[]).map(({ message }) => message)
    expect(messages).toHaveLength(100)
    expect(messages.every((message) => message.endsWith('is required: it must be an integer from 1 to 9.'))).toBe(true)
  })

  test('refuses a required parameter that is null or empty with invalid_parameter', () => {
    expect(refusalOf(Order, { name: null })).toMatchObject({ code: 'invalid_parameter', param: 'name' })
    expect(refusalOf(Order, { name: '' })).toMatchObject({ code: 'invalid_parameter', param: 'name' })
  })

  test('uses the own code of a fault, if it has one', () => {
    expect(refusalOf(Order, { name: 'x', currency: 'ABC' })).toMatchObject({
      code: 'invalid_currency',
      param: 'currency',
    })
  })

  test('names no parameter if the request is not an object', () => {
    for (const input of [undefined, null, 7, 'text', true])
      expect(refusalOf(Order, input)).toMatchObject({ code: 'invalid_parameter', param: null })
  })

  test('repeats no value if the schema has no message of its own', () => {
    const message = 'number is not valid.'
    expect(refusalOf(v.object({ number: v.literal('x') }), { number: '4242424242424242' })).toMatchObject({ message })
  })

  test('ignores unknown parameters', () => {
    expect(parse(Order, { name: 'x', note: 'y' })).toEqual({ name: 'x' })
  })
})

const details = { type: 'credit_card', number: '4242424242424242', month: 12, year: 2030, name: 'x' }
const account = { bank_name: 'x', branch_number: 'x', account_type: 'normal', account_number: '1234567' }

const agreement = {
  accepted_service_agreement_at: '2030-01-01T00:00:00Z',
  accepted_service_agreement_ip: '192.0.2.1',
}

/** Every request schema, with a valid body. */
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
  CreateSubscription: [CreateSubscription, { amount: 1, currency: 'JPY', period: 'monthly', customer: 'cus_1' }],
  ListSubscriptions: [ListSubscriptions, {}],
  CreateWebhook: [CreateWebhook, { url: 'https://example.com', event_list: ['ping'] }],
  UpdateWebhook: [UpdateWebhook, {}],
  RotateSecret: [RotateSecret, { secret_token: 'x' }],
  RecoverWebhook: [RecoverWebhook, { since: '2030-01-01' }],
  ListDeliveries: [ListDeliveries, {}],
  CreateAccount: [CreateAccount, { name: 'x', default_currency: 'JPY', time_zone: 'Asia/Tokyo' }],
  UpdateAccount: [UpdateAccount, {}],
  AcceptServiceAgreement: [AcceptServiceAgreement, agreement],
  CreateKey: [CreateKey, { mode: 'test', kind: 'secret' }],
  SubmitApplication: [SubmitApplication, {}],
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

/** A valid request in which one or two parameters have arbitrary values. */
const garbageFor = (schema: GenericSchema, taken: object) => {
  const parameters = Object.keys((schema as unknown as { entries: object }).entries)
  const changes = fc.dictionary(fc.constantFrom(...parameters, 'unknown'), value, { minKeys: 1, maxKeys: 2 })
  return changes.map((changed) => ({ ...taken, ...changed }))
}

describe.each(Object.entries(requests))('%s', (_, [schema, taken]) => {
  test('accepts or refuses any JSON, and never repeats a value', () => {
    expect(() => parse(schema, taken)).not.toThrow()
    fc.assert(
      fc.property(fc.oneof(garbageFor(schema, taken), fc.jsonValue()), (input) => {
        try {
          parse(schema, input)
        } catch (error) {
          expect(error).toBeInstanceOf(Refusal)
          const { message, param, code, details } = error as Refusal
          expect(`${code} ${message} ${param} ${JSON.stringify(details)}`).not.toContain(CANARY)
          if (param !== null) expect((details!.errors as object[])[0]).toEqual({ code, message, param })
          expect(message).toMatch(/^(\w+(\[.*\])*|The request) (must|is required)/s)
        }
      }),
      { numRuns: 500 },
    )
  })
})
