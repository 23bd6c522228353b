import { beforeAll, describe, expect, test } from 'vitest'
import { card, type Service } from '#test/fixtures/api.ts'

/** Journeys through the lists of one merchant. */
export function listJourneys(service: () => Service): void {
  describe('lists', () => {
    let key: string
    let customer: string
    const payments: { id: string; status: string; created_at: string }[] = []
    const request: Service['request'] = (route, options) => service().request(route, { key, ...options })

    beforeAll(async () => {
      key = (await service().newMerchants()).test.secret_key
      for (const email of ['one@example.com', 'two@example.com', 'two@example.com'])
        customer = (await request('POST /customers', { json: { payment_details: card(), email } })).body.id
      for (let n = 0; n < 12; n++) {
        const json = {
          amount: 100 + n,
          currency: n % 4 === 0 ? 'USD' : 'JPY',
          capture: n % 2 === 0,
          external_order_num: `order-${n % 3}`,
          ...(n < 5 ? { customer } : { payment_details: card() }),
        }
        payments.push((await request('POST /payments', { json })).body)
      }
    })

    /** Ids sort by creation, so the reverse order is newest first. */
    const newestFirst = (records: readonly { id: string }[]) =>
      records
        .map(({ id }) => id)
        .toSorted()
        .reverse()
    const idsIn = (page: { data: { id: string }[] }) => page.data.map(({ id }) => id)

    test('return each record once over all pages, as the record itself is shown', async () => {
      const pages = []
      for (const page of [1, 2, 3, 4]) pages.push((await request(`GET /payments?per_page=5&page=${page}`)).body)
      expect(pages.map(({ total, last_page, per_page }) => [total, last_page, per_page])).toEqual(
        Array(4).fill([12, 3, 5]),
      )
      expect(pages.map(({ data }) => data.length)).toEqual([5, 5, 2, 0])
      expect(pages.flatMap(idsIn)).toEqual(newestFirst(payments))
      const [shown] = pages[0].data
      expect(shown).toEqual(payments.find(({ id }) => id === shown.id))
    })

    test.each<[string, (n: number) => boolean]>([
      ['status=authorized', (n) => n % 2 === 1],
      ['status=captured,authorized', () => true],
      ['status=refunded', () => false],
      ['currency=USD', (n) => n % 4 === 0],
      ['external_order_num=order-1', (n) => n % 3 === 1],
      ['external_order_num=order-1&status=captured', (n) => n % 3 === 1 && n % 2 === 0],
    ])('of payments are filtered by %s', async (query, fits) => {
      const { body } = await request(`GET /payments?per_page=100&${query}`)
      const expected = newestFirst(payments.filter((_, n) => fits(n)))
      expect([body.total, idsIn(body)]).toEqual([expected.length, expected])
    })

    test('of payments are filtered by customer, and lists of customers by e-mail address', async () => {
      const of_customer = (await request(`GET /payments?customer=${customer}`)).body
      expect(idsIn(of_customer)).toEqual(newestFirst(payments.slice(0, 5)))
      expect((await request('GET /customers')).body.total).toBe(3)
      expect((await request('GET /customers?email=TWO@example.com')).body.total).toBe(2)
    })

    test('are filtered by times, which are exclusive', async () => {
      const [first, last] = [payments.at(0)!.created_at, payments.at(-1)!.created_at]
      const moved = (time: string, seconds: number) => new Date(Date.parse(time) + seconds * 1000).toISOString()
      const totalOf = async (query: string) => (await request(`GET /payments?${query}`)).body.total
      expect(await totalOf(`start_time=${moved(first, -1)}&end_time=${moved(last, 1)}`)).toBe(12)
      expect(await totalOf(`end_time=${first}`)).toBe(0)
      expect(await totalOf(`start_time=${last}`)).toBe(0)
    })

    test('reflect a change and a deletion at once', async () => {
      const held = payments.find(({ status }) => status === 'authorized')!
      await request(`POST /payments/${held.id}/cancel`)
      expect((await request('GET /payments?status=authorized')).body.total).toBe(5)
      expect(idsIn((await request('GET /payments?status=cancelled')).body)).toEqual([held.id])
      await request(`DELETE /customers/${customer}`)
      expect((await request('GET /customers')).body.total).toBe(2)
      expect((await request('GET /customers?email=two@example.com')).body.total).toBe(1)
    })

    test('of events are filtered by type', async () => {
      const { body } = await request('GET /events?per_page=2&type=customer.created,payment.captured')
      expect(body).toMatchObject({ total: 9, last_page: 5 })
      expect((await request('GET /events')).body.total).toBe(3 + 12 + 1 + 1)
    })
  })
}
