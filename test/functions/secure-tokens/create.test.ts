import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { timestamp } from '#shared/domain/timestamp.ts'
import { decideAt } from '#test/browser/customer-decision.ts'
import { allKept, itemsOf, ledgerOf, refusalIn } from '#test/faults/witness.ts'
import { type Api, card, konbini, openApi } from '#test/fixtures/api.ts'
import { withoutAcquirer } from '#test/fixtures/without-acquirer.ts'

let api: Api
beforeAll(async () => {
  api = await openApi()
})
afterAll(() => api.close())

const asks_3d_secure = '4100000000000100'
const order = { amount: 1000, currency: 'JPY' }
const return_url = 'https://shop.example.com/'

const create = (fields: object = {}, key = api.test.secret_key) =>
  api.request('POST /secure_tokens', {
    json: { ...order, return_url, payment_details: card(asks_3d_secure), ...fields },
    key,
  })

/** The id of a secure token whose customer has made a decision on its page. */
const decided = async (decision: string, fields: object = {}): Promise<string> => {
  const { body } = await create(fields)
  await (decision === 'visit' ? fetch(body.authentication_url) : decideAt(body.authentication_url, decision))
  return body.id
}
const pay = (payment_details: string, fields: object = {}) =>
  api.request('POST /payments', { json: { ...order, payment_details, ...fields } })
const paymentCount = async () => (await api.request('GET /payments')).body.total
const sealedOf = (id: string) => itemsOf(api, 'secure_token').find((item) => item.id === id)?.sealed

const invalid_token = { status: 422, code: 'invalid_token', param: 'payment_details' }

describe('POST /secure_tokens', () => {
  test('returns a token with the status NEEDS_VERIFY and the URL of its page', async () => {
    const { status, text, body } = await create()
    expect(status).toBe(200)
    expect(body.id).toMatch(/^tok_[0-9a-z]{26}$/)
    expect(text).toBe(
      JSON.stringify({
        id: body.id,
        resource: 'secure_token',
        verification_status: 'NEEDS_VERIFY',
        created_at: '2030-01-02T03:00:00Z',
        authentication_url: `${api.url}/pages/secure_tokens/${api.test.id}/${body.id}`,
      }),
    )
  })

  test('starts as NEEDS_VERIFY for a card without 3-D Secure', async () => {
    expect((await create({ payment_details: card() })).body.verification_status).toBe('NEEDS_VERIFY')
  })

  test('calls no acquirer and emits no event', async () => {
    const { test: merchant } = await api.newMerchants()
    await create({ payment_details: card('4123111111111000') }, merchant.secret_key)
    expect((await api.request('GET /events', { key: merchant.secret_key })).body.total).toBe(0)
    expect(itemsOf(api, 'sandbox').filter(({ pk }) => pk.includes(merchant.id))).toEqual([])
  })

  test('accepts a publishable key from a browser', async () => {
    const { status, headers } = await create({}, api.test.publishable_key)
    expect([status, headers.get('access-control-allow-origin')]).toEqual([200, '*'])
  })

  test('accepts an amount of zero', async () => {
    expect((await create({ amount: 0 })).status).toBe(200)
  })

  test('never stores, logs or shows the card number, the name or the verification value in plain text', async () => {
    const payment_details = { ...card('5100000000000107'), verification_value: '7391', name: 'Canary Bird' }
    const { text, body } = await create({ payment_details })
    await decideAt(body.authentication_url, 'authenticate')
    const page = await (await fetch(body.authentication_url)).text()
    for (const where of [text, page, allKept(api), JSON.stringify(api.logs)])
      for (const secret of ['5100000000000107', 'Canary Bird', '"7391"']) expect(where).not.toContain(secret)
  })

  test.each([
    [{ amount: undefined }, 'missing_parameter', 'amount'],
    [{ amount: -1 }, 'invalid_parameter', 'amount'],
    [{ currency: undefined }, 'missing_parameter', 'currency'],
    [{ currency: 'YEN' }, 'invalid_currency', 'currency'],
    [{ return_url: undefined }, 'missing_parameter', 'return_url'],
    [{ return_url: 'javascript:alert(1)' }, 'invalid_parameter', 'return_url'],
    [{ payment_details: undefined }, 'missing_parameter', 'payment_details'],
    [{ customer: 'cus_1' }, 'invalid_parameter', 'payment_details'],
    [{ payment_details: undefined, customer: 'cus_1' }, 'invalid_parameter', 'customer'],
    [{ payment_details: 'tok_1' }, 'invalid_token', 'payment_details'],
    [{ payment_details: { type: 'barter' } }, 'invalid_payment_type', 'payment_details[type]'],
    [{ payment_details: card('4111111111111112') }, 'invalid_parameter', 'payment_details[number]'],
    [{ payment_details: { ...card(), month: 12, year: 2029 } }, 'invalid_parameter', 'payment_details[year]'],
  ])('refuses %j with %s of %s', async (fields, code, param) => {
    expect(refusalIn(await create(fields))).toEqual({ status: 422, code, param })
  })

  test('answers 503 in live mode without an acquirer', async () => {
    const closed = await openApi({ around: withoutAcquirer })
    const json = { ...order, return_url, payment_details: card() }
    const live = await closed.request('POST /secure_tokens', { json, key: closed.live.secret_key })
    const test = await closed.request('POST /secure_tokens', { json })
    await closed.close()
    expect(refusalIn(live)).toMatchObject({ status: 503, code: 'service_unavailable' })
    expect(test.status).toBe(200)
  })

  test('creates one token for an Idempotency-Key', async () => {
    const json = { ...order, return_url, payment_details: card() }
    const send = () => api.request('POST /secure_tokens', { json, headers: { 'idempotency-key': 'one token' } })
    expect((await send()).body.id).toBe((await send()).body.id)
  })
})

describe('a secure token', () => {
  test.each([
    ['authenticate', asks_3d_secure],
    ['visit', '4111111111111111'],
  ])('pays once after it is verified (%s), and its card is erased', async (decision, number) => {
    const id = await decided(decision, { payment_details: card(number) })
    expect(sealedOf(id)).toEqual(expect.any(String))
    const { status, body } = await pay(id)
    expect([status, body.status]).toEqual([200, 'captured'])
    expect(body.payment_details).toMatchObject({ type: 'credit_card', last_four_digits: number.slice(-4) })
    expect(ledgerOf(api, body.id)).toEqual([{ operation: 'charge', amount: 1000, result: 'captured' }])
    expect(sealedOf(id)).toBe(null)
    const before = await paymentCount()
    expect(refusalIn(await pay(id))).toEqual(invalid_token)
    expect(await paymentCount()).toBe(before)
  })

  test('pays one of ten concurrent payments', async () => {
    const id = await decided('authenticate')
    const before = await paymentCount()
    const replies = await Promise.all(Array.from({ length: 10 }, () => pay(id)))
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, ...Array(9).fill(422)])
    expect(await paymentCount()).toBe(before + 1)
  })

  test.each(['none', 'fail', 'close'])('pays nothing before its customer passes (%s)', async (decision) => {
    const id = decision === 'none' ? (await create()).body.id : await decided(decision)
    const before = await paymentCount()
    expect(refusalIn(await pay(id))).toEqual(invalid_token)
    expect(await paymentCount()).toBe(before)
  })

  test('pays nothing before its customer visits the page, also for a card without 3-D Secure', async () => {
    const id = (await create({ payment_details: card() })).body.id
    expect(refusalIn(await pay(id))).toEqual(invalid_token)
  })

  test('pays only its amount and currency, and stays usable after a mismatch', async () => {
    const id = await decided('authenticate')
    expect(refusalIn(await pay(id, { amount: 999 }))).toEqual({
      ...{ status: 422, code: 'invalid_parameter', param: 'amount' },
    })
    expect(refusalIn(await pay(id, { amount: 1001 }))).toMatchObject({ code: 'invalid_parameter', param: 'amount' })
    expect(refusalIn(await pay(id, { currency: 'USD' }))).toEqual({
      ...{ status: 422, code: 'invalid_currency', param: 'currency' },
    })
    expect((await pay(id)).status).toBe(200)
  })

  test('pays an amount with tax if it was created for the total', async () => {
    const id = await decided('authenticate', { amount: 1100 })
    expect((await pay(id, { tax: 'auto' })).body).toMatchObject({ status: 'captured', total: 1100 })
  })

  test('expires after sixty minutes', async () => {
    const [first, second] = [await decided('authenticate'), await decided('authenticate')]
    await api.advance(3_599)
    expect((await pay(first)).status).toBe(200)
    await api.advance(1)
    expect(refusalIn(await pay(second))).toEqual(invalid_token)
  })

  test('cannot be verified after it has expired', async () => {
    const { body } = await create()
    await api.advance(3_600)
    await decideAt(body.authentication_url, 'authenticate')
    expect(itemsOf(api, 'secure_token').find((item) => item.id === body.id)).toMatchObject({
      verification_status: 'NEEDS_VERIFY',
    })
  })

  test('is consumed by a declined charge', async () => {
    const id = await decided('visit', { payment_details: card('4123111111111000') })
    expect(refusalIn(await pay(id))).toMatchObject({ status: 402, code: 'insufficient_funds' })
    expect(refusalIn(await pay(id))).toEqual(invalid_token)
  })

  test('is consumed once by a charge with an unknown outcome', async () => {
    const id = await decided('authenticate')
    const json = { ...order, payment_details: id }
    const headers = { 'x-service-scenario': 'timeout_after_charge', 'idempotency-key': `lost ${id}` }
    const lost = await api.request('POST /payments', { json, headers })
    expect(lost.status).toBe(504)
    expect(refusalIn(await pay(id))).toEqual(invalid_token)
    const resumed = await api.request('POST /payments', { json, headers: { 'idempotency-key': `lost ${id}` } })
    expect(resumed.body).toMatchObject({ id: lost.body.error.details.payment, status: 'captured' })
    expect(ledgerOf(api, resumed.body.id)).toHaveLength(1)
    expect(sealedOf(id)).toBe(null)
  })

  test('is created from a token, which is consumed', async () => {
    const token = (await api.request('POST /tokens', { json: { payment_details: card(asks_3d_secure) } })).body.id
    const id = await decided('authenticate', { payment_details: token })
    expect(refusalIn(await pay(token))).toEqual(invalid_token)
    expect(refusalIn(await create({ payment_details: token }))).toEqual(invalid_token)
    expect((await pay(id)).body.status).toBe('captured')
  })

  test('is created from a customer, who keeps the card', async () => {
    const json = { payment_details: card(asks_3d_secure), email: 'taro@example.com' }
    const customer = (await api.request('POST /customers', { json })).body.id
    const id = await decided('authenticate', { payment_details: undefined, customer })
    expect((await pay(id)).body).toMatchObject({ status: 'captured', payment_details: { last_four_digits: '0100' } })
    expect((await api.request(`GET /customers/${customer}`)).body.source).toMatchObject({ last_four_digits: '0100' })
  })

  test("stores no copy of a customer's card, so it falls due for no erasure", async () => {
    const customer = (await api.request('POST /customers', { json: { payment_details: card(asks_3d_secure) } })).body.id
    const id = await decided('authenticate', { payment_details: undefined, customer })
    const second = await decided('authenticate', { payment_details: id })
    for (const each of [id, second]) {
      const item = itemsOf(api, 'secure_token').find((one) => one.id === each)!
      expect(item).toMatchObject({ sealed: null, customer_card: { customer, version: expect.any(Number) } })
      expect(item).not.toHaveProperty('due_at')
    }
    expect((await pay(second)).body.status).toBe('captured')
  })

  test('loses its payment details at once when 3-D Secure fails', async () => {
    const id = await decided('fail')
    const item = itemsOf(api, 'secure_token').find((one) => one.id === id)!
    expect(item).toMatchObject({ verification_status: 'ERRORED', sealed: null })
    expect(item).not.toHaveProperty('due_at')
  })

  test('loses its payment details exactly when its hour ends', async () => {
    const id = (await create()).body.id
    await api.advance(3_599)
    expect(sealedOf(id)).toEqual(expect.any(String))
    await api.advance(1)
    expect(sealedOf(id)).toBeNull()
  })

  test('is not created from a customer with a publishable key', async () => {
    const customer = (await api.request('POST /customers', { json: { payment_details: card() } })).body.id
    for (const id of [customer, 'cus_unknown']) {
      const json = { amount: 1000, currency: 'JPY', return_url: 'https://shop.example.com/', customer: id }
      const { status, body } = await api.request('POST /secure_tokens', { key: api.test.publishable_key, json })
      expect(status).toBe(403)
      expect(body.error).toMatchObject({ code: 'forbidden', param: 'customer' })
    }
  })

  test('is not created from a customer without payment details', async () => {
    const customer = (await api.request('POST /customers', { json: { payment_details: card() } })).body.id
    await api.request(`PATCH /customers/${customer}`, { json: { payment_details: null } })
    expect(refusalIn(await create({ payment_details: undefined, customer }))).toEqual({
      ...{ status: 422, code: 'unprocessable_entity', param: 'customer' },
    })
  })

  test('is stored as the card of a customer once, after it is verified', async () => {
    const store = (payment_details: string) => api.request('POST /customers', { json: { payment_details } })
    expect(refusalIn(await store((await create()).body.id))).toEqual(invalid_token)
    const id = await decided('authenticate')
    expect((await store(id)).body.source).toMatchObject({ last_four_digits: '0100' })
    expect(sealedOf(id)).toBe(null)
    expect(refusalIn(await store(id))).toEqual(invalid_token)
    expect(refusalIn(await pay(id))).toEqual(invalid_token)
  })

  test('pays a session without another 3-D Secure check, and the session shows the token', async () => {
    const id = await decided('authenticate')
    const session = (await api.request('POST /sessions', { json: order })).body.id
    const { body } = await api.request(`POST /sessions/${session}/pay`, { json: { payment_details: id } })
    expect(body).toMatchObject({ status: 'completed', payment: { status: 'captured' } })
    expect((await api.request(`GET /sessions/${session}`)).body.secure_token).toBe(id)
    expect(refusalIn(await pay(id))).toEqual(invalid_token)
  })

  test('does not pay a session with another amount', async () => {
    const id = await decided('authenticate')
    const session = (await api.request('POST /sessions', { json: { ...order, amount: 1001 } })).body.id
    const reply = await api.request(`POST /sessions/${session}/pay`, { json: { payment_details: id } })
    expect(refusalIn(reply)).toMatchObject({ status: 422, code: 'invalid_parameter' })
    expect((await pay(id)).status).toBe(200)
  })

  test('creates the customer of a session in mode customer, and the session shows the token', async () => {
    const id = await decided('authenticate')
    const session = (await api.request('POST /sessions', { json: { mode: 'customer' } })).body.id
    const { body } = await api.request(`POST /sessions/${session}/pay`, { json: { payment_details: id } })
    expect(body).toMatchObject({ status: 'completed', payment: null })
    expect((await api.request(`GET /sessions/${session}`)).body).toMatchObject({
      secure_token: id,
      customer_id: expect.stringMatching(/^cus_/),
    })
  })

  test('is unknown to other merchants and to the other mode', async () => {
    const { test: other } = await api.newMerchants()
    const id = await decided('authenticate')
    for (const key of [other.secret_key, api.live.secret_key]) {
      const reply = await api.request('POST /payments', { json: { ...order, payment_details: id }, key })
      expect(refusalIn(reply)).toEqual(invalid_token)
    }
    expect((await pay(id)).status).toBe(200)
  })

  test('with konbini details needs only a visit of its page, and its payment is then authorized', async () => {
    const id = await decided('visit', { payment_details: konbini })
    expect((await pay(id)).body).toMatchObject({ status: 'authorized', payment_details: { type: 'konbini' } })
  })
})

describe('a secure token without the field customer_card', () => {
  /**
   * Creates a token as older versions stored it: with a copy of the card, whatever its source, and without a due time.
   */
  const former = async (decision: string): Promise<{ id: string; url: string }> => {
    const { body } = await create()
    if (decision !== 'none') await decideAt(body.authentication_url, decision)
    const item = itemsOf(api, 'secure_token').find(({ id }) => id === body.id)!
    const { customer_card, due_at, due_shard, ...rest } = item
    await api.platform.table.write([{ put: rest }])
    return { id: body.id, url: body.authentication_url }
  }

  test('is shown, and refused by every endpoint that charges or stores it', async () => {
    const { id } = await former('authenticate')
    const session = (await api.request('POST /sessions', { json: order })).body.id
    const customer = (await api.request('POST /customers', { json: { payment_details: card() } })).body.id
    expect((await api.request(`GET /secure_tokens/${id}`)).body.verification_status).toBe('OK')
    const replies = [
      await pay(id),
      await create({ payment_details: id }),
      await api.request(`POST /sessions/${session}/pay`, { json: { payment_details: id } }),
      await api.request('POST /customers', { json: { payment_details: id } }),
      await api.request(`PATCH /customers/${customer}`, { json: { payment_details: id } }),
    ]
    expect(replies.map(refusalIn)).toEqual(replies.map(() => invalid_token))
  })

  test.each(['authenticate', 'fail'])(
    'loses its card when its customer decides (%s) and its hour ends',
    async (decision) => {
      const { id, url } = await former('none')
      await decideAt(url, decision)
      await api.advance(3_600)
      expect(sealedOf(id)).toBeNull()
    },
  )

  test('loses its card when the outcome of its charge becomes known', async () => {
    const { body } = await create()
    await decideAt(body.authentication_url, 'authenticate')
    const headers = { 'x-service-scenario': 'timeout_after_charge' }
    const lost = await api.request('POST /payments', { json: { ...order, payment_details: body.id }, headers })
    const item = itemsOf(api, 'secure_token').find(({ id }) => id === body.id)!
    const { customer_card, due_at, due_shard, ...rest } = item
    await api.platform.table.write([{ put: rest }])
    await api.advance(120)
    expect((await api.request(`GET /payments/${lost.body.error.details.payment}`)).body.status).toBe('captured')
    expect(sealedOf(body.id)).toBeNull()
  })
})

describe('a charge by a secure token whose hour ends before its outcome is known', () => {
  const HOUR = 3_600
  const begun = async (scenario: string, key: string) => {
    const id = await decided('authenticate')
    const json = { ...order, payment_details: id }
    const send = (headers = {}) =>
      api.request('POST /payments', { json, headers: { 'idempotency-key': key, ...headers } })
    const lost = await send({ 'x-service-scenario': scenario })
    expect(lost.status).toBe(504)
    const payment: string = lost.body.error.details.payment
    // The inquiry is postponed beyond the hour, so that the erasure comes first.
    const attempt = itemsOf(api, 'payment').find(({ pk, sk }) => pk.endsWith(payment) && sk.startsWith('attempt#'))!
    const later = { due_at: timestamp(api.platform.clock.now() + 2 * HOUR * 1000) }
    await api.platform.table.write([{ put: { ...attempt, ...later, inquire_at: later.due_at } }])
    await api.advance(HOUR)
    expect(sealedOf(id)).toBeNull()
    return { send, payment }
  }

  test('is captured if it arrived', async () => {
    const { send, payment } = await begun('timeout_after_charge', 'arrived before the hour')
    expect((await send()).body).toMatchObject({ id: payment, status: 'captured' })
    expect(ledgerOf(api, payment)).toHaveLength(1)
  })

  test('fails if it never arrived, and is not sent again', async () => {
    const { send, payment } = await begun('timeout_before_charge', 'never arrived')
    expect(refusalIn(await send())).toMatchObject({ status: 402, code: 'other_error' })
    expect((await api.request(`GET /payments/${payment}`)).body.status).toBe('failed')
    await api.advance(2 * HOUR)
    expect(ledgerOf(api, payment).filter(({ result }) => result !== 'never_arrived')).toEqual([])
  })
})
