import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { refusalIn } from '#test/faults/witness.ts'
import { type Api, card, openApi } from '#test/fixtures/api.ts'
import { largeMetadata } from '#test/fixtures/large-metadata.ts'

let api: Api
let customer: string
const made: string[] = []

/**
 * Seven subscriptions; `made[0]` is the newest. The first is a week older than the others, which are a minute apart
 * from 03:00:00 on 9 January. By index: 6 is retrying, 5 and 4 are active, 3 is suspended, 2 and 1 are deleted, 0 is
 * pending. 5, 2 and 0 have the same customer.
 */
beforeAll(async () => {
  api = await openApi()
  const another = async (number?: string) =>
    (await api.request('POST /customers', { json: { payment_details: card(number) } })).body.id
  const make = async (of: string, fields: object = {}, headers = {}) => {
    const json = { customer: of, amount: 1000, currency: 'JPY', period: 'monthly', ...fields }
    made.unshift((await api.request('POST /subscriptions', { json, headers })).body.id)
  }
  customer = await another()
  await make(await another('4123111111112008'), { period: 'weekly' })
  await api.advance(7 * 86_400)
  for (const [of, is_deleted] of [
    [customer, false],
    [await another(), false],
    [await another('4123111111111000'), false],
    [customer, true],
    [await another(), true],
  ] as const) {
    await make(of)
    if (is_deleted) await api.request(`DELETE /subscriptions/${made[0]}`)
    await api.advance(60)
  }
  await make(customer, {}, { 'x-service-scenario': 'timeout_after_charge' })
})
afterAll(() => api.close())

const ids = (page: { data: { id: string }[] }) => page.data.map(({ id }) => id)

describe('GET /subscriptions', () => {
  test('lists the newest subscriptions first, each as GET /subscriptions/:id shows it', async () => {
    const { text } = await api.request('GET /subscriptions?per_page=5')
    const shown = await Promise.all(made.slice(0, 5).map((id) => api.request(`GET /subscriptions/${id}`)))
    const data = shown.map(({ body }) => body)
    expect(text).toBe(JSON.stringify({ resource: 'list', total: 7, page: 1, per_page: 5, last_page: 2, data }))
    expect(data.map(({ id }) => id)).toEqual(made.slice(0, 5))
  })

  test.each<[query: string, expected: number[], total?: number]>([
    ['', [0, 1, 2, 3, 4, 5, 6]],
    ['page=2&per_page=5', [5, 6], 7],
    ['page=3&per_page=5', [], 7],
    ['status=pending', [0]],
    ['status=active', [4, 5]],
    ['status=retrying', [6]],
    ['status=suspended', [3]],
    ['status=deleted', [1, 2]],
    ['status=active,retrying', [4, 5, 6]],
    ['status=active&page=2&per_page=1', [5], 2],
    ['customer=$customer', [0, 2, 5]],
    ['customer=$customer&status=active', [5]],
    ['customer=$customer&status=deleted,pending', [0, 2]],
    ['customer=$customer&status=suspended', []],
    ['customer=$customer&per_page=2&page=2', [5], 3],
    ['customer=cus_1', []],
    ['start_time=2030-01-09T03:03:00Z', [0, 1]],
    ['end_time=2030-01-09T03:00:00Z', [6]],
    ['start_time=2030-01-09T03:00:00Z&end_time=2030-01-09T12:03:00%2B09:00', [3, 4]],
    ['status=deleted&end_time=2030-01-09T03:04:00Z', [2]],
    ['customer=$customer&start_time=2030-01-09T03:00:00Z', [0, 2]],
  ])('returns the matching page for ?%s', async (query, expected, total = expected.length) => {
    const { status, body } = await api.request(`GET /subscriptions?${query.replace('$customer', customer)}`)
    expect([status, body.total, body.last_page]).toEqual([200, total, Math.ceil(total / body.per_page)])
    expect(ids(body)).toEqual(expected.map((index) => made[index]))
  })

  test('shows each subscription of a long page with the current data of its own customer', async () => {
    const key = (await api.newMerchants()).test.secret_key
    const emails: (string | null)[] = Array.from({ length: 51 }, (_, n) => `${n}@example.com`)
    const people: string[] = []
    for (const [amount, email] of emails.entries()) {
      const person = { payment_details: card(), email }
      people.push((await api.request('POST /customers', { key, json: person })).body.id)
      const json = { customer: people.at(-1), amount, currency: 'JPY', period: 'monthly' }
      await api.request('POST /subscriptions', { key, json })
    }
    await api.request(`PATCH /customers/${people[0]}`, { key, json: { email: 'new@example.com' } })
    await api.request(`DELETE /customers/${people[1]}`, { key })
    const { body } = await api.request('GET /subscriptions?per_page=100', { key })
    const shown: { amount: number; customer: { email: string | null } }[] = body.data
    const sorted = shown.toSorted((one, other) => one.amount - other.amount)
    expect(sorted.map((each) => each.customer.email)).toEqual(['new@example.com', null, ...emails.slice(2)])
  })

  test('shows no subscriptions of another mode', async () => {
    const { body } = await api.request('GET /subscriptions', { key: api.live.secret_key })
    expect(body).toEqual({ resource: 'list', total: 0, page: 1, per_page: 10, last_page: 0, data: [] })
    const { body: of } = await api.request(`GET /subscriptions?customer=${customer}`, { key: api.live.secret_key })
    expect(of.total).toBe(0)
  })

  test('refuses a page that is too large for one response, and shows a smaller one', async () => {
    const { secret_key: key } = (await api.newMerchants()).test
    const customer = (await api.request('POST /customers', { json: { payment_details: card() }, key })).body.id
    const json = { customer, amount: 0, currency: 'JPY', period: 'monthly', metadata: largeMetadata() }
    for (let made = 0; made < 16; made++) await api.request('POST /subscriptions', { json, key })
    const reply = await api.request('GET /subscriptions?per_page=16', { key })
    expect(refusalIn(reply)).toEqual({ status: 422, code: 'unprocessable_entity', param: 'per_page' })
    expect((await api.request('GET /subscriptions?per_page=8', { key })).body.data).toHaveLength(8)
  })

  test.each([
    ['page=0', 'page'],
    ['per_page=0', 'per_page'],
    ['per_page=101', 'per_page'],
    ['status=cancelled', 'status'],
    ['status=active,cancelled', 'status'],
    ['start_time=now', 'start_time'],
    ['end_time=2030-13-01', 'end_time'],
    [`customer=${'c'.repeat(256)}`, 'customer'],
  ])('refuses the query %s', async (query, param) => {
    const reply = await api.request(`GET /subscriptions?${query}`)
    expect(refusalIn(reply)).toEqual({ status: 422, code: 'invalid_parameter', param })
  })
})
