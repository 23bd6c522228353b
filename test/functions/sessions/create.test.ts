import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { card_brands, payment_types } from '#shared/domain/payment-details.ts'
import { allKept, refusalIn } from '#test/faults/witness.ts'
import { type Api, card, openApi } from '#test/fixtures/api.ts'
import { largeMetadata, TOO_LARGE_BYTES } from '#test/fixtures/large-metadata.ts'
import { withoutAcquirer } from '#test/fixtures/without-acquirer.ts'
import { anAccount } from '#test/functions/accounts/keys/account-keys.ts'

let api: Api
beforeAll(async () => {
  api = await openApi()
})
afterAll(() => api.close())

const order = { amount: 1000, currency: 'JPY' }
const create = (fields: object = {}, key = api.test.secret_key) =>
  api.request('POST /sessions', { json: { ...order, ...fields }, key })

const names = ['seven-eleven', 'lawson', 'family-mart', 'ministop', 'daily-yamazaki', 'seicomart']
const stores = Object.fromEntries(
  names.map((store) => [store, { icon: `/payment_methods/konbini.svg?brands=${store}` }]),
)
const onSite = (
  type: string,
  brands: unknown,
  customer_fee: number,
  amount: number | null,
  currency: string | null,
) => ({
  ...{ type, brands, offsite: false, additional_fields: [], customer_fee, amount, currency, exchange_rate: null },
})

describe('POST /sessions', () => {
  test('returns the whole session and emits no event', async () => {
    const { test: merchant } = await api.newMerchants()
    const { status, text, body } = await create(
      {
        payment_types: ['konbini', 'credit_card'],
        return_url: 'http://localhost:3000/done?a=1',
        default_locale: 'ko',
        email: 'taro@example.com',
        line_items: [{ amount: 500, description: '茶', quantity: 2, image: 'https://shop.example.com/tea.png' }, {}],
        metadata: { a: 'x', b: 1.5, c: true },
        payment_data: { tax: 100 },
      },
      merchant.secret_key,
    )
    expect(status).toBe(200)
    expect(body.id).toMatch(/^ses_[0-9a-z]{26}$/)
    expect(text).toBe(
      JSON.stringify({
        id: body.id,
        resource: 'session',
        mode: 'payment',
        amount: 1000,
        currency: 'JPY',
        session_url: `${api.url}/pages/sessions/${merchant.id}/${body.id}`,
        return_url: 'http://localhost:3000/done?a=1',
        default_locale: 'ko',
        payment_methods: [
          onSite('konbini', stores, 190, 1100, 'JPY'),
          onSite('credit_card', card_brands, 0, 1100, 'JPY'),
        ],
        status: 'pending',
        expired: false,
        payment: null,
        secure_token: null,
        customer_id: null,
        line_items: [
          { amount: 500, description: '茶', quantity: 2, image: 'https://shop.example.com/tea.png' },
          { amount: null, description: null, quantity: null, image: null },
        ],
        email: 'taro@example.com',
        metadata: { a: 'x', b: 1.5, c: true },
        merchant_name: 'Test shop',
        created_at: '2030-01-02T03:00:00Z',
        completed_at: null,
        cancelled_at: null,
      }),
    )
    expect((await api.request('GET /events', { key: merchant.secret_key })).body.total).toBe(0)
    expect((await api.request('GET /payments', { key: merchant.secret_key })).body.total).toBe(0)
  })

  test('offers all payment types of its currency by default', async () => {
    const types = async (fields: object): Promise<string[]> =>
      (await create(fields)).body.payment_methods.map(({ type }: { type: string }) => type)
    expect(await types({})).toEqual(payment_types)
    expect(await types({ payment_types: [] })).toEqual(payment_types)
    const in_dollars = payment_types.filter((type) => !['konbini', 'pay_easy', 'bank_transfer'].includes(type))
    expect(await types({ currency: 'USD' })).toEqual(in_dollars)
    expect(await types({ mode: 'customer' })).toEqual(['credit_card'])
    expect(await types({ payment_types: ['paypay', 'credit_card', 'paypay'] })).toEqual(['paypay', 'credit_card'])
    const mixed = ['barter', 'konbini', 'dokan', 'paypay', 'credit_card']
    expect(await types({ payment_types: mixed, currency: 'USD' })).toEqual(['paypay', 'credit_card'])
  })

  test('applies the documented defaults', async () => {
    expect((await create()).body).toMatchObject({
      mode: 'payment',
      return_url: null,
      default_locale: 'ja',
      email: null,
      line_items: [],
      metadata: {},
    })
  })

  test('accepts the amount and the currency in payment_data', async () => {
    const json = { payment_data: { amount: 700, currency: 'USD', tax: 'auto' } }
    const { body } = await api.request('POST /sessions', { json })
    expect(body).toMatchObject({ amount: 700, currency: 'USD' })
    expect(body.payment_methods[0]).toEqual(onSite('credit_card', card_brands, 0, 770, 'USD'))
  })

  test('accepts a form in the format of shop plugins', async () => {
    const { status, body } = await api.request('POST /sessions', {
      form: [
        ['amount', '1000'],
        ['currency', 'JPY'],
        ['payment_types[]', 'konbini'],
        ['payment_types[]', 'credit_card'],
        ['line_items[0][description]', 'tea'],
        ['line_items[0][quantity]', '2'],
        ['payment_data[capture]', 'manual'],
        ['payment_data[external_order_num]', 'order-7'],
        ['expires_in_seconds', '60'],
      ],
    })
    expect(status).toBe(200)
    expect(body.line_items).toEqual([{ amount: null, description: 'tea', quantity: 2, image: null }])
    expect(body.payment_methods).toHaveLength(2)
  })

  test('creates a session in mode customer without a price', async () => {
    const { status, body } = await api.request('POST /sessions', { json: { mode: 'customer' } })
    expect(status).toBe(200)
    expect(body).toMatchObject({ mode: 'customer', amount: null, currency: null })
    expect(body.payment_methods).toEqual([onSite('credit_card', card_brands, 0, null, null)])
  })

  test('adds up line items, keeps an app link and ignores images that are no web pages', async () => {
    const { status, body } = await api.request('POST /sessions', {
      json: {
        ...{ currency: 'JPY', return_url: 'myapp://done', default_locale: 'en_US', external_order_num: 'order-8' },
        line_items: [{ amount: 333, quantity: 1.5, image: '/tea.png' }, { amount: 100 }],
      },
    })
    expect(status).toBe(200)
    expect(body).toMatchObject({ amount: 600, return_url: 'myapp://done', default_locale: 'en' })
    expect(body.line_items[0]).toEqual({ amount: 333, description: null, quantity: 1.5, image: null })
    const paid = await api.request(`POST /sessions/${body.id}/pay`, { json: { payment_details: card() } })
    expect(paid.body).toMatchObject({
      redirect_url: `myapp://done?session_id=${body.id}`,
      payment: { external_order_num: 'order-8' },
    })
    const page = await (await fetch(body.session_url)).text()
    expect(page).toContain(`content="0;url=myapp://done?session_id=${body.id}"`)
  })

  test('shows the name of the account as merchant_name', async () => {
    const account = await anAccount(api)
    const { key } = (await api.request(`POST /accounts/${account.id}/keys`, { json: { kind: 'secret' } })).body
    const { body } = await create({}, key)
    expect(body.merchant_name).toBe(account.name)
    expect(await (await fetch(body.session_url)).text()).toContain(account.name)
  })

  test('names the customer of the session, whose stored card it offers', async () => {
    const { id: customer } = (await api.request('POST /customers', { json: { payment_details: card() } })).body
    const { body } = await create({ customer })
    expect(body.customer_id).toBe(customer)
    expect((await api.request(`GET /sessions/${body.id}`)).body.customer_id).toBe(customer)
  })

  test('refuses an unknown customer, one of another merchant, and a customer in mode customer', async () => {
    const { secret_key: key } = (await api.newMerchants()).test
    const json = { payment_details: card() }
    const { id: other } = (await api.request('POST /customers', { json, key })).body
    const { id: own } = (await api.request('POST /customers', { json })).body
    for (const fields of [
      ...['cus_none', other, 'x'.repeat(256), 7].map((customer) => ({ customer })),
      { customer: own, mode: 'customer' },
    ]) {
      const reply = await create(fields)
      expect(reply.status).toBe(422)
      expect(reply.body.error).toMatchObject({ code: 'invalid_parameter', param: 'customer' })
    }
    await api.request(`DELETE /customers/${own}`)
    expect((await create({ customer: own })).body.error.param).toBe('customer')
  })

  test('shows the display name of the account as merchant_name, if it has one', async () => {
    const { body: made } = await api.request('POST /_local/merchants', { json: { name: 'Plain' }, key: null })
    const { secret_key } = made.test
    expect((await create({}, secret_key)).body.merchant_name).toBe('Plain')
    const json = { display_name: 'Shown' }
    await api.request(`PATCH /accounts/${made.account}`, { json, key: made.live.secret_key })
    expect((await create({}, secret_key)).body.merchant_name).toBe('Shown')
  })

  test('encrypts the secret of a webhook and never shows it', async () => {
    const webhooks = [{ url: 'https://shop.example.com/hook', events: ['payment.captured'], secret_key: 'canary-9' }]
    const { status, text } = await create({ payment_data: { webhooks } })
    expect(status).toBe(200)
    expect(text).not.toContain('canary-9')
    expect(allKept(api)).not.toContain('canary-9')
  })

  test.each([
    [{ amount: undefined }, 'missing_parameter', 'amount'],
    [{ currency: undefined }, 'missing_parameter', 'currency'],
    [{ amount: 0 }, 'invalid_parameter', 'amount'],
    [{ amount: 9_999_999_999, payment_data: { tax: 1 } }, 'invalid_parameter', 'amount'],
    [{ currency: 'YEN' }, 'invalid_currency', 'currency'],
    [{ mode: 'setup' }, 'invalid_parameter', 'mode'],
    [{ default_locale: 'fr' }, 'invalid_parameter', 'default_locale'],
    [{ return_url: 'javascript:alert(1)' }, 'invalid_parameter', 'return_url'],
    [{ return_url: '/done' }, 'invalid_parameter', 'return_url'],
    [{ return_url: 'intent://pay#Intent;end' }, 'invalid_parameter', 'return_url'],
    [{ payment_types: ['barter'] }, 'invalid_payment_type', 'payment_types'],
    [{ payment_types: ['konbini'], currency: 'USD' }, 'invalid_payment_type', 'payment_types'],
    [{ payment_types: ['konbini'], mode: 'customer' }, 'invalid_payment_type', 'payment_types'],
    [{ expires_in_seconds: 86_401 }, 'invalid_parameter', 'expires_in_seconds'],
    [{ expires_in_seconds: 0 }, 'invalid_parameter', 'expires_in_seconds'],
    [{ line_items: [{}, { quantity: -1 }] }, 'invalid_parameter', 'line_items[1][quantity]'],
    [{ line_items: [{ quantity: 0 }] }, 'invalid_parameter', 'line_items[0][quantity]'],
    [{ line_items: [{ quantity: 5e-324 }] }, 'invalid_parameter', 'line_items[0][quantity]'],
    [{ amount: undefined, line_items: [{ amount: 0 }] }, 'invalid_parameter', 'amount'],
    [{ metadata: { a: [] } }, 'invalid_parameter', 'metadata[a]'],
    [{ payment_data: { amount: 999 } }, 'invalid_parameter', 'payment_data[amount]'],
    [{ payment_data: { currency: 'USD' } }, 'invalid_parameter', 'payment_data[currency]'],
    [{ payment_data: { capture: true } }, 'invalid_parameter', 'payment_data[capture]'],
    [{ payment_data: { tax: -1 } }, 'invalid_parameter', 'payment_data[tax]'],
    [
      { payment_data: { webhooks: [{ url: 'http://169.254.169.254/', events: ['payment.captured'] }] } },
      'invalid_parameter',
      'payment_data[webhooks][0][url]',
    ],
    [
      { payment_data: { webhooks: [{ url: 'https://shop.example.com', events: [] }] } },
      'invalid_parameter',
      'payment_data[webhooks][0][events]',
    ],
  ])('refuses %j with %s of %s', async (fields, code, param) => {
    expect(refusalIn(await create(fields))).toEqual({ status: 422, code, param })
  })

  test('refuses a publishable key', async () => {
    expect((await create({}, api.test.publishable_key)).status).toBe(403)
  })

  test('creates one session for an Idempotency-Key and replays the response', async () => {
    const send = () => api.request('POST /sessions', { json: order, headers: { 'idempotency-key': 'one session' } })
    const first = await send()
    const again = await send()
    expect(again.text).toBe(first.text)
    expect(again.headers.get('idempotent-replayed')).toBe('true')
  })

  test('omits payment types whose fee exceeds the largest amount, and refuses them if the request names them', async () => {
    const largest = { amount: 9_999_999_999, currency: 'JPY' }
    const { body } = await api.request('POST /sessions', { json: largest })
    const types = body.payment_methods.map(({ type }: { type: string }) => type)
    expect(types).toContain('bank_transfer')
    expect(types).not.toContain('konbini')
    const refused = await api.request('POST /sessions', { json: { ...largest, payment_types: ['konbini'] } })
    expect(refusalIn(refused)).toEqual({ status: 422, code: 'invalid_parameter', param: 'amount' })
  })

  test('accepts 100 line items with the longest description, and refuses them if their characters are too large', async () => {
    const items = (letter: string) => Array.from({ length: 100 }, () => ({ description: letter.repeat(2_000) }))
    const { status, body } = await api.request('POST /sessions', { json: { ...order, line_items: items('x') } })
    expect([status, body.line_items[99].description]).toEqual([200, 'x'.repeat(2_000)])
    const page = await fetch(body.session_url)
    expect(page.status).toBe(200)
    const refused = await api.request('POST /sessions', { json: { ...order, line_items: items('茶') } })
    expect(refusalIn(refused)).toEqual({ status: 422, code: 'unprocessable_entity', param: null })
    expect(refused.body.error.message).toContain('Send fewer or shorter texts')
  })

  test('refuses metadata that makes the session too large to be kept', async () => {
    const json = { ...order, metadata: largeMetadata(TOO_LARGE_BYTES) }
    const reply = await api.request('POST /sessions', { json })
    expect(refusalIn(reply)).toEqual({ status: 422, code: 'unprocessable_entity', param: null })
  })

  test('refuses a session in live mode without an acquirer, except in mode customer', async () => {
    const closed = await openApi({ around: withoutAcquirer })
    const key = closed.live.secret_key
    const refused = await closed.request('POST /sessions', { json: order, key })
    const leaving = await closed.request('POST /sessions', { json: { mode: 'customer' }, key })
    await closed.close()
    expect(refusalIn(refused)).toMatchObject({ status: 503, code: 'service_unavailable' })
    expect(leaving.status).toBe(200)
  })
})
