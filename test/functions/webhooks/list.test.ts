import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { refusalIn } from '#test/faults/witness.ts'
import { type Api, openApi } from '#test/fixtures/api.ts'

let api: Api

/** Four webhooks, created a minute apart from 03:00:00 on. The tests refer to them by index, and 0 is the oldest. */
const made: { id: string }[] = []
beforeAll(async () => {
  api = await openApi()
  for (const name of ['a', 'b', 'c', 'd']) {
    const json = { url: `https://shop.example.com/${name}`, event_list: ['ping'], active: false, secret_token: 's' }
    made.push((await api.request('POST /webhooks', { json })).body)
    await api.advance(60)
  }
})
afterAll(() => api.close())

describe('GET /webhooks', () => {
  test('lists all webhooks, newest first, as their creation returned them', async () => {
    const { status, text } = await api.request('GET /webhooks')
    expect(status).toBe(200)
    expect(text).toBe(
      JSON.stringify({ resource: 'list', total: 4, page: 1, per_page: 10, last_page: 1, data: made.toReversed() }),
    )
  })

  test.each<[query: string, expected: number[], total: number]>([
    ['per_page=3', [3, 2, 1], 4],
    ['page=2&per_page=3', [0], 4],
    ['page=3&per_page=3', [], 4],
    ['start_time=2030-01-02T03:01:00Z', [3, 2], 2],
    ['end_time=2030-01-02T03:01:00Z', [0], 1],
  ])('returns the matching page for ?%s', async (query, expected, total) => {
    const { body } = await api.request(`GET /webhooks?${query}`)
    expect([body.total, body.last_page]).toEqual([total, Math.ceil(total / body.per_page)])
    expect(body.data).toEqual(expected.map((index) => made[index]))
  })

  test('omits deleted webhooks and webhooks of another mode or merchant', async () => {
    const { test: own, live } = await api.newMerchants()
    const json = { url: 'https://shop.example.com/e', event_list: ['ping'] }
    const { id } = (await api.request('POST /webhooks', { json, key: own.secret_key })).body
    const totalFor = async (key: string) => (await api.request('GET /webhooks', { key })).body.total
    expect([await totalFor(own.secret_key), await totalFor(live.secret_key)]).toEqual([1, 0])
    await api.request(`DELETE /webhooks/${id}`, { key: own.secret_key })
    expect([await totalFor(own.secret_key), await totalFor(api.test.secret_key)]).toEqual([0, 4])
  })

  test.each([
    ['page=0', 'page'],
    ['per_page=101', 'per_page'],
    ['start_time=now', 'start_time'],
    ['end_time=now', 'end_time'],
  ])('refuses the query %s', async (query, param) => {
    const reply = await api.request(`GET /webhooks?${query}`)
    expect(refusalIn(reply)).toEqual({ status: 422, code: 'invalid_parameter', param })
  })
})
