import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { itemsOf, refusalIn } from '#test/faults/witness.ts'
import { type Api, card, openApi } from '#test/fixtures/api.ts'
import { openReceiver, type Receiver } from '#test/fixtures/receiver.ts'

let api: Api
let receiver: Receiver
beforeAll(async () => {
  api = await openApi()
  receiver = await openReceiver()
})
afterAll(async () => {
  await api.close()
  await receiver.close()
})

const make = async () => {
  const json = { url: `${receiver.origin}/hook`, event_list: ['customer.created'], secret_token: 's' }
  return (await api.request('POST /webhooks', { json })).body
}

describe('DELETE /webhooks/:id', () => {
  test('returns the webhook and erases it with its secret', async () => {
    const made = await make()
    const { status, body } = await api.request(`DELETE /webhooks/${made.id}`)
    expect([status, body]).toEqual([200, made])
    expect((await api.request(`GET /webhooks/${made.id}`)).status).toBe(404)
    expect((await api.request(`DELETE /webhooks/${made.id}`)).status).toBe(404)
    expect(itemsOf(api, 'webhook').filter(({ pk }) => pk.endsWith(made.id))).toEqual([])
    expect((await api.request('GET /webhooks')).body.total).toBe(0)
  })

  test('fails the pending deliveries, keeps them readable, and delivers no later events', async () => {
    receiver.says = () => 500
    const { id } = await make()
    await api.advance(0)
    await api.request('POST /customers', { json: { payment_details: card() } })
    await api.advance(0)
    const calls = receiver.received.length
    expect(calls).toBe(2)
    await api.request(`DELETE /webhooks/${id}`)
    await api.request('POST /customers', { json: { payment_details: card() } })
    await api.advance(86_400)
    expect(receiver.received).toHaveLength(calls)
    const { body } = await api.request(`GET /deliveries?webhook=${id}`)
    expect(body.data.map((each: { event_type: string }) => each.event_type).sort()).toEqual([
      'customer.created',
      'ping',
    ])
    for (const { status, next_attempt_at, attempts } of body.data) {
      expect([status, next_attempt_at, attempts.length]).toEqual(['failed', null, 2])
      expect(attempts[1]).toEqual({
        attempted_at: '2030-01-02T03:00:04Z',
        status_code: null,
        latency_ms: 0,
        response_body: null,
        error: 'webhook_deleted',
        after_unrecorded: false,
      })
    }
  })

  test('answers 404 for an unknown id and for a webhook of another mode, and deletes nothing', async () => {
    const { id } = await make()
    for (const reply of [
      await api.request('DELETE /webhooks/whk_1'),
      await api.request(`DELETE /webhooks/${id}`, { key: api.live.secret_key }),
    ])
      expect(refusalIn(reply)).toEqual({ status: 404, code: 'not_found', param: null })
    expect((await api.request(`GET /webhooks/${id}`)).status).toBe(200)
  })
})
