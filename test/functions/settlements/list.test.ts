import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { refusalIn } from '#test/faults/witness.ts'
import { type Api, card, openApi } from '#test/fixtures/api.ts'

let api: Api

const DAY = 86_400

/**
 * Payments on three Wednesdays: JPY each week, USD only in the second. Each week is settled ten minutes after its
 * Sunday.
 */
beforeAll(async () => {
  api = await openApi()
  const pay = (currency: string, amount: number) =>
    api.request('POST /payments', { json: { amount, currency, payment_details: card() } })
  for (const week of [1, 2, 3]) {
    await pay('JPY', week * 1000)
    if (week === 2) await pay('USD', 50)
    await api.advance(7 * DAY)
  }
})
afterAll(() => api.close())

const list = async (query = '', key = api.test.secret_key) =>
  (await api.request(`GET /settlements${query}`, { key })).body
const grosses = ({ data }: { data: { gross: number; currency: string }[] }) =>
  data.map(({ gross, currency }) => `${gross} ${currency}`)

describe('GET /settlements', () => {
  test('lists the newest settlements first, each as GET /settlements/:id shows it', async () => {
    const page = await list()
    expect(page).toMatchObject({ resource: 'list', total: 4, page: 1, per_page: 10, last_page: 1 })
    const [third, , , first] = grosses(page)
    expect([third, first]).toEqual(['3000 JPY', '1000 JPY'])
    expect(grosses(page).toSorted()).toEqual(['1000 JPY', '2000 JPY', '3000 JPY', '50 USD'])
    for (const settlement of page.data)
      expect((await api.request(`GET /settlements/${settlement.id}`)).body).toEqual(settlement)
  })

  test.each([
    ['?per_page=1', ['3000 JPY'], 4],
    ['?per_page=1&page=4', ['1000 JPY'], 4],
    ['?per_page=1&page=5', [], 4],
    ['?end_time=2030-01-13T15:10:00Z', ['1000 JPY'], 1],
    ['?start_time=2030-01-13T15:10:00Z', ['3000 JPY'], 1],
    ['?start_time=2030-01-20T15:10:00Z', [], 0],
  ])('returns the matching page for %s', async (query, expected, total) => {
    const page = await list(query)
    expect([grosses(page), page.total]).toEqual([expected, total])
  })

  test('shows no settlements of another mode', async () => {
    const empty = { resource: 'list', total: 0, page: 1, per_page: 10, last_page: 0, data: [] }
    expect(await list('', api.live.secret_key)).toEqual(empty)
  })

  test.each([
    ['page=0', 'page'],
    ['per_page=101', 'per_page'],
    ['start_time=now', 'start_time'],
    ['end_time=2030-13-01', 'end_time'],
  ])('refuses the query %s', async (query, param) => {
    const reply = await api.request(`GET /settlements?${query}`)
    expect(refusalIn(reply)).toEqual({ status: 422, code: 'invalid_parameter', param })
  })
})
