import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { refusalIn } from '#test/faults/witness.ts'
import { type Api, card, openApi } from '#test/fixtures/api.ts'
import { largeMetadata } from '#test/fixtures/large-metadata.ts'

let api: Api

/** Six events, created a minute apart from 03:00:00 on. The tests refer to them by index, and 0 is the newest. */
beforeAll(async () => {
  api = await openApi()
  const { body: customer } = await api.request('POST /customers', { json: { payment_details: card() } })
  await api.advance(60)
  const json = { amount: 100, currency: 'JPY', customer: customer.id }
  const { body: payment } = await api.request('POST /payments', { json })
  await api.advance(60)
  await api.request(`POST /payments/${payment.id}/refund`)
  await api.advance(60)
  await api.request(`PATCH /customers/${customer.id}`, { json: { email: 'a@example.com' } })
  await api.advance(60)
  await api.request(`DELETE /customers/${customer.id}`)
})
afterAll(() => api.close())

const types = [
  'customer.deleted',
  'customer.updated',
  'payment.refunded',
  'payment.refund.created',
  'payment.captured',
  'customer.created',
]

describe('GET /events', () => {
  test('lists the newest events first, each as GET /events/:id shows it', async () => {
    const { status, text, body } = await api.request('GET /events')
    const data = await Promise.all(
      body.data.map(async ({ id }: { id: string }) => (await api.request(`GET /events/${id}`)).body),
    )
    expect(status).toBe(200)
    expect(text).toBe(JSON.stringify({ resource: 'list', total: 6, page: 1, per_page: 10, last_page: 1, data }))
    expect(data.map(({ type }) => type)).toEqual(types)
    expect(data.map(({ created_at }) => created_at.slice(14, 19))).toEqual([
      '04:00',
      '03:00',
      '02:00',
      '02:00',
      '01:00',
      '00:00',
    ])
  })

  test.each<[query: string, expected: number[], total?: number]>([
    ['page=2&per_page=4', [4, 5], 6],
    ['page=9', [], 6],
    ['type=payment.captured', [4]],
    ['type=customer.created,payment.refunded', [2, 5]],
    ['type=customer.created,customer.updated,customer.deleted&per_page=2', [0, 1], 3],
    ['type=ping', []],
    ['start_time=2030-01-02T03:02:00Z', [0, 1]],
    ['end_time=2030-01-02T03:02:00Z', [4, 5]],
    ['start_time=2030-01-02T03:01:00Z&end_time=2030-01-02T03:03:00Z&type=payment.refunded', [2]],
  ])('returns the matching page for ?%s', async (query, expected, total = expected.length) => {
    const { body } = await api.request(`GET /events?${query}`)
    expect([body.total, body.last_page]).toEqual([total, Math.ceil(total / body.per_page)])
    expect(body.data.map(({ type }: { type: string }) => type)).toEqual(expected.map((index) => types[index]))
  })

  test('shows no events of another mode', async () => {
    const { body } = await api.request('GET /events', { key: api.live.secret_key })
    expect(body).toEqual({ resource: 'list', total: 0, page: 1, per_page: 10, last_page: 0, data: [] })
  })

  test('refuses a page that is too large for one response, and shows a smaller one', async () => {
    const { secret_key: key } = (await api.newMerchants()).test
    const json = { payment_details: card(), metadata: largeMetadata() }
    for (let made = 0; made < 16; made++) await api.request('POST /customers', { json, key })
    const reply = await api.request('GET /events?per_page=16', { key })
    expect(refusalIn(reply)).toEqual({ status: 422, code: 'unprocessable_entity', param: 'per_page' })
    expect((await api.request('GET /events?per_page=8', { key })).body.data).toHaveLength(8)
  })

  test.each([
    ['type=payment.lost', 'type'],
    ['type=ping,payment', 'type'],
    ['page=0', 'page'],
    ['per_page=101', 'per_page'],
    ['start_time=now', 'start_time'],
    ['end_time=now', 'end_time'],
  ])('refuses the query %s', async (query, param) => {
    const reply = await api.request(`GET /events?${query}`)
    expect(refusalIn(reply)).toEqual({ status: 422, code: 'invalid_parameter', param })
  })
})
