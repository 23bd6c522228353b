import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Api, card, konbini, openApi, type RequestOptions } from '#test/fixtures/api.ts'
import { expectEnvelope } from '#test/fixtures/envelope.ts'

let api: Api
const ids: Record<string, string> = {}
beforeAll(async () => {
  api = await openApi()
  const make = async (name: string, path: string, json: object) => {
    ids[name] = (await api.request(`POST ${path}`, { json })).body.id
  }
  await make('captured', '/payments', pay())
  await make('held', '/payments', pay({ capture: false }))
  await make('waiting', '/payments', pay({ payment_details: konbini }))
  await make('paid', '/payments', pay({ payment_details: konbini }))
  await api.request(`POST /_local/payments/${ids.paid}/pay`, { json: {} })
  await make('customer', '/customers', { payment_details: card() })
  await make('cash_customer', '/customers', { payment_details: konbini })
  await make('session', '/sessions', { amount: 100, currency: 'JPY' })
  await make('cancelled', '/sessions', { amount: 100, currency: 'JPY' })
  await api.request(`POST /sessions/${ids.cancelled}/cancel`, { json: {} })
  await make('webhook', '/webhooks', { url: 'https://shop.example.com/hook', event_list: ['ping'], active: false })
  await make('token', '/tokens', { payment_details: card() })
  await api.request('POST /payments', { json: pay({ payment_details: ids.token }) })
  await make('secure', '/secure_tokens', { ...order, payment_details: card(), return_url: 'https://shop.example.com' })
})
afterAll(() => api.close())

const order = { amount: 1000, currency: 'JPY' }
const pay = (fields: object = {}) => ({ ...order, payment_details: card(), ...fields })
const without = (field: string, body: object) =>
  Object.fromEntries(Object.entries(body).filter(([key]) => key !== field))

/** A mistake: its request, and the status, the code, the parameter and words of the remedy in its response. */
type Mistake = readonly [
  what: string,
  route: string,
  options: RequestOptions | (() => RequestOptions),
  status: number,
  code: string,
  param: string | null,
  remedy: string,
]

const json = (body: object): RequestOptions => ({ json: body })
const details = (fields: object) => json(pay({ payment_details: { ...card(), ...fields } }))
const raw = (text: string, type: string): RequestOptions => ({ raw: text, headers: { 'content-type': type } })

const P = 'POST /payments'
const missing = [422, 'missing_parameter'] as const
const invalid = [422, 'invalid_parameter'] as const
const details_of = (field: string) => `payment_details[${field}]`

// biome-ignore format: a table
const mistakes: readonly Mistake[] = [
  ['no key', P, { key: null }, 401, 'unauthorized', null, 'secret key as the user name of HTTP Basic'],
  ['a key as bearer token', P, { key: null, headers: { authorization: 'Bearer sk_test_1' } }, 401, 'unauthorized', null, 'Send "Basic"'],
  ['an unknown key', P, { key: 'sk_test_00000000000000000000000000000000' }, 401, 'unauthorized', null, 'secret key'],
  ['a publishable key for a payment', P, () => ({ key: api.test.publishable_key, json: pay() }), 403, 'forbidden', null, 'with a secret key'],
  ['a publishable key with a customer', 'POST /secure_tokens', () => ({ key: api.test.publishable_key, json: { ...order, return_url: 'https://a.example', customer: ids.customer } }), 403, 'forbidden', 'customer', 'secret key'],
  ['an unknown path', 'GET /charges', {}, 404, 'not_found', null, 'begin with /api/v1'],
  ['an unknown verb of a payment', 'POST /payments/pay_1/void', {}, 404, 'not_found', null, '/api/v1/payments'],
  ['a wrong method', 'DELETE /payments', {}, 405, 'method_not_allowed', null, 'GET, HEAD, POST only'],
  ['PUT instead of PATCH', 'PUT /payments/pay_1', {}, 405, 'method_not_allowed', null, 'GET, HEAD, PATCH only'],
  ['an unknown id', 'GET /payments/pay_1', {}, 404, 'not_found', null, 'mode (test or live)'],
  ['a live key for a test payment', 'GET /payments/:captured', () => ({ key: api.live.secret_key }), 404, 'not_found', null, 'mode (test or live)'],
  ['broken JSON', P, raw('{"amount":1,}', 'application/json'), 400, 'bad_request', null, 'Check its syntax'],
  ['a list as body', P, raw('[1]', 'application/json'), 400, 'bad_request', null, 'must be a JSON object'],
  ['a form as JSON', P, raw('amount=1', 'application/json'), 400, 'bad_request', null, 'form'],
  ['XML', P, raw('<a/>', 'text/xml'), 415, 'unsupported_media_type', null, 'Send application/json'],
  ['a file as JSON', 'POST /files', json({ paper: 'x' }), 415, 'unsupported_media_type', null, 'a file needs multipart/form-data'],
  ['a large body', P, raw('x'.repeat(1_048_577), 'application/json'), 413, 'payload_too_large', null, 'at most 1 MB'],
  ['a name that is text and object', P, { form: [['a', '1'], ['a[b]', '2']] }, 400, 'bad_request', 'a', 'both a text and an object'],
  ['an unknown scenario', P, { json: pay(), headers: { 'x-service-scenario': 'timeout' } }, ...invalid, 'X-Service-Scenario', 'timeout_before_charge, timeout_after_charge, duplicate_answer, slow'],
  ['a long idempotency key', P, { json: pay(), headers: { 'idempotency-key': 'k'.repeat(256) } }, ...invalid, 'Idempotency-Key', '1 to 255 printable'],
  ['an empty body', P, json({}), ...missing, 'amount', 'is required: it must be an integer from 1'],
  ['no amount', P, json(without('amount', pay())), ...missing, 'amount', 'sent in cents: 1050'],
  ['an amount with decimals', P, json(pay({ amount: 10.5, currency: 'USD' })), ...invalid, 'amount', 'in cents: 1050'],
  ['an amount as decimal text', P, json(pay({ amount: '10.50' })), ...invalid, 'amount', 'in cents: 1050'],
  ['an amount of zero', P, json(pay({ amount: 0 })), ...invalid, 'amount', 'from 1 to 9999999999'],
  ['a negative amount', P, json(pay({ amount: -1 })), ...invalid, 'amount', 'from 1'],
  ['an amount of null', P, json(pay({ amount: null })), ...invalid, 'amount', 'smallest unit'],
  ['an amount with a sign of currency', P, json(pay({ amount: '¥1000' })), ...invalid, 'amount', 'must be an integer'],
  ['a tax in percent', P, json(pay({ tax: '10%' })), ...invalid, 'tax', 'or auto'],
  ['no currency', P, json(without('currency', pay())), ...missing, 'currency', 'is required: it must be an active ISO 4217 currency code, such as JPY'],
  ['an unknown currency', P, json(pay({ currency: 'YEN' })), 422, 'invalid_currency', 'currency', 'such as JPY'],
  ['a konbini payment in dollars', P, json(pay({ currency: 'USD', payment_details: konbini })), 422, 'invalid_currency', 'currency', 'send currency JPY'],
  ['no payment details', P, json(order), ...missing, 'payment_details', 'unless customer is given'],
  ['payment details and a customer', P, () => json(pay({ customer: ids.customer })), ...invalid, 'payment_details', 'send one of the two'],
  ['an unknown customer', P, json({ ...order, customer: 'cus_1' }), ...invalid, 'customer', 'same merchant and mode'],
  ['an unknown payment type', P, details({ type: 'card' }), 422, 'invalid_payment_type', details_of('type'), 'credit_card, konbini'],
  ['no payment type', P, details({ type: undefined }), ...missing, details_of('type'), 'is required: it must be one of the payment types: credit_card'],
  ['a wrong card number', P, details({ number: '4111111111111112' }), ...invalid, details_of('number'), '12 to 19 digits'],
  ['a card number as number', P, details({ number: 4111111111111111 }), ...invalid, details_of('number'), 'sent as text'],
  ['a month of 13', P, details({ month: 13 }), ...invalid, details_of('month'), 'from 1 to 12'],
  ['an expired card', P, details({ year: 2020 }), ...invalid, details_of('year'), 'has not expired'],
  ['a verification value as number', P, details({ verification_value: 123 }), ...invalid, details_of('verification_value'), 'sent as text'],
  ['no name of the card', P, details({ name: undefined }), ...missing, details_of('name'), 'family_name and given_name'],
  ['an unknown store', P, json(pay({ payment_details: { ...konbini, store: 'familymart' } })), ...invalid, details_of('store'), 'family-mart'],
  ['no e-mail for konbini', P, json(pay({ payment_details: { ...konbini, email: undefined } })), ...missing, details_of('email'), 'is required: it must be an e-mail address'],
  ['an id that is no token', P, json(pay({ payment_details: 'pm_1' })), 422, 'invalid_token', 'payment_details', 'tok_'],
  ['an unknown token', P, json(pay({ payment_details: 'tok_1' })), 422, 'invalid_token', 'payment_details', 'Create a new token'],
  ['a used token', P, () => json(pay({ payment_details: ids.token })), 422, 'invalid_token', 'payment_details', 'new token for each use'],
  ['capture as a word', P, json(pay({ capture: 'manual' })), ...invalid, 'capture', 'true or false'],
  ['an unknown language', P, json(pay({ locale: 'fr' })), ...invalid, 'locale', 'ja, en, ko'],
  ['a relative return URL', P, json(pay({ return_url: '/done' })), ...invalid, 'return_url', 'http or https URL'],
  ['nested metadata', P, json(pay({ metadata: { a: { b: 1 } } })), ...invalid, 'metadata[a]', 'must be text'],
  ['a capture of a captured payment', 'POST /payments/:captured/capture', {}, 422, 'not_capturable', null, 'payment is captured'],
  ['a capture of a konbini payment', 'POST /payments/:waiting/capture', {}, 422, 'not_capturable', null, 'Only a credit_card'],
  ['a capture above the authorization', 'POST /payments/:held/capture', json({ amount: 1001 }), ...invalid, 'amount', 'At most 1000 JPY'],
  ['a refund of a held payment', 'POST /payments/:held/refund', {}, 422, 'not_refundable', null, 'payment is authorized'],
  ['a refund above the amount', 'POST /payments/:captured/refund', json({ amount: 1001 }), ...invalid, 'amount', 'At most 1000 JPY'],
  ['a refund of a konbini payment', 'POST /payments/:paid/refund', {}, 422, 'not_refundable', null, 'konbini payment with POST /payments/:id/refund_request'],
  ['a cancellation of a captured payment', 'POST /payments/:captured/cancel', {}, 422, 'not_cancellable', null, 'POST /payments/:id/refund'],
  ['a page of zero', 'GET /payments?page=0', {}, ...invalid, 'page', 'from 1'],
  ['a page of 101 records', 'GET /payments?per_page=101', {}, ...invalid, 'per_page', 'from 1 to 100'],
  ['a filter of an unknown status', 'GET /payments?status=paid', {}, ...invalid, 'status', 'captured'],
  ['a time in another form', 'GET /payments?start_time=yesterday', {}, ...invalid, 'start_time', 'such as 2030-01-31T12:00:00Z'],
  ['a session without amount', 'POST /sessions', json({ currency: 'JPY' }), ...missing, 'amount', 'unless mode is customer or line items have amounts'],
  ['a session that pays and stores', 'POST /sessions', json({ mode: 'customer', payment_types: ['konbini'] }), 422, 'invalid_payment_type', 'payment_types', 'credit_card'],
  ['a payment of a cancelled session', 'POST /sessions/:cancelled/pay', json({ payment_details: card() }), 422, 'unprocessable_entity', null, 'Create a new session'],
  ['a subscription in cents without a period', 'POST /subscriptions', () => json({ ...order, customer: ids.customer }), ...missing, 'period', 'is required: it must be one of'],
  ['a subscription without a customer', 'POST /subscriptions', json({ ...order, period: 'monthly' }), ...missing, 'customer', 'must be the id of a customer (cus_'],
  ['a subscription with decimals of yen', 'POST /subscriptions', () => json({ amount: '10.50', currency: 'JPY', period: 'monthly', customer: ids.customer }), ...invalid, 'amount', 'at most 0 decimals in JPY'],
  ['a subscription paid in cash', 'POST /subscriptions', () => json({ ...order, period: 'monthly', customer: ids.cash_customer }), 422, 'unprocessable_entity', 'customer', 'Store a credit_card'],
  ['a webhook without events', 'POST /webhooks', json({ url: 'https://a.example' }), ...missing, 'event_list', 'must be an array of events, such as payment.captured'],
  ['a token without payment details', 'POST /tokens', json({}), ...missing, 'payment_details', 'must be an object with a type, such as credit_card'],
  ['a webhook of an unknown event', 'POST /webhooks', json({ url: 'https://a.example', event_list: ['paid'] }), ...invalid, 'event_list[0]', 'payment.captured'],
  ['a recovery since tomorrow', 'POST /webhooks/:webhook/recover', json({ since: '2099-01-01' }), ...invalid, 'since', 'must not be in the future'],
  ['a recovery of an inactive webhook', 'POST /webhooks/:webhook/recover', json({ since: '2020-01-01' }), 422, 'unprocessable_entity', null, 'Activate it with PATCH'],
]

describe('a mistake', () => {
  test('is one of at least 60', () => {
    expect(mistakes.length).toBeGreaterThanOrEqual(60)
  })

  test.each(mistakes)('%s: %s', async (_, route, options, status, code, param, remedy) => {
    const path = route.replace(/:(\w+)/, (_match, name) => ids[name] ?? name)
    const reply = await api.request(path, typeof options === 'function' ? options() : options)
    expectEnvelope(reply, code)
    const { error } = reply.body
    expect({ status: reply.status, param: error.param }).toEqual({ status, param })
    expect(error.message).toContain(remedy)
    if (status === 422 && param !== null)
      expect(error.details.errors[0]).toEqual({ code, message: error.message, param })
  })
})

/** Valid bodies of rows, and values that each of their parameters refuses. */
const rows: Record<string, { valid: () => object; wrong: Record<string, unknown[]> }> = {
  'POST /payments': {
    valid: () => pay({ tax: 10, metadata: { a: 1 }, locale: 'en' }),
    wrong: {
      ...{ amount: [undefined, null, 0, 'x', {}], tax: [-1, 'x'], currency: [undefined, 'YEN', 1] },
      payment_details: [undefined, 'x', 7, {}, { ...card(), number: '1', name: null }, { ...konbini, store: 'x' }],
      ...{ metadata: [7, { a: [] }], locale: ['fr'], capture: ['x'], return_url: ['x'], customer: ['cus_1', 7] },
    },
  },
  'POST /tokens': {
    valid: () => ({ payment_details: card(), currency: 'JPY' }),
    wrong: {
      payment_details: [undefined, 'tok_1', { type: 'x' }, { ...card(), month: 0, year: 'x' }],
      currency: ['X'],
    },
  },
  'POST /customers': {
    valid: () => ({ payment_details: card(), email: 'a@example.com' }),
    wrong: { payment_details: [undefined, null, {}], email: ['a', 7], currency: ['X'], metadata: ['x'] },
  },
  'POST /secure_tokens': {
    valid: () => ({ ...order, payment_details: card(), return_url: 'https://shop.example.com' }),
    wrong: {
      amount: [undefined, -1],
      currency: [undefined, 'X'],
      return_url: [undefined, 'x'],
      customer: ['cus_1', 7],
    },
  },
  'POST /sessions': {
    valid: () => ({ ...order, payment_data: { ...order, tax: 10 }, line_items: [{ amount: 1 }], mode: 'payment' }),
    wrong: {
      ...{ amount: [undefined, 0, 999], currency: [undefined, 'USD', 'X'], mode: ['x'], default_locale: ['fr'] },
      payment_data: [7, {}, { tax: -1 }, { amount: 7, currency: 'USD' }, { amount: 'x', tax: 9_999_999_999 }],
      ...{ line_items: [7, [7], [{ amount: -1 }]], expires_in_seconds: [0], email: ['x'], payment_types: [['x'], 7] },
    },
  },
  'POST /subscriptions': {
    valid: () => ({ ...order, period: 'monthly', customer: ids.customer }),
    wrong: {
      ...{ amount: [undefined, -1, '10.50', 'x'], currency: [undefined, 'X'], period: [undefined, 'daily', 7] },
      ...{ customer: [undefined, 'cus_1', 7], metadata: ['x'] },
    },
  },
  'POST /webhooks': {
    valid: () => ({ url: 'https://shop.example.com/hook', event_list: ['ping'] }),
    wrong: { url: [undefined, 'x', 7], event_list: [undefined, [], ['x'], 7], active: ['x'] },
  },
}

describe.each(Object.entries(rows))('an invalid body of %s', (route, { valid, wrong }) => {
  const body = fc.record(
    Object.fromEntries(Object.entries(wrong).map(([name, values]) => [name, fc.constantFrom(...values)])),
    { requiredKeys: [] },
  )

  test('is accepted within two corrections of the faults that its responses list', async () => {
    await fc.assert(
      fc.asyncProperty(body, async (faulty) => {
        const right: Record<string, unknown> = { ...valid() }
        const sent: Record<string, unknown> = { ...right, ...faulty }
        for (let corrections = 0; ; corrections++) {
          const reply = await api.request(route, { json: sent })
          if (reply.status === 200) return
          expect(corrections, reply.text).toBeLessThan(2)
          const { code, message, param, details } = reply.body.error
          expect(details.errors[0]).toEqual({ code, message, param })
          for (const fault of details.errors) {
            const [name] = fault.param.split('[')
            const twin = /(\w+) must be the same as/.exec(fault.message.replace(']', ''))?.[1]
            // A value that another parameter also gives is corrected by leaving one of the two out.
            if (fault.message.includes('together with customer')) delete sent.customer
            else if (twin) sent[name] = without(twin, sent[name] as object)
            else if (name in right) sent[name] = right[name]
            else delete sent[name]
          }
        }
      }),
      { numRuns: 40 },
    )
  })
})
