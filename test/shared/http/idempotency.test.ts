import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { CrashPoints } from '#test/faults/crash-points.ts'
import { allKept, eventTypesOf, itemsOf, ledgerOf, refusalIn } from '#test/faults/witness.ts'
import { type Api, card, openApi, type RequestOptions } from '#test/fixtures/api.ts'

const crash = new CrashPoints()
let api: Api
beforeAll(async () => {
  api = await openApi({ around: crash.around })
})
afterEach(() => crash.disarm())
afterAll(() => api.close())

let keys = 0
const newKey = () => `key-${++keys}`

const order = (fields: object = {}) => ({ amount: 1000, currency: 'JPY', payment_details: card(), ...fields })

/** One request under an idempotency key. */
const send = (key: string, route = 'POST /payments', { headers, ...options }: RequestOptions = { json: order() }) =>
  api.request(route, { ...options, headers: { 'idempotency-key': key, ...headers } })

const pay = (key: string, fields: object = {}, scenario?: string) =>
  send(key, 'POST /payments', { json: order(fields), headers: scenario ? { 'x-service-scenario': scenario } : {} })

const isReplay = ({ headers }: { headers: Headers }) => headers.get('idempotent-replayed') === 'true'
const totalOf = async (list: string) => (await api.request(`GET /${list}`)).body.total

describe('a repeated request with the same idempotency key', () => {
  test.each<[string, number, string, RequestOptions]>([
    ['a payment', 200, 'POST /payments', { json: order({ metadata: { a: 1, b: true } }) }],
    ['a decline', 402, 'POST /payments', { json: order({ payment_details: card('4123111111111000') }) }],
    ['a fraud', 422, 'POST /payments', { json: order({ payment_details: card('4123111111111083') }) }],
    ['a parameter that does not fit', 422, 'POST /payments', { json: order({ amount: 0 }) }],
    ['an unknown id', 404, 'POST /payments/pay_1/refund', {}],
    ['a customer', 200, 'POST /customers', { json: { payment_details: card() } }],
    ['a token', 200, 'POST /tokens', { json: { payment_details: card() } }],
    ['an update', 404, 'PATCH /customers/cus_1', { json: { email: 'a@example.com' } }],
  ])('replays %s with %d byte for byte, and does nothing twice', async (_, status, route, options) => {
    const key = newKey()
    const first = await send(key, route, options)
    const [payments, events] = [await totalOf('payments'), await totalOf('events')]
    await api.advance(60)
    const again = await send(key, route, options)
    expect([first.status, again.status]).toEqual([status, status])
    expect(again.text).toBe(first.text)
    expect([isReplay(first), isReplay(again)]).toEqual([false, true])
    expect(again.headers.get('content-type')).toBe('application/json; charset=utf-8')
    expect(again.headers.get('x-request-id')).not.toBe(first.headers.get('x-request-id'))
    expect([await totalOf('payments'), await totalOf('events')]).toEqual([payments, events])
  })

  test('replays each operation on a payment under its own key', async () => {
    const { id } = (await pay(newKey(), { capture: false })).body
    for (const [verb, json] of [
      ['capture', { amount: 600 }],
      ['refund', { amount: 100 }],
      ['refund', {}],
    ] as const) {
      const key = newKey()
      const first = await send(key, `POST /payments/${id}/${verb}`, { json })
      const again = await send(key, `POST /payments/${id}/${verb}`, { json })
      expect([first.status, again.text, isReplay(again)]).toEqual([200, first.text, true])
    }
    expect(ledgerOf(api, id).map(({ operation, amount }) => [operation, amount])).toEqual([
      ['charge', 1000],
      ['capture', 600],
      ['refund', 100],
      ['refund', 500],
    ])
  })

  test('is the same as a form and as JSON, in any order of names', async () => {
    const key = newKey()
    const details = Object.entries(card()).map(([name, value]) => [`payment_details[${name}]`, String(value)] as const)
    const rest = [
      ['metadata[a]', '1'],
      ['capture', 'true'],
      ['currency', 'JPY'],
      ['amount', '1000'],
    ] as const
    const first = await send(key, 'POST /payments', { form: [...details, ...rest] })
    const again = await send(key, 'POST /payments', { json: order({ capture: true, metadata: { a: 1 } }) })
    expect([first.status, again.text, isReplay(again)]).toEqual([200, first.text, true])
  })

  test('is the same with another verification value, because not even its hash is stored', async () => {
    const key = newKey()
    const first = await pay(key)
    const again = await pay(key, { payment_details: { ...card(), verification_value: '999' } })
    expect([again.text, isReplay(again)]).toEqual([first.text, true])
  })
})

describe('the secret part of a card number', () => {
  test('does not distinguish requests, because not even its hash may be stored', async () => {
    const [key, number] = [newKey(), '4500000000011111']
    const first = await pay(key)
    const same = await pay(key, { payment_details: { ...card(number), verification_value: '999' } })
    expect([same.text, isReplay(same)]).toEqual([first.text, true])
  })
})

describe('another request with the same idempotency key', () => {
  const mismatch = { status: 422, code: 'idempotency_mismatch', param: null }

  test.each<[string, string, RequestOptions]>([
    ['with another amount', 'POST /payments', { json: order({ amount: 1001 }) }],
    ['with one field more', 'POST /payments', { json: order({ tax: 0 }) }],
    ['with another card', 'POST /payments', { json: order({ payment_details: card('5555555555554444') }) }],
    ['on another path', 'POST /customers', { json: order() }],
    [
      'with metadata named like a card field',
      'POST /payments',
      { json: order({ metadata: { verification_value: '1' } }) },
    ],
  ])('is refused %s', async (_, route, options) => {
    const key = newKey()
    const first = await pay(key)
    expect(refusalIn(await send(key, route, options))).toEqual(mismatch)
    expect((await pay(key)).text).toBe(first.text)
  })

  test('is refused for another id or another verb', async () => {
    const [one, other] = [(await pay(newKey())).body.id, (await pay(newKey())).body.id]
    const key = newKey()
    expect((await send(key, `POST /payments/${one}/refund`, {})).status).toBe(200)
    expect(refusalIn(await send(key, `POST /payments/${other}/refund`, {}))).toEqual(mismatch)
    expect(refusalIn(await send(key, `POST /payments/${one}/cancel`, {}))).toEqual(mismatch)
  })

  test('is refused while the outcome of the first request is unknown', async () => {
    const key = newKey()
    expect((await pay(key, {}, 'timeout_after_charge')).status).toBe(504)
    expect(refusalIn(await pay(key, { amount: 1 }))).toEqual(mismatch)
  })
})

describe('concurrent requests with the same idempotency key', () => {
  test('get 409 while the first charge is in flight, and its replay afterwards', async () => {
    const key = newKey()
    const slow = pay(key, {}, 'slow')
    await begun(key)
    const refused = await pay(key)
    expect(refusalIn(refused)).toEqual({ status: 409, code: 'idempotency_in_flight', param: null })
    expect(refused.headers.get('retry-after')).toBe('40')
    api.platform.clock.turnTo(api.platform.clock.now() + 1_500)
    expect((await pay(key)).headers.get('retry-after')).toBe('39')
    api.platform.clock.turnTo(api.platform.clock.now() + 1_500)
    const first = await slow
    const again = await pay(key)
    expect([first.status, again.text, isReplay(again)]).toEqual([200, first.text, true])
    expect(ledgerOf(api, first.body.id)).toHaveLength(1)
  })

  /** Waits until the charge has begun: its key is the one with a lease. */
  async function begun(key: string): Promise<void> {
    while (!itemsOf(api, 'idempotency').some(({ lease_until }) => Number(lease_until) > api.platform.clock.now()))
      await new Promise((turn) => setImmediate(turn))
    expect(key).toBe(`key-${keys}`)
  }

  test('of a single transaction are executed once, and the others get a replay', async () => {
    const key = newKey()
    const before = await totalOf('customers')
    const json = { payment_details: card() }
    const replies = await Promise.all([1, 2, 3, 4].map(() => send(key, 'POST /customers', { json })))
    expect(new Set(replies.map(({ text }) => text)).size).toBe(1)
    expect(replies.filter((reply) => !isReplay(reply))).toHaveLength(1)
    expect(await totalOf('customers')).toBe(before + 1)
  })

  test('for a payment create one payment', async () => {
    const key = newKey()
    const before = await totalOf('payments')
    const replies = await Promise.all([1, 2, 3, 4, 5, 6].map(() => pay(key)))
    expect(replies.filter(({ status }) => status !== 200 && status !== 409)).toEqual([])
    expect(await totalOf('payments')).toBe(before + 1)
    expect(isReplay(await pay(key))).toBe(true)
  })
})

describe('an idempotency key', () => {
  test('is valid for 24 hours', async () => {
    const key = newKey()
    const first = await pay(key)
    await api.advance(86_399)
    expect((await pay(key)).text).toBe(first.text)
    await api.advance(1)
    const renewed = await pay(key)
    expect([renewed.status, isReplay(renewed)]).toEqual([200, false])
    expect(renewed.body.id).not.toBe(first.body.id)
    expect((await pay(key)).text).toBe(renewed.text)
  })

  test('belongs to one merchant', async () => {
    const key = newKey()
    const first = await pay(key)
    for (const secret of [api.live.secret_key, (await api.newMerchants()).test.secret_key]) {
      const other = await send(key, 'POST /payments', { key: secret, json: order({ amount: 5 }) })
      expect([other.status, isReplay(other), other.body.id === first.body.id]).toEqual([200, false, false])
    }
  })

  test('is ignored on GET and DELETE', async () => {
    const key = newKey()
    const { id } = (await api.request('POST /customers', { json: { payment_details: card() } })).body
    expect((await send(key, `GET /customers/${id}`, {})).status).toBe(200)
    expect((await send(key, `DELETE /customers/${id}`, {})).status).toBe(200)
    expect((await send(key, `DELETE /customers/${id}`, {})).status).toBe(404)
    expect((await send('x'.repeat(300), 'GET /customers', {})).status).toBe(200)
  })

  test.each([
    ['255 printable characters', `~ ${'k'.repeat(252)}!`, 200],
    ['one character', 'k', 200],
    ['no characters', '', 422],
    ['256 characters', 'k'.repeat(256), 422],
    ['a letter that is not ASCII', 'café', 422],
    ['a tab', 'a\tb', 422],
  ])('of %s is accepted only within 1 to 255 printable ASCII characters', async (_, key, status) => {
    const reply = await send(key, 'POST /tokens', { json: { payment_details: card() } })
    expect(reply.status).toBe(status)
    if (status === 422) expect(refusalIn(reply)).toMatchObject({ code: 'invalid_parameter', param: 'Idempotency-Key' })
  })
})

describe('an idempotency key of a publishable API key', () => {
  const to_verify = { amount: 1000, currency: 'JPY', return_url: 'https://shop.example.com/done' }
  const by = (kind: 'secret_key' | 'publishable_key', json: object) => ({ key: api.test[kind], json })

  const newCustomer = async (): Promise<string> =>
    (await api.request('POST /customers', { json: { payment_details: card() } })).body.id

  test('does not block the same key of a secret API key', async () => {
    const { id } = (await pay(newKey())).body
    const key = newKey()
    expect((await send(key, 'POST /tokens', by('publishable_key', {}))).status).toBe(422)
    const refund = await send(key, `POST /payments/${id}/refund`, by('secret_key', {}))
    expect([refund.status, refund.body.amount_refunded, isReplay(refund)]).toEqual([200, 1000, false])
  })

  test('does not read what is stored for a secret API key', async () => {
    const key = newKey()
    const json = { ...to_verify, customer: await newCustomer() }
    expect((await send(key, 'POST /secure_tokens', by('secret_key', json))).status).toBe(200)
    const other = await send(key, 'POST /secure_tokens', by('publishable_key', json))
    expect(refusalIn(other)).toEqual({ status: 403, code: 'forbidden', param: 'customer' })
  })

  test('is not read before the request is authorized, and the refusal is not stored', async () => {
    const key = newKey()
    const json = { ...to_verify, customer: await newCustomer() }
    const before = allKept(api)
    const get = vi.spyOn(api.platform.table, 'get')
    const refused = await send(key, 'POST /secure_tokens', by('publishable_key', json))
    const read = get.mock.calls.flatMap(([keys]) => keys.map(({ pk }) => pk.split('#')[0]))
    get.mockRestore()
    expect(refusalIn(refused)).toEqual({ status: 403, code: 'forbidden', param: 'customer' })
    expect([read, allKept(api) === before]).toEqual([['key'], true])
    const allowed = { ...to_verify, payment_details: card() }
    const right = await send(key, 'POST /secure_tokens', by('publishable_key', allowed))
    expect([right.status, isReplay(right)]).toEqual([200, false])
    const secret = await send(key, 'POST /secure_tokens', by('secret_key', json))
    expect([secret.status, isReplay(secret)]).toEqual([200, false])
  })

  test('does not resume an operation that a secret API key began', async () => {
    const { id } = (await api.request('POST /sessions', { json: { amount: 1000, currency: 'JPY' } })).body
    const key = newKey()
    const json = { payment_details: card() }
    const hard = { 'x-service-scenario': 'timeout_after_charge' }
    const unknown = await send(key, `POST /sessions/${id}/pay`, { ...by('secret_key', json), headers: hard })
    expect(unknown.status).toBe(504)
    const other = await send(key, `POST /sessions/${id}/pay`, by('publishable_key', json))
    expect([other.status, other.body.status]).toEqual([200, 'pending'])
    const resumed = await send(key, `POST /sessions/${id}/pay`, by('secret_key', json))
    expect([resumed.status, resumed.body.status, isReplay(resumed)]).toEqual([200, 'completed', false])
    expect(ledgerOf(api, unknown.body.error.details.payment)).toHaveLength(1)
  })
})

describe('a response that an earlier version stored', () => {
  /** A response that was stored under `order-1001` before the keys of publishable API keys were derived separately. */
  const stored = {
    lookup: '3534c48d2c94854d87335e7dd01eaf31f85fb014fb974f40a7f1d39f60c9aeba',
    fingerprint: 'OhRzdwzgXgUWFzAMwIGTOmMH2lR6bwSZd4dqOcH4WP0=',
    answer:
      'plain:1OpqlFvfQdkmdigIt+nnlB2SrDVtxy4p6ETY/PmI7Fn3/UxO2tcwaT5U88dm4qmA5kY40OCAtp2ruVzuCxQteRYtV3Z1Et8dpI4XK6WTyUikBC1sv1mbW5pq6P1M3ijLzLBoZkjtwSjiP27GNpgJdGst1zAEvo4/rWoUCQ2DVeUHaKWg7jhTjp2QlsparkSenyJu3qw1LUquhDIH8KnVLQCBtKjBUefDH8Yfe1NRuNEk+w5rbvMDQ12dZ/Dgojr0r1gcYseI71vU9ri0A69yQcAaKEuWag8rI1BrC8F9FzfzepEd/QXUJVERs/qOGAAIKkodbWw3wJf2hkCoCq9pWjIVW5RewX0uww==',
  }

  test('is replayed to a request with a secret API key', async () => {
    const { lookup, fingerprint, answer } = stored
    const key = { pk: `idempotency#${api.test.id}#${lookup}`, sk: 'idempotency' }
    const ttl = Math.floor(api.platform.clock.now() / 1000) + 60
    const kept = { version: 1, fingerprint, lease: 'of another process', bound: null, answer, lease_until: 0, ttl }
    await api.platform.table.write([{ put: { ...key, ...kept } }])
    const before = await totalOf('customers')
    const json = { payment_details: card(), email: 'taro@example.com' }
    const reply = await send('order-1001', 'POST /customers', { json })
    expect([reply.status, reply.body.id, isReplay(reply)]).toEqual([200, 'cus_01q3g91pw0v3cb0k5at83gn1y0', true])
    expect(await totalOf('customers')).toBe(before)
  })
})

describe('a response that is not stored', () => {
  test.each<[number, RequestOptions]>([
    [400, { raw: '{', headers: { 'content-type': 'application/json' } }],
    [401, { key: 'sk_test_unknown', json: order() }],
    [415, { raw: 'x', headers: { 'content-type': 'text/plain' } }],
  ])('with status %d leaves the key free for a correct request', async (status, options) => {
    const key = newKey()
    expect((await send(key, 'POST /payments', options)).status).toBe(status)
    const right = await pay(key)
    expect([right.status, isReplay(right)]).toEqual([200, false])
  })

  test('of a conflict (409) leaves the key free for another try', async () => {
    const { id } = (await pay(newKey())).body
    const key = newKey()
    const patch = () => send(key, `PATCH /payments/${id}`, { json: { description: 'tea' } })
    crash.arm((_, operation) => (operation === 'write' ? 'conflict' : 'ok'))
    expect((await patch()).status).toBe(409)
    crash.disarm()
    const again = await patch()
    expect([again.status, again.body.description, isReplay(again)]).toEqual([200, 'tea', false])
  })

  test.each(['get', 'write'] as const)(
    'of a failed first %s (503) leaves the key free to begin the operation',
    async (at) => {
      const key = newKey()
      const before = await totalOf('payments')
      crash.arm((_, operation) => (operation === at ? 'fail_before' : 'ok'))
      expect((await pay(key)).status).toBe(503)
      crash.disarm()
      expect((await pay(key)).status).toBe(200)
      expect(await totalOf('payments')).toBe(before + 1)
    },
  )
})

describe('the idempotency key of an operation with an unknown outcome', () => {
  test.each([
    ['timeout_after_charge', 'captured'],
    ['timeout_before_charge', 'captured'],
  ])('resumes a charge after %s, and sends it once', async (scenario, status) => {
    const key = newKey()
    const unknown = await pay(key, {}, scenario)
    expect(refusalIn(unknown)).toMatchObject({ status: 504, code: 'gateway_timeout' })
    const resumed = await pay(key)
    expect([resumed.status, resumed.body.status, isReplay(resumed)]).toEqual([200, status, false])
    expect(resumed.body.id).toBe(unknown.body.error.details.payment)
    expect(ledgerOf(api, resumed.body.id)).toEqual([{ operation: 'charge', amount: 1000, result: 'captured' }])
    expect(await eventTypesOf(api, resumed.body.id)).toEqual(['payment.captured'])
    expect(isReplay(await pay(key))).toBe(true)
  })

  test('answers 504 with the same payment as long as the outcome is unknown', async () => {
    const key = newKey()
    const first = await pay(key, {}, 'timeout_before_charge')
    const second = await pay(key, {}, 'timeout_before_charge')
    expect([second.status, second.body.error.details]).toEqual([504, first.body.error.details])
    expect((await pay(key)).body.id).toBe(first.body.error.details.payment)
  })

  test.each([
    ['timeout_after_charge', 200, undefined],
    ['timeout_before_charge', 402, 'other_error'],
  ])('answers what an inquiry found after %s', async (scenario, status, code) => {
    const key = newKey()
    const { payment } = (await pay(key, {}, scenario)).body.error.details
    await api.advance(60)
    const known = await pay(key)
    expect(refusalIn(known)).toMatchObject({ status, code })
    expect(known.body.id ?? known.body.error.details.payment).toBe(payment)
    expect((await pay(key)).text).toBe(known.text)
    expect(ledgerOf(api, payment)).toHaveLength(1)
  })

  test('answers a decline that is found later, and the token stays spent', async () => {
    const details = { payment_details: card('4123111111111000') }
    const { body: token } = await api.request('POST /tokens', { json: details })
    const key = newKey()
    const unknown = await pay(key, { payment_details: token.id }, 'timeout_after_charge')
    const known = await pay(key, { payment_details: token.id })
    expect(refusalIn(known)).toMatchObject({ status: 402, code: 'insufficient_funds' })
    expect(known.body.error.details).toEqual(unknown.body.error.details)
    expect(refusalIn(await pay(newKey(), { payment_details: token.id })).code).toBe('invalid_token')
  })

  test.each(['timeout_after_charge', 'timeout_before_charge'])(
    'resumes a capture and a refund after %s',
    async (scenario) => {
      const { id } = (await pay(newKey(), { capture: false })).body
      for (const verb of ['capture', 'refund']) {
        const key = newKey()
        const route = `POST /payments/${id}/${verb}`
        const headers = { 'x-service-scenario': scenario }
        expect((await send(key, route, { json: { amount: 600 }, headers })).status).toBe(504)
        const resumed = await send(key, route, { json: { amount: 600 } })
        expect([resumed.status, isReplay(resumed)]).toEqual([200, false])
        expect(ledgerOf(api, id).filter(({ operation }) => operation === verb)).toEqual([
          { operation: verb, amount: 600, result: 'done' },
        ])
      }
      expect((await api.request(`GET /payments/${id}`)).body).toMatchObject({
        status: 'refunded',
        amount_refunded: 600,
      })
    },
  )

  test('stays in flight while a killed process holds its lease, and is taken over afterwards', async () => {
    const key = newKey()
    let writes = 0
    crash.arm((_, operation) => (writes > 0 || (operation === 'write' && ++writes > 1) ? 'fail_before' : 'ok'))
    const killed = await pay(key)
    crash.disarm()
    expect(killed.status).toBe(504)
    expect(refusalIn(await pay(key)).code).toBe('idempotency_in_flight')
    await api.advance(40)
    const taken = await pay(key)
    expect([taken.status, taken.body.id]).toEqual([200, killed.body.error.details.payment])
    expect(ledgerOf(api, taken.body.id)).toHaveLength(1)
  })
})

describe('a response stored under an idempotency key', () => {
  test('shows neither the key nor the response without the key', async () => {
    const key = 'a key that nobody guesses'
    const { text, body } = await pay(key, { description: 'canary description', external_order_num: 'canary-42' })
    const kept = JSON.stringify(itemsOf(api, 'idempotency').filter(({ bound }) => bound === null))
    // The values are long enough that sealed bytes in base64 do not contain them by chance.
    const values = [body.id, 'canary description', 'canary-42', 'credit_card', body.created_at, 'payment_deadline']
    expect(values.filter((value) => !text.includes(value))).toEqual([])
    expect(values.filter((value) => kept.includes(value))).toEqual([])
    expect(allKept(api).includes(key)).toBe(false)
  })

  test('is replayed completely, however long it is', async () => {
    const key = newKey()
    const metadata = Object.fromEntries(Array.from({ length: 50 }, (_, n) => [`k${n}`, `é${n}`.repeat(400)]))
    const first = await pay(key, { metadata })
    const again = await pay(key, { metadata })
    expect(first.text.length).toBeGreaterThan(50_000)
    expect([again.text === first.text, isReplay(again)]).toEqual([true, true])
  })
})
