import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { refusalIn } from '#test/faults/witness.ts'
import { type Api, card, openApi } from '#test/fixtures/api.ts'

let api: Api
beforeAll(async () => {
  api = await openApi()
})
afterAll(() => api.close())

const order = { amount: 100, currency: 'JPY', payment_details: card() }

describe('GET /payments/:id', () => {
  test('returns the same payment as its creation', async () => {
    const made = await api.request('POST /payments', { json: order })
    const shown = await api.request(`GET /payments/${made.body.id}`)
    expect([shown.status, shown.text]).toEqual([200, made.text])
  })

  test('answers 404 for an unknown id and for ids of another merchant or of the other mode', async () => {
    const { test: other } = await api.newMerchants()
    const { body } = await api.request('POST /payments', { json: order })
    const asked = [
      api.request('GET /payments/pay_1'),
      api.request('GET /payments/%00'),
      api.request(`GET /payments/${body.id.toUpperCase()}`),
      api.request(`GET /payments/${body.id}`, { key: other.secret_key }),
      api.request(`GET /payments/${body.id}`, { key: api.live.secret_key }),
    ]
    for (const reply of await Promise.all(asked))
      expect(refusalIn(reply)).toEqual({ status: 404, code: 'not_found', param: null })
  })
})
