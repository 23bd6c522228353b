import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { handler } from '#functions/background/sweep.ts'
import { type Api, card, konbini, openApi } from '#test/fixtures/api.ts'

let api: Api
beforeAll(async () => {
  api = await openApi()
})
afterAll(() => api.close())

describe('the sweep', () => {
  test('queues payments and attempts that fall due for the chores worker, and no other record', async () => {
    const { platform } = api
    const pay = async (payment_details: object, headers: Record<string, string> = {}) => {
      const { body } = await api.request('POST /payments', {
        json: { amount: 1, currency: 'JPY', payment_details },
        headers,
      })
      return (body.id ?? body.error.details.payment) as string
    }
    const waits = await pay({ ...konbini, expiry_days: 0 })
    const charged = await pay(card())
    await api.workers.fanOut()
    platform.clock.turnTo(Date.parse('2030-01-02T14:59:00Z'))
    const unknown = await pay(card(), { 'x-service-scenario': 'timeout_before_charge' })
    platform.clock.turnTo(Date.parse('2030-01-02T14:59:30Z'))
    await handler({}, { platform } as never)
    expect(platform.queues.chores.due(platform.clock.now())).toEqual([])
    const messages = platform.queues.chores.due(Date.parse('2030-01-02T15:00:00Z'))
    const named = messages.map(({ kind, pk, due_at }) => [kind, pk.split('#')[2], due_at])
    expect(named.toSorted()).toEqual([
      ['attempt', unknown, '2030-01-02T15:00:00Z'],
      ['payment', waits, '2030-01-02T14:59:59Z'],
    ])
    expect(JSON.stringify(messages)).not.toContain(charged)
    expect([platform.queues.deliveries.earliest(), platform.queues.captures.earliest()]).toEqual([undefined, undefined])
  })

  test('queues outbox rows and due deliveries, each for its own worker', async () => {
    const { platform } = api
    const { body: hook } = await api.request('POST /webhooks', {
      json: { url: 'https://shop.example/', event_list: ['customer.created'] },
    })
    await api.advance(0)
    await api.advance(600)
    const [ping] = (await api.request(`GET /deliveries?webhook=${hook.id}`)).body.data
    await api.request('POST /customers', { json: { payment_details: card() } })
    platform.clock.turnTo(Date.parse(ping.next_attempt_at) - 30_000)
    while (!platform.stream.isEmpty) platform.stream.take()
    await handler({}, { platform } as never)
    const [customer] = (await api.request('GET /events')).body.data
    const messages = platform.queues.chores.due(platform.clock.now() + 60_000)
    expect(messages.map(({ kind, pk }) => [kind, pk.split('#')[2]])).toEqual([['outbox', customer.id]])
    expect(platform.queues.deliveries.due(Date.parse(ping.next_attempt_at) - 1)).toEqual([])
    expect(platform.queues.deliveries.due(Date.parse(ping.next_attempt_at))).toMatchObject([
      { kind: 'delivery', sk: 'delivery', due_at: ping.next_attempt_at },
    ])
  })
})
