import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eventsOf, itemsOf } from '#test/faults/witness.ts'
import { type Api, card, openApi } from '#test/fixtures/api.ts'

let api: Api
beforeAll(async () => {
  api = await openApi()
})
afterAll(() => api.close())

const make = async (fields: object = {}) =>
  (await api.request('POST /customers', { json: { payment_details: card(), email: 'a@example.com', ...fields } })).body

describe('DELETE /customers/:id', () => {
  test('returns the customer without its source, emits customer.deleted with it, and erases its records', async () => {
    const before = await make({ metadata: { a: 1 } })
    await api.request('POST /payments', { json: { amount: 100, currency: 'JPY', customer: before.id } })
    const { status, text, body } = await api.request(`DELETE /customers/${before.id}`)
    expect(status).toBe(200)
    expect(text).toBe(JSON.stringify({ ...before, source: null }))
    expect((await eventsOf(api, before.id)).at(-1)).toMatchObject({ type: 'customer.deleted', data: body })
    for (const kind of ['customer', 'card'])
      expect(itemsOf(api, kind).filter(({ pk }) => pk.includes(before.id))).toEqual([])
  })

  test('hides the customer from every endpoint', async () => {
    const { id } = await make()
    const kept = await make()
    await api.request(`DELETE /customers/${id}`)
    for (const route of [`GET /customers/${id}`, `PATCH /customers/${id}`, `DELETE /customers/${id}`]) {
      const reply = await api.request(route)
      expect([reply.status, reply.body.error.code]).toEqual([404, 'not_found'])
    }
    for (const route of ['GET /customers', 'GET /customers?email=a@example.com']) {
      const ids = (await api.request(route)).body.data.map((customer: { id: string }) => customer.id)
      expect(ids).toContain(kept.id)
      expect(ids).not.toContain(id)
    }
    const charge = await api.request('POST /payments', { json: { amount: 100, currency: 'JPY', customer: id } })
    expect([charge.status, charge.body.error]).toMatchObject([422, { code: 'invalid_parameter', param: 'customer' }])
  })

  test("keeps the customer's payments unchanged", async () => {
    const { id } = await make()
    const { body } = await api.request('POST /payments', { json: { amount: 100, currency: 'JPY', customer: id } })
    await api.request(`DELETE /customers/${id}`)
    expect((await api.request(`GET /payments/${body.id}`)).body).toEqual(body)
    expect((await api.request(`GET /payments?customer=${id}`)).body.total).toBe(1)
  })

  test('deletes a customer without a source', async () => {
    const { id } = await make()
    await api.request(`PATCH /customers/${id}`, { json: { payment_details: null } })
    expect((await api.request(`DELETE /customers/${id}`)).body).toMatchObject({ id, source: null })
  })

  test('deletes a customer once when two requests are concurrent', async () => {
    const { id } = await make()
    const replies = await Promise.all([1, 2].map(() => api.request(`DELETE /customers/${id}`)))
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 404])
    expect(await eventsOf(api, id)).toHaveLength(2)
  })

  test('answers 404 for a customer of another merchant and keeps that customer', async () => {
    const { id } = await make()
    expect((await api.request(`DELETE /customers/${id}`, { key: api.live.secret_key })).status).toBe(404)
    expect((await api.request(`GET /customers/${id}`)).status).toBe(200)
  })
})
