import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { refusalIn } from '#test/faults/witness.ts'
import { type Api, card, openApi } from '#test/fixtures/api.ts'

let api: Api
beforeAll(async () => {
  api = await openApi()
})
afterAll(() => api.close())

describe('GET /events/:id', () => {
  test('returns the event with the resource as it was at the time of the event', async () => {
    const json = { amount: 100, currency: 'JPY', payment_details: card(), metadata: { a: 1 } }
    const { body: payment } = await api.request('POST /payments', { json })
    await api.advance(60)
    await api.request(`PATCH /payments/${payment.id}`, { json: { metadata: { b: 2 } } })
    await api.request(`POST /payments/${payment.id}/refund`)
    const captured = (await api.request('GET /events?type=payment.captured')).body.data[0]
    const { status, text } = await api.request(`GET /events/${captured.id}`)
    expect(status).toBe(200)
    expect(captured.id).toMatch(/^evt_/)
    expect(text).toBe(
      JSON.stringify({
        id: captured.id,
        type: 'payment.captured',
        resource: 'event',
        data: payment,
        created_at: '2030-01-02T03:00:00Z',
      }),
    )
  })

  test('answers 404 for an unknown id and for an event of another mode', async () => {
    await api.request('POST /customers', { json: { payment_details: card() } })
    const { id } = (await api.request('GET /events')).body.data[0]
    expect((await api.request(`GET /events/${id}`)).status).toBe(200)
    for (const reply of [
      await api.request('GET /events/evt_1'),
      await api.request(`GET /events/${id}`, { key: api.live.secret_key }),
    ])
      expect(refusalIn(reply)).toEqual({ status: 404, code: 'not_found', param: null })
  })
})
