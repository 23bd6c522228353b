import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { allKept, eventsOf, itemsOf } from '#test/faults/witness.ts'
import { type Api, card, konbini, openApi } from '#test/fixtures/api.ts'
import { largeMetadata, TOO_LARGE_BYTES } from '#test/fixtures/large-metadata.ts'

let api: Api
beforeAll(async () => {
  api = await openApi()
})
afterAll(() => api.close())

const create = (json: object) => api.request('POST /customers', { json })

const visa = { type: 'credit_card', brand: 'visa', last_four_digits: '1111', month: 12, year: 2035 }

describe('POST /customers', () => {
  test('returns the customer and emits customer.created with it', async () => {
    const { status, text, body } = await create({
      payment_details: card(),
      currency: 'USD',
      email: 'hanako@example.com',
      metadata: { vip: true, level: 3, note: '' },
    })
    expect(status).toBe(200)
    expect(body.id).toMatch(/^cus_/)
    expect(text).toBe(
      JSON.stringify({
        id: body.id,
        resource: 'customer',
        email: 'hanako@example.com',
        source: visa,
        metadata: { vip: true, level: 3, note: '' },
        created_at: '2030-01-02T03:00:00Z',
      }),
    )
    expect(await eventsOf(api, body.id)).toMatchObject([{ type: 'customer.created', data: body }])
    expect(itemsOf(api, 'customer').find(({ pk }) => pk.endsWith(body.id))).toMatchObject({ currency: 'USD' })
  })

  test.each([
    ['the given address', { email: 'a@example.com', payment_details: konbini }, 'a@example.com'],
    ['absent: the address of the payment details', { payment_details: konbini }, 'taro@example.com'],
    ['empty: the address of the payment details', { email: '', payment_details: konbini }, 'taro@example.com'],
    ['null, and the payment details have none', { email: null, payment_details: card() }, null],
  ])('sets the e-mail address: %s', async (_, json, email) => {
    expect((await create(json)).body.email).toBe(email)
  })

  test('shows a source other than a card with its type only', async () => {
    const { body } = await create({ payment_details: konbini })
    expect(JSON.stringify(body.source)).toBe(
      JSON.stringify({ type: 'konbini', brand: null, last_four_digits: null, month: null, year: null }),
    )
    expect(body.metadata).toEqual({})
  })

  test('accepts a token and consumes it', async () => {
    const { body: token } = await api.request('POST /tokens', { json: { payment_details: card() } })
    const first = await create({ payment_details: token.id })
    expect(first.body.source).toEqual(visa)
    const second = await create({ payment_details: token.id })
    expect(second.status).toBe(422)
    expect(second.body.error).toMatchObject({ code: 'invalid_token', param: 'payment_details' })
    const charge = { json: { amount: 100, currency: 'JPY', customer: first.body.id } }
    expect((await api.request('POST /payments', charge)).body.status).toBe('captured')
  })

  test('creates one customer when two concurrent requests use the same token', async () => {
    const { body: token } = await api.request('POST /tokens', { json: { payment_details: card() } })
    const statuses = (await Promise.all([1, 2].map(() => create({ payment_details: token.id })))).map((r) => r.status)
    expect(statuses.toSorted()).toEqual([200, 422])
  })

  test('stores a card without calling the acquirer, so a card that is declined later can be stored', async () => {
    const { status, body } = await create({ payment_details: card('4123111111111059') })
    expect(status).toBe(200)
    expect(itemsOf(api, 'sandbox').filter(({ pk }) => pk.includes(body.id))).toEqual([])
    const charged = await api.request('POST /payments', { json: { amount: 1, currency: 'JPY', customer: body.id } })
    expect(charged.body.error.code).toBe('card_declined')
  })

  test('accepts a form', async () => {
    const { body } = await api.request('POST /customers', {
      form: {
        'payment_details[type]': 'paypay',
        'payment_details[email]': 'taro@example.com',
        'metadata[size]': '10',
        email: '',
      },
    })
    expect(body).toMatchObject({ email: 'taro@example.com', metadata: { size: '10' }, source: { type: 'paypay' } })
  })

  test('stores no card data in plain text', async () => {
    await create({ payment_details: { ...card('378282246310005'), verification_value: '8642', name: 'Canary Bird' } })
    expect(allKept(api)).not.toMatch(/378282246310005|8642"|Canary Bird/)
  })

  test.each([
    [{}, 'missing_parameter', 'payment_details'],
    [{ payment_details: null }, 'invalid_parameter', 'payment_details'],
    [{ payment_details: 'tok_unknown' }, 'invalid_token', 'payment_details'],
    [{ payment_details: { ...card(), year: 2029 } }, 'invalid_parameter', 'payment_details[year]'],
    [{ payment_details: { type: 'barter' } }, 'invalid_payment_type', 'payment_details[type]'],
    [{ payment_details: card(), email: 'taro' }, 'invalid_parameter', 'email'],
    [{ payment_details: card(), currency: 'yen' }, 'invalid_currency', 'currency'],
    [{ payment_details: card(), metadata: { a: {} } }, 'invalid_parameter', 'metadata[a]'],
    [{ payment_details: card(), metadata: ['a'] }, 'invalid_parameter', 'metadata'],
  ])('refuses %j with %s of %s', async (json, code, param) => {
    const { status, body } = await create(json)
    expect({ status, code: body.error.code, param: body.error.param }).toEqual({ status: 422, code, param })
  })

  test('refuses metadata that makes the customer too large to be kept', async () => {
    const { status, body } = await create({ payment_details: card(), metadata: largeMetadata(TOO_LARGE_BYTES) })
    expect([status, body.error]).toMatchObject([422, { code: 'unprocessable_entity', param: null }])
  })
})
