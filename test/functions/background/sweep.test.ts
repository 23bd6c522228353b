import { afterAll, beforeAll, expect, test } from 'vitest'
import { handler } from '#functions/background/sweep.ts'
import { type Api, card, konbini, openApi } from '#test/support/api.ts'

let api: Api
beforeAll(async () => {
  api = await openApi()
})
afterAll(() => api.close())

test('sends what falls due of every kind to the queue of its workers, and nothing that does not', async () => {
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
