import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Api, card, openApi } from '#test/fixtures/api.ts'

let api: Api
beforeAll(async () => {
  api = await openApi()
})
afterAll(() => api.close())

describe('GET /customers/:id', () => {
  test('returns the same customer as its creation', async () => {
    const made = await api.request('POST /customers', { json: { payment_details: card(), email: 'a@example.com' } })
    const shown = await api.request(`GET /customers/${made.body.id}`)
    expect([shown.status, shown.text]).toEqual([200, made.text])
  })

  test('answers 404 for an unknown id and for ids of another merchant or of the other mode', async () => {
    const { test: other } = await api.newMerchants()
    const { body } = await api.request('POST /customers', { json: { payment_details: card() } })
    const asked = [
      api.request('GET /customers/cus_1'),
      api.request('GET /customers/x%23y'),
      api.request(`GET /customers/${'c'.repeat(3000)}`),
      api.request(`GET /customers/${body.id}`, { key: other.secret_key }),
      api.request(`GET /customers/${body.id}`, { key: api.live.secret_key }),
    ]
    for (const reply of await Promise.all(asked))
      expect([reply.status, reply.body.error?.code]).toEqual([404, 'not_found'])
  })
})
