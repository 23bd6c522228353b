import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { allKept, eventsOf, eventTypesOf, itemsOf, ledgerOf, refusalIn } from '#test/faults/witness.ts'
import { type Api, card, konbini, openApi } from '#test/fixtures/api.ts'
import { replyWithoutAcquirer } from '#test/fixtures/without-acquirer.ts'

let api: Api
beforeAll(async () => {
  api = await openApi()
})
afterAll(() => api.close())

const email = 'taro@example.com'
const names = { family_name: 'Y', family_name_kana: 'ワイ', given_name: 'T', given_name_kana: 'ティー' }

const order = (fields: object = {}) => ({ amount: 1000, currency: 'JPY', payment_details: card(), ...fields })
const create = (fields: object = {}, options: object = {}) =>
  api.request('POST /payments', { json: order(fields), ...options })
const show = async (id: string) => (await api.request(`GET /payments/${id}`)).body

describe('POST /payments', () => {
  test('returns the payment and emits only payment.captured', async () => {
    const { status, text, body } = await create({
      tax: 'auto',
      description: 'tea',
      external_order_num: 'A-1',
      metadata: { size: '10', gift: true, weight: 2.5 },
      locale: 'en',
    })
    expect(status).toBe(200)
    expect(body.id).toMatch(/^pay_/)
    expect(text).toBe(
      JSON.stringify({
        id: body.id,
        resource: 'payment',
        status: 'captured',
        amount: 1000,
        tax: 100,
        customer: null,
        payment_deadline: '2030-02-01T14:59:59Z',
        payment_details: {
          type: 'credit_card',
          email: null,
          brand: 'visa',
          last_four_digits: '1111',
          month: 12,
          year: 2035,
        },
        payment_method_fee: 0,
        total: 1100,
        currency: 'JPY',
        description: 'tea',
        captured_at: '2030-01-02T03:00:00Z',
        external_order_num: 'A-1',
        metadata: { size: '10', gift: true, weight: 2.5 },
        created_at: '2030-01-02T03:00:00Z',
        amount_refunded: 0,
        locale: 'en',
        session: null,
        subscription: null,
        failure_code: null,
        failure_message: null,
        refunds: [],
        refund_requests: [],
      }),
    )
    expect(await eventsOf(api, body.id)).toMatchObject([{ type: 'payment.captured', data: body }])
    expect(ledgerOf(api, body.id)).toEqual([{ operation: 'charge', amount: 1100, result: 'captured' }])
    expect((await api.request(`GET /payments/${body.id}`)).text).toBe(text)
  })

  test('accepts a form with nested fields, and numbers and booleans as text', async () => {
    const { body } = await api.request('POST /payments', {
      form: [
        ['amount', '100.0'],
        ['tax', '7'],
        ['currency', 'JPY'],
        ['capture', 'false'],
        ['metadata[a]', '10'],
        ['webhooks[][url]', 'https://shop.example/'],
        ['webhooks[][events][]', 'payment.failed'],
        ...Object.entries(card()).map(([name, value]) => [`payment_details[${name}]`, String(value)] as const),
      ],
    })
    expect(body).toMatchObject({ status: 'authorized', amount: 100, tax: 7, total: 107, metadata: { a: '10' } })
  })

  test.each([
    ['capture=false', { capture: false }, 'authorized', ['payment.authorized']],
    ['capture=true', { capture: true }, 'captured', ['payment.captured']],
    ['3-D Secure', { payment_details: card('4100000000000100') }, 'pending', []],
    [
      'capture=false without a card',
      { capture: false, payment_details: konbini },
      'authorized',
      ['payment.authorized'],
    ],
  ])('sets the status and emits the events for %s', async (_, fields, status, events) => {
    const { body } = await create(fields)
    expect(body).toMatchObject({ status, captured_at: status === 'captured' ? '2030-01-02T03:00:00Z' : null })
    expect(await eventTypesOf(api, body.id)).toEqual(events)
  })
})

describe('the log of POST /payments', () => {
  test.each<[string, object, string, string | undefined]>([
    ['credit_card', card(), 'captured', undefined],
    ['credit_card', card('4123111111111000'), 'declined', 'insufficient_funds'],
    ['credit_card', card('4100000000000100'), 'pending', undefined],
    ['konbini', konbini, 'authorized', undefined],
  ])('has one line with the outcome of a charge by %s', async (kind, payment_details, outcome, code) => {
    const since = api.logs.length
    const { body } = await create({ payment_details })
    const line = { level: 'info', event: 'payment_settled', merchant: api.test.id, kind, outcome, code }
    const lines = api.logs.slice(since).filter(({ event }) => event !== 'request')
    expect(lines).toEqual([{ ...line, payment: body.id ?? body.error.details.payment }])
  })
})

describe('a card of the sandbox', () => {
  test.each([
    ['4111111111111111', 'visa'],
    ['5555555555554444', 'master'],
    ['3530111333300000', 'jcb'],
    ['378282246310005', 'american_express'],
    ['30569309025904', 'diners_club'],
    ['6011111111111117', 'discover'],
    ['4242424242424242', 'visa'],
  ])('%s succeeds with the brand %s', async (number, brand) => {
    expect((await create({ payment_details: card(number) })).body).toMatchObject({
      status: 'captured',
      payment_details: { brand, last_four_digits: number.slice(-4) },
    })
  })

  test.each(['4100000000000100', '5100000000000107'])('%s needs 3-D Secure', async (number) => {
    const { status, body } = await create({ payment_details: card(number) })
    expect([status, body.status, body.payment_deadline]).toEqual([200, 'pending', '2030-01-03T14:59:59Z'])
    expect(body.payment_details.redirect_url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\//)
  })

  test.each([
    ['4123111111111000', 402, 'insufficient_funds'],
    ['4123111111111018', 402, 'exceeds_limit'],
    ['4123111111111034', 402, 'bad_verification_value'],
    ['4123111111111042', 402, 'card_expired'],
    ['4123111111111059', 402, 'card_declined'],
    ['4123111111111067', 402, 'invalid_number'],
    ['4123111111111075', 402, 'invalid_number'],
    ['4123111111111083', 422, 'fraudulent'],
  ])('%s answers %d %s and stores the payment as failed', async (number, status, code) => {
    const reply = await create({ payment_details: card(number) })
    expect(refusalIn(reply)).toEqual({ status, code, param: null })
    const { request_id, message, details } = reply.body.error
    expect(request_id).toBe(reply.headers.get('x-request-id'))
    expect(message).toMatch(/^[A-Z].+\.$/)
    const failed = await show(details.payment)
    expect(failed).toMatchObject({ status: 'failed', amount: 1000, captured_at: null })
    expect([failed.failure_code, failed.failure_message]).toEqual([code, message])
    expect((await api.request('GET /payments?status=failed')).body.data).toContainEqual(failed)
    const events = await eventsOf(api, details.payment)
    expect(events.map(({ type }) => type)).toEqual([
      'payment.failed',
      ...(code === 'fraudulent' ? ['payment.marked.as.fraud'] : []),
    ])
    for (const { data } of events) expect(data).toEqual(failed)
  })
})

describe('a payment type', () => {
  const bank = { type: 'bank_transfer', email, phone: '1', ...names }
  const off_site = ['type', 'email', 'redirect_url']
  type Row = [details: object, fields: string[], fee: number, then: typeof cash | typeof sent | typeof paid]
  const cash = { status: 'authorized', payment_deadline: '2030-01-05T14:59:59Z', events: ['payment.authorized'] }
  const paid = { status: 'captured', payment_deadline: '2030-01-05T14:59:59Z', events: ['payment.captured'] }
  const sent = { status: 'pending', payment_deadline: '2030-01-03T14:59:59Z', events: [] as string[] }
  const prepaid = { email, prepaid_number: '1234567890123456' }
  const wallets = ['paypay', 'merpay', 'rakutenpay', 'aupay', 'linepay', 'alipay', 'wechatpay', 'paidy']

  test.each<Row>([
    [konbini, ['type', 'email', 'store', 'confirmation_code', 'receipt', 'instructions_url'], 190, cash],
    [
      { type: 'pay_easy', email, phone: '1', ...names },
      ['type', 'email', 'bank_id', 'customer_id', 'confirmation_id', 'instructions_url'],
      190,
      cash,
    ],
    [
      bank,
      [
        ...['type', 'email', 'order_id', 'bank_name', 'account_branch_name', 'account_number', 'account_type'],
        ...['account_name', 'instructions_url'],
      ],
      0,
      cash,
    ],
    ...['bit_cash', 'net_cash', 'web_money'].map(
      (type): Row => [{ type, ...prepaid }, ['type', 'email', 'last_four_digits'], 0, paid],
    ),
    [{ type: 'retailer_account', user_no: '7', user_password: 'x' }, ['type', 'email'], 0, paid],
    ...[
      { type: 'paysafe_cash', email },
      { type: 'mobile', email },
      { type: 'japan_mobile', email, brand: 'au' },
    ].map((details): Row => [details, off_site, 0, sent]),
    ...wallets.map((type): Row => [{ type }, off_site, 0, sent]),
  ])(
    '%j gets its fields, its fee and its status',
    async (payment_details, fields, payment_method_fee, { events, ...then }) => {
      const { body } = await create({ payment_details, tax: 50 })
      expect(body).toMatchObject({ ...then, payment_method_fee, total: 1050 + payment_method_fee })
      expect(Object.keys(body.payment_details)).toEqual(fields)
      expect(Object.values(body.payment_details).slice(2)).not.toContain('')
      expect(await eventTypesOf(api, body.id)).toEqual(events)
    },
  )

  test.each([konbini, { type: 'pay_easy', email, phone: '1', ...names }, bank])(
    '%j accepts only JPY',
    async (details) => {
      const reply = await create({ payment_details: details, currency: 'USD' })
      expect(refusalIn(reply)).toEqual({ status: 422, code: 'invalid_currency', param: 'currency' })
    },
  )

  test.each([
    [{ ...konbini, expiry_days: 0 }, '2030-01-02T14:59:59Z'],
    [{ ...bank, expiry_days: '59' }, '2030-03-02T14:59:59Z'],
  ])('%j sets the deadline %s', async (payment_details, deadline) => {
    expect((await create({ payment_details })).body.payment_deadline).toBe(deadline)
  })
})

describe('the source of a payment', () => {
  const customer = async (payment_details: object, fields: object = {}) =>
    (await api.request('POST /customers', { json: { payment_details, ...fields } })).body.id as string
  const by = (fields: object) => create({ payment_details: undefined, ...fields })

  test('may be a customer, whose card is charged and whose e-mail address is copied', async () => {
    const id = await customer(card('5555555555554444'), { email: 'hanako@example.com' })
    expect((await by({ customer: id })).body).toMatchObject({
      status: 'captured',
      customer: id,
      payment_details: { email: 'hanako@example.com', last_four_digits: '4444' },
    })
  })

  test('may be a customer with konbini details, whose expiry_days set the deadline', async () => {
    const id = await customer({ ...konbini, expiry_days: 10 })
    expect((await by({ customer: id })).body).toMatchObject({
      status: 'authorized',
      payment_deadline: '2030-01-12T14:59:59Z',
    })
  })

  test('must be either a customer or payment details', async () => {
    const id = await customer(card())
    expect(refusalIn(await by({}))).toEqual({ status: 422, code: 'missing_parameter', param: 'payment_details' })
    expect(refusalIn(await create({ customer: id }))).toMatchObject({ status: 422, code: 'invalid_parameter' })
  })

  test('cannot be a customer without payment details', async () => {
    const id = await customer(card())
    await api.request(`PATCH /customers/${id}`, { json: { payment_details: null } })
    expect(refusalIn(await by({ customer: id }))).toEqual({
      status: 422,
      code: 'unprocessable_entity',
      param: 'customer',
    })
  })

  test('cannot be an unknown customer or a customer of another merchant', async () => {
    const { test: other } = await api.newMerchants()
    const json = { payment_details: card() }
    const { body: foreign } = await api.request('POST /customers', { key: other.secret_key, json })
    for (const id of ['cus_1', 'x y', 'c'.repeat(255), foreign.id])
      expect(refusalIn(await by({ customer: id }))).toEqual({
        status: 422,
        code: 'invalid_parameter',
        param: 'customer',
      })
  })

  test('stores no payment and no event if the request is refused', async () => {
    const { test: merchant } = await api.newMerchants()
    await create({ amount: 0 }, { key: merchant.secret_key })
    await create({ payment_details: { ...konbini }, currency: 'USD' }, { key: merchant.secret_key })
    for (const route of ['GET /payments', 'GET /events'])
      expect((await api.request(route, { key: merchant.secret_key })).body.total).toBe(0)
  })
})

describe('fields that no response shows', () => {
  test('stores webhooks and fraud details, encrypts the secret of a webhook, and shows none of them', async () => {
    const { text, body } = await create({
      webhooks: [{ url: 'https://shop.example/hook', events: ['payment.captured'], secret_key: 'canary-secret' }],
      fraud_details: {
        customer_ip: '192.0.2.77',
        customer_email: email,
        browser_language: 'ja',
        browser_user_agent: 'x',
      },
      return_url: 'http://localhost:8080/back',
    })
    expect(text).not.toMatch(/shop\.example|canary|192\.0\.2\.77|localhost:8080/)
    const [kept] = itemsOf(api, 'payment').filter(({ pk, sk }) => pk.endsWith(body.id) && sk === 'payment')
    expect(kept).toMatchObject({
      webhooks: [{ url: 'https://shop.example/hook', events: ['payment.captured'] }],
      fraud_details: { customer_ip: '192.0.2.77' },
      return_url: 'http://localhost:8080/back',
    })
    expect(allKept(api)).not.toContain('canary-secret')
  })

  test.each(['http://10.0.0.1/', 'http://169.254.169.254/', 'http://[fd00::1]/'])(
    'refuses a webhook at %s',
    async (url) => {
      const reply = await create({ webhooks: [{ url, events: ['payment.captured'] }] })
      expect(refusalIn(reply)).toEqual({ status: 422, code: 'invalid_parameter', param: 'webhooks[0][url]' })
    },
  )

  test('accepts webhooks on this machine and webhooks without TLS in test mode only', async () => {
    const hook = (url: string, key: string) => create({ webhooks: [{ url, events: ['payment.captured'] }] }, { key })
    const statuses = async (url: string) => [
      (await hook(url, api.test.secret_key)).status,
      (await hook(url, api.live.secret_key)).status,
    ]
    expect(await statuses('http://localhost:9/')).toEqual([200, 422])
    expect(await statuses('https://127.0.0.1/')).toEqual([200, 422])
    expect(await statuses('http://shop.example/')).toEqual([200, 422])
    expect(await statuses('https://shop.example/')).toEqual([200, 200])
  })
})

describe('the validation of POST /payments', () => {
  const hook = { url: 'https://shop.example/', events: ['payment.captured'] }
  test.each([
    [{ amount: undefined }, 'missing_parameter', 'amount'],
    [{ amount: null }, 'invalid_parameter', 'amount'],
    [{ amount: '' }, 'invalid_parameter', 'amount'],
    [{ amount: 0 }, 'invalid_parameter', 'amount'],
    [{ amount: -1 }, 'invalid_parameter', 'amount'],
    [{ amount: 10.5 }, 'invalid_parameter', 'amount'],
    [{ amount: '1,000' }, 'invalid_parameter', 'amount'],
    [{ amount: 10_000_000_000 }, 'invalid_parameter', 'amount'],
    [{ currency: undefined }, 'missing_parameter', 'currency'],
    [{ currency: 'XXX' }, 'invalid_currency', 'currency'],
    [{ tax: -1 }, 'invalid_parameter', 'tax'],
    [{ tax: 'a tenth' }, 'invalid_parameter', 'tax'],
    [{ capture: 'maybe' }, 'invalid_parameter', 'capture'],
    [{ external_order_num: 'x'.repeat(256) }, 'invalid_parameter', 'external_order_num'],
    [{ return_url: 'shop' }, 'invalid_parameter', 'return_url'],
    [{ locale: 'fr' }, 'invalid_parameter', 'locale'],
    [{ metadata: { a: null } }, 'invalid_parameter', 'metadata[a]'],
    [{ fraud_details: 'none' }, 'invalid_parameter', 'fraud_details'],
    [{ webhooks: Array(11).fill(hook) }, 'invalid_parameter', 'webhooks'],
    [{ webhooks: [{ url: hook.url }] }, 'missing_parameter', 'webhooks[0][events]'],
    [{ webhooks: [hook, { ...hook, events: [] }] }, 'invalid_parameter', 'webhooks[1][events]'],
    [{ webhooks: [{ ...hook, events: ['ping'] }] }, 'invalid_parameter', 'webhooks[0][events][0]'],
    [{ webhooks: [{ ...hook, url: 'ftp://shop.example/' }] }, 'invalid_parameter', 'webhooks[0][url]'],
    [{ payment_details: {} }, 'missing_parameter', 'payment_details[type]'],
    [{ payment_details: { type: 'cash' } }, 'invalid_payment_type', 'payment_details[type]'],
    [{ payment_details: 'tok_1' }, 'invalid_token', 'payment_details'],
    [{ payment_details: { ...card(), year: 29 } }, 'invalid_parameter', 'payment_details[year]'],
    [
      { payment_details: { ...card(), verification_value: '12' } },
      'invalid_parameter',
      'payment_details[verification_value]',
    ],
    [{ payment_details: { ...konbini, store: 'spar' } }, 'invalid_parameter', 'payment_details[store]'],
    [{ payment_details: { ...konbini, expiry_days: 60 } }, 'invalid_parameter', 'payment_details[expiry_days]'],
  ])('refuses %j with %s of %s', async (fields, code, param) => {
    expect(refusalIn(await create(fields))).toEqual({ status: 422, code, param })
  })

  test.each([
    { description: '', external_order_num: null, return_url: '', locale: '', metadata: null, webhooks: null },
    { fraud_details: null, customer: '', customer_email: 'unknown key' },
    { amount: '1000', currency: 'JPY', capture: 'true', tax: '0' },
    { amount: 9_999_999_999 },
    { external_order_num: 'x'.repeat(255) },
  ])('accepts %j', async (fields) => {
    expect((await create(fields)).status).toBe(200)
  })
})

test('a live payment in a stage without an acquirer is answered with 503', async () => {
  const json = { amount: 1000, currency: 'JPY', payment_details: card() }
  const reply = await replyWithoutAcquirer('POST /payments', json)
  expect(refusalIn(reply)).toEqual({ status: 503, code: 'service_unavailable', param: null })
})

describe('X-Service-Scenario', () => {
  const charge = (scenario: string, key = api.test.secret_key) =>
    create({}, { key, headers: { 'x-service-scenario': scenario } })

  test('timeout_before_charge answers 504, and the payment fails once the acquirer reports that no order arrived', async () => {
    const reply = await charge('timeout_before_charge')
    expect(refusalIn(reply)).toEqual({ status: 504, code: 'gateway_timeout', param: null })
    const { payment } = reply.body.error.details
    expect(await show(payment)).toMatchObject({ status: 'pending', captured_at: null })
    expect([ledgerOf(api, payment), await eventTypesOf(api, payment)]).toEqual([[], []])
    await api.advance(60)
    expect((await show(payment)).status).toBe('failed')
    expect(await eventTypesOf(api, payment)).toEqual(['payment.failed'])
  })

  test('timeout_before_charge: a retry with the idempotency key gets 402 once the payment has failed', async () => {
    const headers = { 'idempotency-key': 'never arrived' }
    const lost = await create({}, { headers: { ...headers, 'x-service-scenario': 'timeout_before_charge' } })
    await api.advance(60)
    const reply = await create({}, { headers })
    expect(refusalIn(reply)).toEqual({ status: 402, code: 'other_error', param: null })
    expect(reply.body.error.details).toEqual(lost.body.error.details)
  })

  test('timeout_after_charge answers 504, and the payment is captured once the acquirer reports the charge', async () => {
    const { status, body } = await charge('timeout_after_charge')
    const { payment } = body.error.details
    expect([status, (await show(payment)).status]).toEqual([504, 'pending'])
    await api.advance(60)
    expect((await show(payment)).status).toBe('captured')
    expect(await eventTypesOf(api, payment)).toEqual(['payment.captured'])
    expect(ledgerOf(api, payment)).toEqual([{ operation: 'charge', amount: 1000, result: 'captured' }])
  })

  test('duplicate_answer answers 200 with the payment, and the acquirer charges once', async () => {
    const { status, body } = await charge('duplicate_answer')
    expect([status, body.status]).toEqual([200, 'captured'])
    expect(ledgerOf(api, body.id)).toHaveLength(1)
  })

  test.each(['timeout_before_charge', 'timeout_after_charge'])('%s has no effect in live mode', async (scenario) => {
    expect((await charge(scenario, api.live.secret_key)).status).toBe(200)
  })
})
