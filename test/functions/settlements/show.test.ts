import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eventsOf, refusalIn } from '#test/faults/witness.ts'
import { type Api, card, openApi } from '#test/fixtures/api.ts'

let api: Api
let id: string
beforeAll(async () => {
  api = await openApi()
  const order = { amount: 1001, currency: 'JPY', payment_details: card() }
  const { body: payment } = await api.request('POST /payments', { json: order })
  await api.request(`POST /payments/${payment.id}/refund`, { json: { amount: 300 } })
  await api.advance(7 * 86_400)
  id = (await api.request('GET /settlements')).body.data[0].id
})
afterAll(() => api.close())

describe('GET /settlements/:id', () => {
  test('returns the same settlement as the event settlement.created', async () => {
    const { status, text, body } = await api.request(`GET /settlements/${id}`)
    expect(status).toBe(200)
    expect(text).toBe(
      JSON.stringify({
        id,
        resource: 'settlement',
        currency: 'JPY',
        period_start: '2029-12-30T15:00:00Z',
        period_end: '2030-01-06T15:00:00Z',
        gross: 1001,
        fees: 36,
        refunds: 300,
        net: 665,
        payments: 1,
        created_at: '2030-01-06T15:10:00Z',
      }),
    )
    expect(id).toMatch(/^stl_/)
    expect(await eventsOf(api, id)).toMatchObject([{ type: 'settlement.created', data: body }])
  })

  test('answers 404 for an unknown id and for a settlement of another merchant or mode', async () => {
    const { test: somebody } = await api.newMerchants()
    const asked = [
      api.request('GET /settlements/stl_1'),
      api.request(`GET /settlements/${id}`, { key: somebody.secret_key }),
      api.request(`GET /settlements/${id}`, { key: api.live.secret_key }),
    ]
    for (const reply of await Promise.all(asked))
      expect(refusalIn(reply)).toEqual({ status: 404, code: 'not_found', param: null })
  })
})
