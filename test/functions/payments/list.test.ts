import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { refusalIn } from '#test/faults/witness.ts'
import { type Api, card, konbini, openApi } from '#test/fixtures/api.ts'
import { largeMetadata } from '#test/fixtures/large-metadata.ts'

let api: Api
let customer: string
const made: string[] = []

/** Seven payments, created a minute apart from 03:00:00 on. `made[0]` is the newest. */
beforeAll(async () => {
  api = await openApi()
  customer = (await api.request('POST /customers', { json: { payment_details: card() } })).body.id
  const by_card = { payment_details: card() }
  for (const fields of [
    { customer, currency: 'USD', external_order_num: 'A/1' },
    { customer, external_order_num: 'A' },
    { ...by_card, external_order_num: 'A', currency: 'USD' },
    { payment_details: konbini },
    { payment_details: card('4123111111111000'), external_order_num: 'B' },
    { ...by_card, capture: false, currency: 'USD' },
    { customer },
  ]) {
    const { body } = await api.request('POST /payments', { json: { amount: 100, currency: 'JPY', ...fields } })
    made.unshift(body.id ?? body.error.details.payment)
    await api.advance(60)
  }
})
afterAll(() => api.close())

const ids = (page: { data: { id: string }[] }) => page.data.map(({ id }) => id)

describe('GET /payments', () => {
  test('lists the newest payments first, each as GET /payments/:id shows it', async () => {
    const { body, text } = await api.request('GET /payments?per_page=5')
    const data = await Promise.all(made.slice(0, 5).map(async (id) => (await api.request(`GET /payments/${id}`)).body))
    expect(text).toBe(JSON.stringify({ resource: 'list', total: 7, page: 1, per_page: 5, last_page: 2, data }))
    expect(ids(body)).toEqual(made.slice(0, 5))
  })

  test.each<[query: string, expected: number[], total?: number]>([
    ['', [0, 1, 2, 3, 4, 5, 6]],
    ['page=2&per_page=5', [5, 6], 7],
    ['page=3&per_page=5', [], 7],
    ['status=captured', [0, 4, 5, 6]],
    ['status=failed', [2]],
    ['status=failed,authorized', [1, 2, 3]],
    ['status=refunded', []],
    ['currency=USD', [1, 4, 6]],
    ['status=captured&currency=USD', [4, 6]],
    ['external_order_num=A', [4, 5]],
    ['external_order_num=A/1', [6]],
    ['external_order_num=C', []],
    ['external_order_num=A&currency=USD', [4]],
    ['external_order_num=B&status=captured', []],
    ['customer=$customer', [0, 5, 6]],
    ['customer=$customer&currency=JPY', [0, 5]],
    ['customer=$customer&external_order_num=A', [5]],
    ['customer=$customer&external_order_num=A/1&currency=USD&status=captured', [6]],
    ['customer=cus_1', []],
    ['start_time=2030-01-02T03:05:00Z', [0]],
    ['end_time=2030-01-02T03:01:00Z', [6]],
    ['start_time=2030-01-02T03:00:00Z&end_time=2030-01-02T03:04:00Z', [3, 4, 5]],
    ['status=captured&start_time=2030-01-02T03:01:00Z', [0, 4]],
    ['customer=$customer&end_time=2030-01-02T03:06:00Z&per_page=1', [5], 2],
  ])('returns the matching page for ?%s', async (query, expected, total = expected.length) => {
    const { status, body } = await api.request(`GET /payments?${query.replace('$customer', customer)}`)
    expect([status, body.total, body.last_page]).toEqual([200, total, Math.ceil(total / body.per_page)])
    expect(ids(body)).toEqual(expected.map((index) => made[index]))
  })

  test('moves a payment between lists when its status or its order number changes', async () => {
    const key = (await api.newMerchants()).test.secret_key
    const json = { amount: 100, currency: 'JPY', capture: false, external_order_num: 'old', payment_details: card() }
    const { body } = await api.request('POST /payments', { key, json })
    const totals = async () => {
      const queries = ['status=authorized', 'status=captured', 'external_order_num=old', 'external_order_num=new']
      const pages = await Promise.all(queries.map((query) => api.request(`GET /payments?${query}`, { key })))
      return pages.map((page) => page.body.total)
    }
    expect(await totals()).toEqual([1, 0, 1, 0])
    await api.request(`POST /payments/${body.id}/capture`, { key })
    expect(await totals()).toEqual([0, 1, 1, 0])
    await api.request(`PATCH /payments/${body.id}`, { key, json: { external_order_num: 'new' } })
    expect(await totals()).toEqual([0, 1, 0, 1])
  })

  test('finds the payments of a subscription by its id, including failed ones', async () => {
    const { test: merchant } = await api.newMerchants()
    const request = (route: string, json?: object) => api.request(route, { key: merchant.secret_key, json })
    const payer = (await request('POST /customers', { payment_details: card('4123111111112008') })).body.id
    const plan = { customer: payer, amount: 500, currency: 'JPY', period: 'weekly' }
    const { body: subscription } = await request('POST /subscriptions', plan)
    await request('POST /subscriptions', plan)
    await request('POST /payments', { customer: payer, amount: 500, currency: 'JPY' })
    const found = async (query: string) => {
      const { body } = await request(`GET /payments?subscription=${subscription.id}${query}`)
      return body.data.map(({ status, failure_code }: { status: string; failure_code: string }) => [
        status,
        failure_code,
      ])
    }
    expect(await found('')).toEqual([['captured', null]])
    await api.advance(7 * 86_400 + 60)
    const both = [
      ['failed', 'card_declined'],
      ['captured', null],
    ]
    expect(await found('')).toEqual(both)
    expect(await found('&status=failed')).toEqual([both[0]])
    expect(await found(`&customer=${payer}&currency=JPY`)).toEqual(both)
    expect(await found('&customer=cus_1')).toEqual([])
    expect(await found('&currency=USD')).toEqual([])
    expect(await found('&external_order_num=A')).toEqual([])
    await request(`PATCH /payments/${subscription.payments[0]}`, { external_order_num: 'A/1' })
    expect(await found('&external_order_num=A/1&status=captured')).toEqual([both[1]])
    const { last_failure } = (await request(`GET /subscriptions/${subscription.id}`)).body
    const { body: failed } = await request(`GET /payments/${last_failure.payment}`)
    expect(failed).toMatchObject({ subscription: subscription.id, failure_code: last_failure.code })
    expect(last_failure.message).toBe(failed.failure_message)
  })

  test('shows no payments of another mode', async () => {
    const { body } = await api.request('GET /payments', { key: api.live.secret_key })
    expect(body).toEqual({ resource: 'list', total: 0, page: 1, per_page: 10, last_page: 0, data: [] })
    const { body: by_customer } = await api.request(`GET /payments?customer=${customer}`, { key: api.live.secret_key })
    expect(by_customer.total).toBe(0)
  })

  test('refuses a page that is too large for one response, and shows a smaller one', async () => {
    const { secret_key: key } = (await api.newMerchants()).test
    const json = { amount: 1, currency: 'JPY', payment_details: card(), metadata: largeMetadata() }
    for (let made = 0; made < 16; made++) await api.request('POST /payments', { json, key })
    const reply = await api.request('GET /payments?per_page=16', { key })
    expect(refusalIn(reply)).toEqual({ status: 422, code: 'unprocessable_entity', param: 'per_page' })
    expect((await api.request('GET /payments?per_page=8', { key })).body.data).toHaveLength(8)
  })

  test.each([
    ['page=0', 'invalid_parameter', 'page'],
    ['per_page=0', 'invalid_parameter', 'per_page'],
    ['per_page=101', 'invalid_parameter', 'per_page'],
    ['status=paid', 'invalid_parameter', 'status'],
    ['status=captured,paid', 'invalid_parameter', 'status'],
    ['currency=yen', 'invalid_currency', 'currency'],
    ['start_time=now', 'invalid_parameter', 'start_time'],
    ['end_time=2030-13-01', 'invalid_parameter', 'end_time'],
  ])('refuses the query %s', async (query, code, param) => {
    expect(refusalIn(await api.request(`GET /payments?${query}`))).toEqual({ status: 422, code, param })
  })
})
