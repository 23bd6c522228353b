import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eventsOf, refusalIn } from '#test/faults/witness.ts'
import { type Api, card, openApi } from '#test/fixtures/api.ts'
import { largeMetadata, TOO_LARGE_BYTES } from '#test/fixtures/large-metadata.ts'

let api: Api
beforeAll(async () => {
  api = await openApi()
})
afterAll(() => api.close())

const noted = { description: 'tea', external_order_num: 'A', metadata: { a: '1', b: 2 } }
const make = async (fields: object = {}) => {
  const json = { amount: 100, currency: 'JPY', payment_details: card(), ...noted, ...fields }
  const { body } = await api.request('POST /payments', { json })
  return body.id ? body : (await api.request(`GET /payments/${body.error.details.payment}`)).body
}
const patch = (id: string, json: object) => api.request(`PATCH /payments/${id}`, { json })

describe('PATCH /payments/:id', () => {
  test('returns the payment and emits payment.updated with it', async () => {
    const before = await make()
    const { status, text, body } = await patch(before.id, { description: 'coffee' })
    expect(status).toBe(200)
    expect(text).toBe(JSON.stringify({ ...before, description: 'coffee' }))
    expect(await eventsOf(api, before.id)).toMatchObject([
      { type: 'payment.captured', data: before },
      { type: 'payment.updated', data: body },
    ])
    expect((await api.request(`GET /payments/${before.id}`)).text).toBe(text)
  })

  test.each([
    [{ metadata: { c: true } }, { metadata: { c: true } }],
    [{ metadata: {} }, { metadata: {} }],
    [{ metadata: null }, { metadata: {} }],
    [
      { description: null, external_order_num: '' },
      { description: null, external_order_num: null },
    ],
    [{ external_order_num: 'B' }, { external_order_num: 'B' }],
    [{}, {}],
    [{ amount: 1, status: 'refunded', customer: 'cus_1', locale: 'ko', tax: 'x', unknown: {} }, {}],
  ])('applies the update %j', async (json, expected) => {
    const before = await make()
    expect((await patch(before.id, json)).body).toEqual({ ...before, ...expected })
  })

  test('accepts a form', async () => {
    const { id } = await make()
    const { body } = await api.request(`PATCH /payments/${id}`, { form: { 'metadata[n]': '10', description: '' } })
    expect(body).toMatchObject({ metadata: { n: '10' }, description: null, external_order_num: 'A' })
  })

  test('updates a failed payment and an authorized one without a change of status', async () => {
    const refused = await make({ payment_details: card('4123111111111000') })
    const held = await make({ capture: false })
    for (const { id, status } of [refused, held])
      expect((await patch(id, { description: 'x' })).body).toMatchObject({ status, description: 'x' })
  })

  test('applies both of two concurrent updates', async () => {
    const { id } = await make()
    await Promise.all([patch(id, { description: 'x' }), patch(id, { external_order_num: 'y' })])
    expect((await api.request(`GET /payments/${id}`)).body).toMatchObject({ description: 'x', external_order_num: 'y' })
  })

  test.each([
    [{ description: 5 }, 'description'],
    [{ external_order_num: 'x'.repeat(256) }, 'external_order_num'],
    [{ metadata: 'x' }, 'metadata'],
    [{ metadata: Object.fromEntries(Array.from({ length: 51 }, (_, n) => [n, n])) }, 'metadata'],
    [{ metadata: { ['k'.repeat(41)]: 1 } }, 'metadata'],
    [{ metadata: { a: 'v'.repeat(2001) } }, 'metadata[a]'],
    [{ metadata: { a: {} } }, 'metadata[a]'],
  ])('refuses %j and changes nothing', async (json, param) => {
    const before = await make()
    expect(refusalIn(await patch(before.id, json))).toEqual({ status: 422, code: 'invalid_parameter', param })
    expect((await api.request(`GET /payments/${before.id}`)).body).toEqual(before)
  })

  test('refuses metadata that makes the payment too large to be kept, and changes nothing', async () => {
    const before = await make()
    const reply = await patch(before.id, { metadata: largeMetadata(TOO_LARGE_BYTES) })
    expect(refusalIn(reply)).toEqual({ status: 422, code: 'unprocessable_entity', param: null })
    expect((await api.request(`GET /payments/${before.id}`)).body).toEqual(before)
  })

  test('answers 404 for an unknown id and for a payment of another mode', async () => {
    const { id } = await make()
    expect(refusalIn(await patch('pay_1', {})).status).toBe(404)
    const reply = await api.request(`PATCH /payments/${id}`, { key: api.live.secret_key, json: { description: 'x' } })
    expect(refusalIn(reply)).toMatchObject({ status: 404, code: 'not_found' })
  })
})
