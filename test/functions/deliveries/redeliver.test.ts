import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { refusalIn } from '#test/faults/witness.ts'
import { type Api, card, openApi } from '#test/fixtures/api.ts'
import { openReceiver, type Receiver } from '#test/fixtures/receiver.ts'

let api: Api
let receiver: Receiver
beforeAll(async () => {
  api = await openApi()
  receiver = await openReceiver(() => api.platform.clock.now())
})
beforeEach(() => {
  receiver.received.splice(0)
  receiver.says = () => 200
})
afterAll(async () => {
  await api.close()
  await receiver.close()
})

const make = async (fields: object = {}) => {
  const json = { url: `${receiver.origin}/hook`, event_list: ['customer.created'], ...fields }
  return (await api.request('POST /webhooks', { json })).body
}
const redeliver = (id: string) => api.request(`POST /deliveries/${id}/redeliver`)
/** The delivery of the ping of a new webhook. */
const pinged = async (webhook: string) => {
  await api.advance(0)
  return (await api.request(`GET /deliveries?webhook=${webhook}&per_page=1`)).body.data[0]
}
const show = async (id: string) => (await api.request(`GET /deliveries/${id}`)).body

describe('POST /deliveries/:id/redeliver', () => {
  test('delivers a delivered event again at once, with the same id and the same bytes', async () => {
    const webhook = await make({ secret_token: 's' })
    const before = await pinged(webhook.id)
    expect(before.status).toBe('delivered')
    await api.advance(90_061)
    const { status, body } = await redeliver(before.id)
    const next_attempt_at = '2030-01-03T04:01:01Z'
    expect([status, body]).toEqual([200, { ...before, status: 'pending', next_attempt_at }])
    await api.advance(0)
    const [first, second] = receiver.received
    expect(second!.body.equals(first!.body)).toBe(true)
    expect(second!.headers['x-service-id']).toBe(before.id)
    expect(second!.headers['x-service-signature']).toBe(first!.headers['x-service-signature'])
    const after = await show(before.id)
    expect(after).toMatchObject({ status: 'delivered', next_attempt_at: null, attempts: [before.attempts[0], {}] })
    expect(after.attempts[1].attempted_at).toBe(next_attempt_at)
  })

  test('starts the retry schedule again for a delivery that is still retried', async () => {
    receiver.says = () => 500
    const webhook = await make()
    const { id } = await pinged(webhook.id)
    await api.advance(1_000)
    receiver.received.splice(0)
    const since = api.platform.clock.now()
    expect((await redeliver(id)).body).toMatchObject({ status: 'pending' })
    await api.advance(300)
    expect(receiver.received.map(({ at }) => (at - since) / 1000)).toEqual([0, 4, 49, 241])
    expect((await show(id)).attempts).toHaveLength(5 + 4)
  })

  test('delivers to the current URL of the webhook', async () => {
    receiver.says = ({ path }) => (path === '/old' ? 500 : 200)
    const webhook = await make({ url: `${receiver.origin}/old` })
    const { id } = await pinged(webhook.id)
    const url = `${receiver.origin}/new`
    await api.request(`PATCH /webhooks/${webhook.id}`, { json: { url } })
    await redeliver(id)
    await api.advance(0)
    expect(receiver.received.map(({ path }) => path)).toEqual(['/old', '/new'])
    expect(await show(id)).toMatchObject({ status: 'delivered', url })
  })

  test("signs a delivery of a payment's own webhook with its secret_key again", async () => {
    const webhooks = [{ url: `${receiver.origin}/own`, events: ['payment.captured'], secret_key: 'own' }]
    const json = { amount: 100, currency: 'JPY', payment_details: card(), webhooks }
    const { body: payment } = await api.request('POST /payments', { json })
    await api.advance(0)
    const { id } = (await api.request(`GET /deliveries?payment=${payment.id}`)).body.data[0]
    expect((await redeliver(id)).status).toBe(200)
    await api.advance(0)
    const [first, second] = receiver.received
    expect(first!.headers['x-service-signature']).toMatch(/^[0-9a-f]{64}$/)
    expect(second!.headers['x-service-signature']).toBe(first!.headers['x-service-signature'])
  })

  test('makes one more attempt when it is called twice before the attempt, also with an Idempotency-Key', async () => {
    const webhook = await make()
    const { id } = await pinged(webhook.id)
    const headers = { 'idempotency-key': 'again' }
    const replies = await Promise.all([redeliver(id), redeliver(id)])
    replies.push(await api.request(`POST /deliveries/${id}/redeliver`, { headers }))
    await api.advance(0)
    replies.push(await api.request(`POST /deliveries/${id}/redeliver`, { headers }))
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    await api.advance(60)
    expect(receiver.received).toHaveLength(2)
  })

  test('makes one more attempt when it is called during an attempt, whatever the result of that attempt', async () => {
    const webhook = await make()
    const { id } = await pinged(webhook.id)
    await redeliver(id)
    receiver.says = async (_, nth) => {
      if (nth === 2) expect((await redeliver(id)).body).toMatchObject({ status: 'pending' })
      return 200
    }
    await api.advance(0)
    expect(receiver.received).toHaveLength(3)
    expect(await show(id)).toMatchObject({ status: 'delivered', next_attempt_at: null, attempts: [{}, {}, {}] })
    await api.advance(120)
    expect(receiver.received).toHaveLength(3)
  })

  test.each([
    [
      'deleted',
      (id: string) => api.request(`DELETE /webhooks/${id}`),
      'The webhook is deleted. Create a new one with POST /webhooks.',
    ],
    [
      'switched off',
      (id: string) => api.request(`PATCH /webhooks/${id}`, { json: { active: false } }),
      'The webhook is not active. Activate it with PATCH /webhooks/:id.',
    ],
  ])('answers 422 when the webhook is %s', async (_, end, message) => {
    const webhook = await make()
    await api.advance(0)
    await api.request('POST /customers', { json: { payment_details: card() } })
    await api.advance(0)
    const { body } = await api.request(`GET /deliveries?webhook=${webhook.id}`)
    const { id } = body.data.find(({ event_type }: { event_type: string }) => event_type === 'customer.created')
    const before = await show(id)
    await end(webhook.id)
    const reply = await redeliver(id)
    expect(refusalIn(reply)).toEqual({ status: 422, code: 'unprocessable_entity', param: null })
    expect(reply.body.error.message).toBe(message)
    expect(await show(id)).toEqual(before)
  })

  test('answers 404 for an unknown id and for a delivery of another mode, and delivers nothing', async () => {
    const webhook = await make()
    const { id } = await pinged(webhook.id)
    for (const reply of [
      await redeliver('dlv_1'),
      await api.request(`POST /deliveries/${id}/redeliver`, { key: api.live.secret_key }),
    ])
      expect(refusalIn(reply)).toEqual({ status: 404, code: 'not_found', param: null })
    await api.advance(0)
    expect(receiver.received).toHaveLength(1)
  })
})
