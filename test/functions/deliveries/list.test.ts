import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { changed } from '#shared/store/change.ts'
import { deliveries, deliveryAttempts } from '#shared/store/deliveries.ts'
import { UnitOfWork } from '#shared/store/unit-of-work.ts'
import { refusalIn } from '#test/faults/witness.ts'
import { type Api, card, openApi } from '#test/fixtures/api.ts'
import { rawRequest } from '#test/fixtures/raw-request.ts'
import { openReceiver, type Receiver } from '#test/fixtures/receiver.ts'
import { attemptOutcome, deliveryRecord } from '#test/fixtures/records.ts'

let api: Api
let receiver: Receiver

/** The ids that the queries below refer to by name. */
const ids: Record<string, string> = {}

/**
 * The deliveries, created a minute apart from 03:00:00 on. The tests refer to them by index, and 0 is the newest: 0 is
 * a refund to the payment's own webhook, 1 and 2 are the same refund to the two webhooks of the merchant (one is down),
 * 3 is a customer, 4 and 5 are the pings of the two webhooks.
 */
let all: { id: string; event: string; webhook: string | null; event_type: string }[]

beforeAll(async () => {
  api = await openApi()
  receiver = await openReceiver()
  receiver.says = ({ path }) => (path === '/down' ? 500 : 200)
  const make = async (path: string, event_list: string[]) => {
    const json = { url: receiver.origin + path, event_list }
    return (await api.request('POST /webhooks', { json })).body.id
  }
  const minute = () => api.advance(60)
  ids.up = await make('/up', ['payment.refund.created', 'customer.created'])
  await minute()
  ids.down = await make('/down', ['payment.refund.created'])
  await minute()
  await api.request('POST /customers', { json: { payment_details: card() } })
  await minute()
  const webhooks = [{ url: `${receiver.origin}/own`, events: ['payment.refund.created'] }]
  const json = { amount: 100, currency: 'JPY', payment_details: card(), webhooks }
  ids.payment = (await api.request('POST /payments', { json })).body.id
  await api.request(`POST /payments/${ids.payment}/refund`, { json: { amount: 1 } })
  await minute()
  const { body } = await api.request('GET /deliveries')
  const of = (name: string | null, event_type: string) =>
    body.data.find(
      (each: { webhook: string | null; event_type: string }) =>
        each.webhook === (name && ids[name]) && each.event_type === event_type,
    )
  all = [
    of(null, 'payment.refund.created'),
    of('down', 'payment.refund.created'),
    of('up', 'payment.refund.created'),
    of('up', 'customer.created'),
    of('down', 'ping'),
    of('up', 'ping'),
  ]
  ids.refund = all[0]!.event
  ids.customer_event = all[3]!.event
})
afterAll(async () => {
  await api.close()
  await receiver.close()
})

describe('GET /deliveries', () => {
  test('lists every delivery with its attempts, newest first, each as GET /deliveries/:id shows it', async () => {
    const { status, body } = await api.request('GET /deliveries')
    expect([status, body.total, body.last_page, body.resource]).toEqual([200, 6, 1, 'list'])
    expect(body.data.map(({ id }: { id: string }) => id)).toEqual(
      all
        .map(({ id }) => id)
        .toSorted()
        .reverse(),
    )
    expect(body.data.slice(3)).toEqual(all.slice(3))
    for (const shown of body.data) expect((await api.request(`GET /deliveries/${shown.id}`)).body).toEqual(shown)
    expect(body.data.map(({ attempts }: { attempts: unknown[] }) => attempts.length).sort()).toEqual([1, 1, 1, 1, 3, 3])
  })

  test.each<[query: string, expected: number[]]>([
    ['', [0, 1, 2, 3, 4, 5]],
    ['webhook=up', [2, 3, 5]],
    ['webhook=down', [1, 4]],
    ['webhook=whk_1', []],
    ['webhook=%23count', []],
    ['payment=payment', [0, 1, 2]],
    ['payment=pay_1', []],
    ['event=refund', [0, 1, 2]],
    ['event=customer_event', [3]],
    ['event=evt_1', []],
    ['event=%2Bevt', []],
    ['status=delivered', [0, 2, 3, 5]],
    ['status=pending', [1, 4]],
    ['status=failed', []],
    ['status=failed,pending', [1, 4]],
    ['status[]=failed&status[]=delivered', [0, 2, 3, 5]],
    ['webhook=up&payment=payment', [2]],
    ['webhook=down&status=delivered', []],
    ['webhook=down&status=pending&payment=payment', [1]],
    ['event=refund&webhook=up', [2]],
    ['event=refund&webhook=up&payment=payment&status=delivered', [2]],
    ['event=refund&payment=pay_1', []],
    ['event=customer_event&payment=payment', []],
    ['event=refund&status=pending', [1]],
    ['start_time=2030-01-02T03:01:00Z', [0, 1, 2, 3]],
    ['end_time=2030-01-02T03:02:00Z', [4, 5]],
    ['start_time=2030-01-02T03:00:00Z&end_time=2030-01-02T03:03:00Z&webhook=up', [3]],
    ['start_time=2030-01-02T03:02:00Z&payment=payment', [0, 1, 2]],
    ['end_time=2030-01-02T03:02:00Z&payment=payment', []],
    ['event=refund&start_time=2030-01-02T03:02:00Z', [0, 1, 2]],
    ['event=refund&start_time=2030-01-02T03:03:00Z', []],
    ['event=refund&end_time=2030-01-02T03:03:00Z', []],
    ['webhook=&payment=&event=&status=', [0, 1, 2, 3, 4, 5]],
  ])('returns the matching page for ?%s', async (query, expected) => {
    const named = query.replaceAll(/(?<==)\w+/g, (name) => ids[name] ?? name)
    const newestFirst = expected
      .map((index) => all[index]!.id)
      .toSorted()
      .reverse()
    const { body } = await api.request(`GET /deliveries?${named}`)
    expect([body.total, body.data.map(({ id }: { id: string }) => id)]).toEqual([expected.length, newestFirst])
    const walked: string[] = []
    for (let page = 1; page <= Math.ceil(expected.length / 2) + 1; page++) {
      const { body: part } = await api.request(`GET /deliveries?${named}&per_page=2&page=${page}`)
      expect([part.total, part.last_page]).toEqual([expected.length, Math.ceil(expected.length / 2)])
      walked.push(...part.data.map(({ id }: { id: string }) => id))
    }
    expect(walked).toEqual(newestFirst)
  })

  test('answers an empty list for another merchant or mode, whatever the filter', async () => {
    for (const key of [api.live.secret_key, (await api.newMerchants()).test.secret_key])
      for (const query of [
        '',
        `webhook=${ids.up}`,
        `payment=${ids.payment}`,
        `event=${ids.refund}`,
        'status=pending',
      ]) {
        const { body } = await api.request(`GET /deliveries?${query}`, { key })
        expect(body).toEqual({ resource: 'list', total: 0, page: 1, per_page: 10, last_page: 0, data: [] })
      }
  })

  test('accepts parameters in a JSON body', async () => {
    const { body } = await rawRequest(api.url, {
      method: 'GET',
      path: '/api/v1/deliveries',
      headers: { authorization: `Basic ${btoa(`${api.test.secret_key}:`)}`, 'content-type': 'application/json' },
      body: JSON.stringify({ payment: ids.payment, status: ['pending'] }),
    })
    expect([body.total, body.data[0].id]).toEqual([1, all[1]!.id])
  })

  test('refuses a page that is too large for one response, and shows a smaller one', async () => {
    const { id: merchant, secret_key: key } = (await api.newMerchants()).test
    const work = new UnitOfWork({ platform: api.platform, merchant, mode: 'test' })
    const response_body = '\u0001'.repeat(1_024)
    for (let made = 10; made < 20; made++) {
      const delivery = deliveryRecord({ id: `dlv_${made}`, version: 0, status: 'failed', attempts_made: 90 })
      const attempts = Array.from({ length: 90 }, (_, number) =>
        changed(deliveryAttempts, {
          ...{ ...attemptOutcome(500), response_body, version: 0 },
          ...{ delivery: delivery.id, number, attempted_at: delivery.created_at },
        }),
      )
      await work.commit([changed(deliveries, delivery), ...attempts])
    }
    const reply = await api.request('GET /deliveries', { key })
    expect(refusalIn(reply)).toEqual({ status: 422, code: 'unprocessable_entity', param: 'per_page' })
    expect((await api.request('GET /deliveries?per_page=5', { key })).body.data).toHaveLength(5)
  })

  test.each([
    [`event=${'x'.repeat(256)}`, 'event'],
    [`webhook=${'x'.repeat(256)}`, 'webhook'],
    [`payment=${'x'.repeat(256)}`, 'payment'],
    ['status=lost', 'status'],
    ['status=pending,', 'status'],
    ['page=0', 'page'],
    ['per_page=101', 'per_page'],
    ['start_time=now', 'start_time'],
    ['end_time=now', 'end_time'],
  ])('refuses the query %s', async (query, param) => {
    const reply = await api.request(`GET /deliveries?${query}`)
    expect(refusalIn(reply)).toEqual({ status: 422, code: 'invalid_parameter', param })
  })
})

describe('GET /deliveries with many deliveries', () => {
  test('answers the exact total on every page, over deliveries of several days', async () => {
    const { secret_key: key } = (await api.newMerchants()).test
    const json = { url: `${receiver.origin}/many`, event_list: ['customer.created'] }
    const { id } = (await api.request('POST /webhooks', { json, key })).body
    const customer = { json: { payment_details: card() }, key }
    for (const wait of [0, 3_600, 7_200, 86_400, 3_600]) {
      await api.advance(wait)
      for (let made = 0; made < 41; made++) await api.request('POST /customers', customer)
    }
    await api.advance(0)
    for (const query of ['', `webhook=${id}&`]) {
      const seen = new Set<string>()
      for (let page = 1; page <= 21; page++) {
        const { body } = await api.request(`GET /deliveries?${query}page=${page}`, { key })
        expect([body.total, body.last_page]).toEqual([206, 21])
        for (const each of body.data) seen.add(each.id)
      }
      expect(seen.size).toBe(206)
    }
  })
})
