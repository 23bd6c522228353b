import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eventsOf, itemsOf } from '#test/faults/witness.ts'
import { type Api, card, konbini, openApi } from '#test/fixtures/api.ts'
import { largeMetadata, TOO_LARGE_BYTES } from '#test/fixtures/large-metadata.ts'

let api: Api
beforeAll(async () => {
  api = await openApi()
})
afterAll(() => api.close())

const master = { type: 'credit_card', brand: 'master', last_four_digits: '4444', month: 12, year: 2035 }

const make = async (fields: object = {}) =>
  (await api.request('POST /customers', { json: { payment_details: card(), ...fields } })).body

const patch = (id: string, json: object) => api.request(`PATCH /customers/${id}`, { json })

const charge = async (customer: string) =>
  (await api.request('POST /payments', { json: { amount: 100, currency: 'JPY', customer } })).body

describe('PATCH /customers/:id', () => {
  test('changes the fields of the request, keeps the others, and emits customer.updated with the result', async () => {
    const before = await make({ email: 'a@example.com', currency: 'USD', metadata: { a: '1', b: 2 } })
    await api.advance(60)
    const { status, text, body } = await patch(before.id, { metadata: { c: true }, currency: 'EUR' })
    expect(status).toBe(200)
    expect(text).toBe(JSON.stringify({ ...before, metadata: { c: true } }))
    expect(await eventsOf(api, before.id)).toMatchObject([
      { type: 'customer.created', data: before },
      { type: 'customer.updated', data: body },
    ])
    expect(itemsOf(api, 'customer').find(({ pk }) => pk.endsWith(before.id))).toMatchObject({ currency: 'EUR' })
    expect((await api.request(`GET /customers/${before.id}`)).text).toBe(text)
  })

  test.each([
    [{ email: 'b@example.com' }, { email: 'b@example.com', metadata: { a: '1' } }],
    [{ email: null }, { email: null, metadata: { a: '1' } }],
    [{ email: '' }, { email: null, metadata: { a: '1' } }],
    [{ metadata: null }, { email: 'a@example.com', metadata: {} }],
    [{ metadata: { a: '' } }, { email: 'a@example.com', metadata: { a: '' } }],
    [{}, { email: 'a@example.com', metadata: { a: '1' } }],
    [
      { id: 'cus_2', source: null, created_at: 'x', unknown: 1 },
      { email: 'a@example.com', metadata: { a: '1' } },
    ],
  ])('accepts the update %j', async (json, expected) => {
    const before = await make({ email: 'a@example.com', metadata: { a: '1' } })
    const { status, body } = await patch(before.id, json)
    expect([status, body]).toEqual([200, { ...before, ...expected }])
  })

  test('replaces the source by payment details, which later payments charge', async () => {
    const { id, email } = await make({ email: 'a@example.com' })
    const { body } = await patch(id, { payment_details: { ...card('5555555555554444'), email: 'b@example.com' } })
    expect(body).toMatchObject({ source: master, email })
    expect((await charge(id)).payment_details).toMatchObject({ brand: 'master', last_four_digits: '4444' })
  })

  test('replaces the source by a token and consumes the token', async () => {
    const { id } = await make()
    const { body: token } = await api.request('POST /tokens', { json: { payment_details: card('5555555555554444') } })
    expect((await patch(id, { payment_details: token.id })).body.source).toEqual(master)
    const again = await patch(id, { payment_details: token.id })
    expect([again.status, again.body.error]).toMatchObject([422, { code: 'invalid_token', param: 'payment_details' }])
  })

  test('removes the source and erases the card if payment_details is null, and accepts new payment details later', async () => {
    const { id } = await make()
    const cards = () => itemsOf(api, 'card').filter(({ pk }) => pk.endsWith(id))
    expect(cards()).toHaveLength(1)
    expect((await patch(id, { payment_details: null })).body.source).toBeNull()
    expect(cards()).toEqual([])
    expect((await charge(id)).error).toMatchObject({ code: 'unprocessable_entity', param: 'customer' })
    expect((await patch(id, { payment_details: null })).status).toBe(200)
    expect((await patch(id, { payment_details: konbini })).body.source.type).toBe('konbini')
    expect(cards()).toHaveLength(1)
    expect((await charge(id)).status).toBe('authorized')
  })

  test('accepts a form', async () => {
    const { id } = await make({ email: 'a@example.com' })
    const { body } = await api.request(`PATCH /customers/${id}`, { form: { 'metadata[size]': '10', email: '' } })
    expect(body).toMatchObject({ email: null, metadata: { size: '10' }, source: { brand: 'visa' } })
  })

  test('applies both of two concurrent updates', async () => {
    const { id } = await make()
    const replies = await Promise.all([patch(id, { email: 'z@example.com' }), patch(id, { metadata: { z: 1 } })])
    expect(replies.map(({ status }) => status)).toEqual([200, 200])
    const { body } = await api.request(`GET /customers/${id}`)
    expect(body).toMatchObject({ email: 'z@example.com', metadata: { z: 1 } })
  })

  test.each([
    [{ email: 'taro' }, 'invalid_parameter', 'email'],
    [{ currency: 'YEN' }, 'invalid_currency', 'currency'],
    [{ metadata: { a: [] } }, 'invalid_parameter', 'metadata[a]'],
    [{ payment_details: 'tok_1' }, 'invalid_token', 'payment_details'],
    [{ payment_details: card('1') }, 'invalid_parameter', 'payment_details[number]'],
    [{ payment_details: { ...card(), number: undefined } }, 'missing_parameter', 'payment_details[number]'],
    [{ payment_details: { type: 'barter' } }, 'invalid_payment_type', 'payment_details[type]'],
    [{ payment_details: { ...card(), year: 2029 } }, 'invalid_parameter', 'payment_details[year]'],
  ])('refuses %j with %s of %s and changes nothing', async (json, code, param) => {
    const before = await make()
    const { status, body } = await patch(before.id, json)
    expect({ status, code: body.error.code, param: body.error.param }).toEqual({ status: 422, code, param })
    expect((await api.request(`GET /customers/${before.id}`)).body).toEqual(before)
    expect(await eventsOf(api, before.id)).toHaveLength(1)
  })

  test('refuses metadata that makes the customer too large to be kept, and changes nothing', async () => {
    const before = await make()
    const { status, body } = await patch(before.id, { metadata: largeMetadata(TOO_LARGE_BYTES) })
    expect([status, body.error]).toMatchObject([422, { code: 'unprocessable_entity', param: null }])
    expect((await api.request(`GET /customers/${before.id}`)).body).toEqual(before)
  })

  test('answers 404 for an unknown id and for a customer of another mode', async () => {
    const { id } = await make()
    expect((await patch('cus_1', {})).status).toBe(404)
    const reply = await api.request(`PATCH /customers/${id}`, { key: api.live.secret_key, json: {} })
    expect([reply.status, reply.body.error.code]).toEqual([404, 'not_found'])
  })
})
