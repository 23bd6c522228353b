import { createHmac } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { timestamp } from '#shared/domain/timestamp.ts'
import { type Api, card, openApi, START } from '#test/fixtures/api.ts'
import { openReceiver, type Received, type Receiver } from '#test/fixtures/receiver.ts'

/** The addresses of host names. A test adds what it needs. */
const names = new Map<string, string[]>()

let api: Api
let receiver: Receiver
beforeEach(async () => {
  names.clear()
  api = await openApi({
    names: async (host) => {
      const addresses = names.get(host)
      if (!addresses) throw new Error(`the name ${host} is unknown`)
      return addresses
    },
  })
  receiver = await openReceiver(() => api.platform.clock.now())
})
afterEach(async () => {
  vi.useRealTimers()
  await api.close()
  await receiver.close()
})

const DAY = 86_400

/** Creates a webhook and delivers its ping, which is then removed from the received requests. */
async function makeWebhook(event_list: string[], fields: object = {}) {
  const json = { url: `${receiver.origin}/hook`, event_list, ...fields }
  const { status, body } = await api.request('POST /webhooks', { json })
  expect(status).toBe(200)
  const { says } = receiver
  receiver.says = () => 200
  await api.advance(0)
  receiver.says = says
  receiver.received.splice(0)
  return body
}
const pay = async (fields: object = {}, key = api.test.secret_key) => {
  const json = { amount: 1000, currency: 'JPY', payment_details: card(), ...fields }
  const { status, body } = await api.request('POST /payments', { json, key })
  expect(status).toBe(200)
  return body
}
const listed = async (query = '') => (await api.request(`GET /deliveries?per_page=100&${query}`)).body.data
const show = async (id: string) => (await api.request(`GET /deliveries/${id}`)).body
const seconds = (from: number) => receiver.received.map(({ at }) => (at - from) / 1000)
const ids = () => new Set(receiver.received.map(({ headers }) => headers['x-service-id']))
const eventIn = ({ body }: Received) => JSON.parse(body.toString())
const arrived = () => receiver.received.map((request) => `${request.path} ${eventIn(request).type}`)

/** The offsets of the 26 attempts in seconds from the first one. */
const offsets = [
  0, 4, 49, 241, 774, 1_952, 4_205, 8_103, 14_369, 23_893, 37_745, 57_184, 83_671, 118_877, 164_696, 223_252, 296_910,
  388_285, 500_250, 635_945, 798_785, 992_470, 1_220_990, 1_488_635, 1_800_000, 2_160_000,
]

describe('a receiver that always fails', () => {
  test('gets 26 attempts at the offsets of the schedule, the last on day 25', async () => {
    await makeWebhook(['payment.captured'], { secret_token: 's3cret' })
    receiver.says = () => ({ status: 500, body: 'out of order' })
    const payment = await pay()
    await api.advance(0)
    const [{ id }] = await listed(`payment=${payment.id}`)
    for (const [made, offset] of offsets.entries()) {
      const due_at = START + offset * 1000
      if (made > 0) {
        await api.advance((due_at - api.platform.clock.now()) / 1000 - 1)
        expect(await show(id)).toMatchObject({ status: 'pending', next_attempt_at: timestamp(due_at) })
        expect(receiver.received, 'a second before').toHaveLength(made)
        await api.advance(1)
      }
      expect(receiver.received).toHaveLength(made + 1)
    }
    expect(seconds(START)).toEqual(offsets)
    const last_waits = offsets.slice(-2)
    expect(last_waits[1]! - last_waits[0]!).toBe(100 * 3_600)

    const failed = await show(id)
    expect(failed).toMatchObject({ status: 'failed', next_attempt_at: null })
    expect(
      failed.attempts.map(({ attempted_at }: { attempted_at: string }) => (Date.parse(attempted_at) - START) / 1000),
    ).toEqual(offsets)
    for (const attempt of failed.attempts)
      expect(attempt).toMatchObject({ status_code: 500, response_body: 'out of order', error: null })
    expect(failed.attempts.at(-1).attempted_at).toBe('2030-01-27T03:00:00Z')

    await api.advance(60 * DAY)
    expect(receiver.received).toHaveLength(26)
    expect(await show(id)).toEqual(failed)
    expect([...ids()]).toEqual([id])
    const [first] = receiver.received
    for (const { body } of receiver.received) expect(body.equals(first!.body)).toBe(true)
  })

  test('gets the same id and the same bytes after POST /deliveries/:id/redeliver and POST /webhooks/:id/recover', async () => {
    const { id: webhook } = await makeWebhook(['payment.captured', 'payment.updated'], { secret_token: 's3cret' })
    receiver.says = () => 500
    const payment = await pay({ description: 'さくら' })
    await api.request(`PATCH /payments/${payment.id}`, { json: { description: 'うめ' } })
    await api.advance(90 * DAY)
    const [updated, captured] = await listed(`payment=${payment.id}`)
    expect([updated.status, captured.status, receiver.received.length]).toEqual(['failed', 'failed', 52])
    const first = receiver.received.find(({ headers }) => headers['x-service-id'] === captured.id)!

    receiver.received.splice(0)
    const asked_at = api.platform.clock.now()
    expect((await api.request(`POST /deliveries/${captured.id}/redeliver`)).status).toBe(200)
    await api.advance(26 * DAY)
    expect(seconds(asked_at)).toEqual(offsets)
    expect(await show(captured.id)).toMatchObject({ status: 'failed', next_attempt_at: null })
    expect((await show(captured.id)).attempts).toHaveLength(52)

    receiver.says = () => 200
    const json = { since: timestamp(START) }
    expect((await api.request(`POST /webhooks/${webhook}/recover`, { json })).status).toBe(200)
    await api.advance(0)
    const again = receiver.received.filter(({ headers }) => headers['x-service-id'] === captured.id)
    expect(again).toHaveLength(27)
    for (const { body, headers } of again) {
      expect(body.equals(first.body)).toBe(true)
      expect(headers['x-service-signature']).toBe(first.headers['x-service-signature'])
    }
    expect(receiver.received).toHaveLength(28)
    expect((await listed(`webhook=${webhook}&status=delivered`)).map(({ id }: { id: string }) => id)).toEqual(
      expect.arrayContaining([updated.id, captured.id]),
    )
    await api.advance(60 * DAY)
    expect(receiver.received).toHaveLength(28)
  })
})

describe('a receiver that answers', () => {
  test.each([1, 2, 5, 26])('with success at attempt %i gets no further attempt', async (nth) => {
    const { id: webhook } = await makeWebhook(['payment.captured'])
    receiver.says = (_, calls) => (calls < nth ? 503 : 202)
    await pay()
    await api.advance(60 * DAY)
    expect(seconds(START)).toEqual(offsets.slice(0, nth))
    const [delivery] = await listed(`webhook=${webhook}`)
    expect(delivery).toMatchObject({ status: 'delivered', next_attempt_at: null, event_type: 'payment.captured' })
    expect(delivery.attempts.map(({ status_code }: { status_code: number }) => status_code)).toEqual(
      Array.from({ length: nth }, (_, index) => (index + 1 < nth ? 503 : 202)),
    )
  })

  test.each([
    [200, 'delivered'],
    [204, 'delivered'],
    [299, 'delivered'],
    [300, 'pending'],
    [304, 'pending'],
    [400, 'pending'],
    [404, 'pending'],
    [410, 'pending'],
    [429, 'pending'],
    [503, 'pending'],
  ])('with %i leaves the delivery %s', async (said, status) => {
    const { id } = await makeWebhook(['payment.captured'])
    receiver.says = () => said
    await pay()
    await api.advance(0)
    const delivery = (await listed(`webhook=${id}`)).find((each: { event_type: string }) => each.event_type !== 'ping')
    expect(delivery).toMatchObject({ status, attempts: [{ status_code: said, error: null }] })
  })

  test.each([301, 302, 303, 307, 308])('with the redirect %i fails, and the redirect is not followed', async (said) => {
    const { id } = await makeWebhook(['payment.captured'])
    receiver.says = ({ path }) =>
      path === '/hook' ? { status: said, headers: { location: `${receiver.origin}/elsewhere` } } : 200
    await pay()
    await api.advance(3)
    expect(arrived()).toEqual(['/hook payment.captured'])
    const [delivery] = (await listed(`webhook=${id}&status=pending`)) as { attempts: object[] }[]
    expect(delivery!.attempts).toMatchObject([{ status_code: said, error: null }])
  })
})

describe('the request to a receiver', () => {
  /**
   * Verifies a request with the package that receivers use. The clock of the receiver stays at `START` when a test
   * advances the clock of the service.
   */
  const verified = (secret: string, { body, headers }: Received): unknown => {
    vi.useFakeTimers({ now: START, toFake: ['Date'] })
    try {
      const verifier = secret.startsWith('whsec_')
        ? new Webhook(secret)
        : new Webhook(Buffer.from(secret), { format: 'raw' })
      return verifier.verify(body, headers as Record<string, string>)
    } finally {
      vi.useRealTimers()
    }
  }

  test('is one POST with the documented headers and the event as the API shows it, signed twice', async () => {
    const secret = 'ひみつ s3cret'
    await makeWebhook(['payment.captured'], { url: `${receiver.origin}/a%20b?c=d`, secret_token: secret })
    const payment = await pay({ description: 'Ein Kännchen さくら 😀 "\u2028', metadata: { 鍵: 'ü', '10': 1.5 } })
    await api.advance(0)
    expect(receiver.received).toHaveLength(1)
    const [request] = receiver.received
    const { method, path, headers, body } = request!
    const [delivery] = await listed(`payment=${payment.id}`)
    const event = await api.request(`GET /events/${delivery.event}`)
    expect([method, path, body.toString()]).toEqual(['POST', '/a%20b?c=d', event.text])
    expect(event.body).toMatchObject({ type: 'payment.captured', resource: 'event', data: payment })
    const { host, connection, ...sent } = headers
    expect(host).toBe(new URL(receiver.origin).host)
    expect(sent).toEqual({
      'content-type': 'application/json',
      'content-length': String(body.length),
      'user-agent': 'Service-Webhook',
      'x-service-id': delivery.id,
      'x-service-event': 'payment.captured',
      'x-service-sequence': expect.stringMatching(/^[1-9]\d*$/),
      'x-service-signature': createHmac('sha256', secret).update(body).digest('hex'),
      'webhook-id': delivery.id,
      'webhook-timestamp': String(START / 1000),
      'webhook-signature': expect.stringMatching(/^v1,[\w+/]{43}=$/),
    })
    expect(verified(secret, request!)).toEqual(event.body)
    expect(() => verified('another', request!)).toThrow('No matching signature')
  })

  test.each(['s3cret', 'whsec_b2xkIHNlY3JldA=='])(
    'is signed with %s at the real time, also in a retry and after the clock was advanced by a year',
    async (secret) => {
      await makeWebhook(['payment.captured'], { secret_token: secret })
      receiver.says = (_, nth) => (nth < 4 ? 500 : 200)
      await pay()
      await api.advance(DAY)
      await api.advance(365 * DAY)
      await pay()
      await api.advance(0)
      expect(receiver.received).toHaveLength(5)
      for (const request of receiver.received) expect(verified(secret, request)).toMatchObject({ resource: 'event' })
    },
  )

  test.each([
    ['old', 'new'],
    ['whsec_b2xkIHNlY3JldA==', 'whsec_bmV3IHNlY3JldCE='],
    ['old', 'whsec_bmV3IHNlY3JldCE='],
  ])('is signed with %s and %s during a rotation, and with the new one after it', async (old_secret, new_secret) => {
    const { id } = await makeWebhook(['payment.captured'], { secret_token: old_secret })
    await pay()
    await api.advance(10)
    await api.request(`POST /webhooks/${id}/rotate`, { json: { secret_token: new_secret, grace_seconds: 3_600 } })
    await pay()
    await api.advance(3_600)
    await pay()
    await api.advance(0)
    const [before, within, after] = receiver.received as [Received, Received, Received]
    const plain = (secret: string, { body }: Received) => createHmac('sha256', secret).update(body).digest('hex')
    const accepts = (secret: string, request: Received) => {
      try {
        return Boolean(verified(secret, request))
      } catch {
        return false
      }
    }
    expect(
      [old_secret, new_secret].map((secret) => [before, within, after].map((request) => accepts(secret, request))),
    ).toEqual([
      [true, true, false],
      [false, true, true],
    ])
    expect([before, within, after].map(({ headers }) => headers['x-service-signature'])).toEqual([
      plain(old_secret, before),
      plain(new_secret, within),
      plain(new_secret, after),
    ])
  })

  test('to a webhook of the payment is signed with its secret_key, and unsigned without one', async () => {
    await makeWebhook(['payment.captured'], { secret_token: "the merchant's" })
    const events = ['payment.captured']
    const webhooks = [
      { url: `${receiver.origin}/signed`, events, secret_key: 'own' },
      { url: `${receiver.origin}/unsigned`, events },
    ]
    await pay({ webhooks })
    await api.advance(0)
    const of = (path: string) => receiver.received.find((request) => request.path === path)!
    expect(receiver.received).toHaveLength(3)
    expect(ids().size).toBe(3)
    expect(new Set(receiver.received.map(({ body }) => body.toString())).size).toBe(1)
    const signed = of('/signed')
    expect(signed.headers['x-service-signature']).toBe(createHmac('sha256', 'own').update(signed.body).digest('hex'))
    expect(verified('own', signed)).toMatchObject({ type: 'payment.captured' })
    expect(verified("the merchant's", of('/hook'))).toMatchObject({ type: 'payment.captured' })
    const names_sent = Object.keys(of('/unsigned').headers)
    expect(names_sent.filter((name) => /signature|^webhook-/.test(name))).toEqual([])
    expect(names_sent).toContain('x-service-sequence')
  })
})

describe('the events of a payment', () => {
  const all = [
    'payment.authorized',
    'payment.captured',
    'payment.updated',
    'payment.refund.created',
    'payment.refunded',
  ]
  const sequence = ({ headers }: Received) => Number(headers['x-service-sequence'])

  async function runPayment(between: () => Promise<void>): Promise<string> {
    const { id } = await pay({ capture: false })
    const steps: [string, object][] = [
      [`POST /payments/${id}/capture`, {}],
      [`POST /payments/${id}/refund`, { amount: 300 }],
      [`PATCH /payments/${id}`, { description: 'sorry' }],
      [`POST /payments/${id}/refund`, {}],
    ]
    for (const [route, json] of steps) {
      await between()
      expect((await api.request(route, { json })).status).toBe(200)
    }
    await api.advance(0)
    return id
  }
  const expected_types = [
    'payment.authorized',
    'payment.captured',
    'payment.refund.created',
    'payment.updated',
    'payment.refund.created',
    'payment.refunded',
  ]

  test('arrive one after the other, in the order of their sequence', async () => {
    await makeWebhook(all)
    await runPayment(() => api.advance(1))
    const last_two = receiver.received.slice(-2)
    expect(receiver.received.map((request) => eventIn(request).type).slice(0, -2)).toEqual(expected_types.slice(0, -2))
    expect(last_two.map((request) => eventIn(request).type).sort()).toEqual(expected_types.slice(-2))
    const sequences = receiver.received.map(sequence)
    expect(sequences).toEqual(sequences.toSorted((one, other) => one - other))
    // The last refund and the end of the payment are one transaction with the same sequence.
    expect(new Set(sequences).size).toBe(5)
    expect(sequence(last_two[0]!)).toBe(sequence(last_two[1]!))
  })

  test('can be ordered by their sequence after retries, and the highest shows the current payment', async () => {
    await makeWebhook(all)
    const first_calls = new Set<unknown>()
    receiver.says = ({ headers }) => {
      const is_first = !first_calls.has(headers['x-service-id'])
      first_calls.add(headers['x-service-id'])
      return is_first && Number(headers['x-service-sequence']) % 2 === 0 ? 500 : 200
    }
    const id = await runPayment(async () => {})
    await api.advance(4)
    const arrived = receiver.received.toSorted((one, other) => sequence(one) - sequence(other)).map(eventIn)
    const { body: payment } = await api.request(`GET /payments/${id}`)
    expect(arrived.at(-1).data).toEqual(payment)
    expect(new Set(arrived.map((event) => event.id)).size).toBe(6)
    expect((await listed('status=delivered')).length).toBe(7)
  })
})

describe('an event', () => {
  test('goes to the webhooks whose event_list contains it, and a ping goes to its own webhook whatever its event_list', async () => {
    const create = (path: string, event_list: string[]) =>
      api.request('POST /webhooks', { json: { url: receiver.origin + path, event_list } })
    const { id } = (await create('/customers', ['customer.created', 'customer.deleted'])).body
    await create('/payments', ['payment.captured', 'payment.failed', 'payout.created'])
    await create('/pings', ['ping'])
    await api.advance(1)
    expect(arrived().sort()).toEqual(['/customers ping', '/payments ping', '/pings ping'])
    receiver.received.splice(0)
    await api.request(`POST /webhooks/${id}/ping`)
    await api.request('POST /customers', { json: { payment_details: card() } })
    await pay()
    await pay({ capture: false })
    await api.request('POST /payments', {
      json: { amount: 1, currency: 'JPY', payment_details: card('4123111111111059') },
    })
    await api.advance(1)
    expect(arrived().sort()).toEqual([
      '/customers customer.created',
      '/customers ping',
      '/payments payment.captured',
      '/payments payment.failed',
    ])
    const types = (await api.request('GET /events?type=ping')).body
    expect(types.total).toBe(4)
    expect(types.data[0]).toMatchObject({ type: 'ping', data: { id, resource: 'webhook' } })
  })

  test('is not delivered to webhooks that were created after it', async () => {
    await pay()
    await api.advance(1)
    await makeWebhook(['payment.captured'])
    await api.advance(DAY)
    expect(arrived()).toEqual([])
    await pay()
    await api.advance(0)
    expect(arrived()).toEqual(['/hook payment.captured'])
  })

  test('is not delivered to inactive or deleted webhooks, and their pending deliveries fail', async () => {
    const off = await makeWebhook(['payment.captured'], { url: `${receiver.origin}/off` })
    const gone = await makeWebhook(['payment.captured'], { url: `${receiver.origin}/gone` })
    receiver.says = () => 500
    await pay()
    await api.advance(0)
    await api.request(`PATCH /webhooks/${off.id}`, { json: { active: false } })
    await api.request(`DELETE /webhooks/${gone.id}`)
    receiver.received.splice(0)
    await pay()
    await api.advance(DAY)
    expect(arrived()).toEqual([])
    for (const [webhook, error] of [
      [off.id, 'webhook_inactive'],
      [gone.id, 'webhook_deleted'],
    ]) {
      const waited = await listed(`webhook=${webhook}&status=failed`)
      expect(waited).toHaveLength(1)
      expect(waited[0].attempts).toMatchObject([
        { status_code: 500 },
        { attempted_at: timestamp(START + 4_000), error },
      ])
    }
    receiver.says = () => 200
    await api.request(`PATCH /webhooks/${off.id}`, { json: { active: true } })
    await pay()
    await api.advance(DAY)
    expect(arrived()).toEqual(['/off payment.captured'])
  })

  test('is not delivered to other merchants or to the other mode', async () => {
    await makeWebhook(['payment.captured', 'customer.created'])
    const { test: other } = await api.newMerchants()
    await pay({}, other.secret_key)
    await pay({}, api.live.secret_key)
    await api.advance(DAY)
    expect(arrived()).toEqual([])
    for (const key of [other.secret_key, api.live.secret_key])
      expect((await api.request('GET /deliveries', { key })).body.total).toBe(0)
    await pay()
    await api.advance(0)
    expect(arrived()).toEqual(['/hook payment.captured'])
  })

  test('is delivered in live mode only over https and to a public address', async () => {
    const key = api.live.secret_key
    const { port } = new URL(receiver.origin)
    names.set('shop.example.com', ['127.0.0.1'])
    const json = { url: `https://shop.example.com:${port}/hook`, event_list: ['payment.captured'] }
    const { id } = (await api.request('POST /webhooks', { key, json })).body
    const own = { url: `http://127.0.0.1:${port}/own`, events: ['payment.captured'] }
    const refused = await api.request('POST /payments', {
      key,
      json: { amount: 1, currency: 'JPY', payment_details: card(), webhooks: [own] },
    })
    expect([refused.status, refused.body.error.param]).toEqual([422, 'webhooks[0][url]'])
    await api.advance(0)
    const [ping] = (await api.request(`GET /deliveries?webhook=${id}`, { key })).body.data
    expect(ping).toMatchObject({ status: 'pending', attempts: [{ status_code: null, error: 'blocked_address' }] })
    expect(receiver.received).toEqual([])
  })
})
