import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { eventsOf, refusalIn } from '#test/faults/witness.ts'
import { type Api, openApi } from '#test/fixtures/api.ts'
import { openReceiver, type Receiver } from '#test/fixtures/receiver.ts'

let api: Api
let receiver: Receiver
beforeAll(async () => {
  api = await openApi()
  receiver = await openReceiver()
})
beforeEach(() => {
  receiver.received.splice(0)
})
afterAll(async () => {
  await api.close()
  await receiver.close()
})

const make = async (path: string, fields: object = {}) => {
  const json = { url: receiver.origin + path, event_list: ['customer.created'], ...fields }
  return (await api.request('POST /webhooks', { json })).body
}
const arrived = () => receiver.received.map(({ path, body }) => ({ path, ...JSON.parse(body.toString()) }))

describe('POST /webhooks/:id/ping', () => {
  test('returns the webhook and sends a ping only to it, whatever its event_list', async () => {
    const [made] = [await make('/a'), await make('/b', { event_list: ['ping'] })]
    await api.advance(0)
    expect(arrived().map(({ path, type }) => [path, type])).toEqual([
      ['/a', 'ping'],
      ['/b', 'ping'],
    ])
    receiver.received.splice(0)
    await api.advance(10)
    const { status, body } = await api.request(`POST /webhooks/${made.id}/ping`)
    expect([status, body]).toEqual([200, made])
    await api.advance(0)
    const [first, second] = await eventsOf(api, made.id)
    expect(arrived()).toEqual([{ path: '/a', ...second }])
    expect(first).not.toEqual(second)
    expect(second).toMatchObject({ type: 'ping', data: made, created_at: '2030-01-02T03:00:10Z' })
  })

  test('sends a ping to an inactive webhook, so that a merchant can test it first', async () => {
    const { id } = await make('/off', { active: false })
    await api.request(`POST /webhooks/${id}/ping`)
    await api.advance(0)
    expect(arrived().map(({ path, data }) => [path, data.active])).toEqual([
      ['/off', false],
      ['/off', false],
    ])
  })

  test('sends one ping for each request, also under concurrent ones, and one for an Idempotency-Key', async () => {
    const { id } = await make('/many')
    const replies = await Promise.all([1, 2, 3].map(() => api.request(`POST /webhooks/${id}/ping`)))
    const headers = { 'idempotency-key': 'a ping' }
    for (let time = 0; time < 2; time++) replies.push(await api.request(`POST /webhooks/${id}/ping`, { headers }))
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
    await api.advance(0)
    expect(new Set(arrived().map((event) => event.id)).size).toBe(5)
    expect(arrived()).toHaveLength(5)
  })

  test('answers 404 for an unknown id and for a webhook of another mode, and sends nothing', async () => {
    const { id } = await make('/own')
    await api.advance(0)
    receiver.received.splice(0)
    for (const reply of [
      await api.request('POST /webhooks/whk_1/ping'),
      await api.request(`POST /webhooks/${id}/ping`, { key: api.live.secret_key }),
    ])
      expect(refusalIn(reply)).toEqual({ status: 404, code: 'not_found', param: null })
    await api.advance(0)
    expect(arrived()).toEqual([])
  })
})
