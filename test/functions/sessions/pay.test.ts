import { createHmac } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { invoker } from '#infra/local/server.ts'
import { decideAt } from '#test/browser/customer-decision.ts'
import { allKept, eventTypesOf, itemsOf, ledgerOf, refusalIn } from '#test/faults/witness.ts'
import { type Api, card, konbini, openApi } from '#test/fixtures/api.ts'
import { openReceiver } from '#test/fixtures/receiver.ts'

let api: Api
beforeAll(async () => {
  api = await openApi()
})
afterAll(() => api.close())

const order = { amount: 1000, currency: 'JPY', return_url: 'https://shop.example.com/done?a=1#top' }
const paypay = { type: 'paypay' }
const declined = '4123111111111000'
const asks_3d_secure = '4100000000000100'

const make = async (fields: object = {}): Promise<string> =>
  (await api.request('POST /sessions', { json: { ...order, ...fields } })).body.id
const pay = (id: string, payment_details: object | string = card(), headers: Record<string, string> = {}) =>
  api.request(`POST /sessions/${id}/pay`, { json: { payment_details }, headers })
const show = async (id: string) => (await api.request(`GET /sessions/${id}`)).body
const payment = async (id: string) => (await api.request(`GET /payments/${id}`)).body
const paymentsOf = (session: string) =>
  itemsOf(api, 'payment').filter((item) => item.sk === 'payment' && item.session === session)
const back = (id: string) => `https://shop.example.com/done?a=1&session_id=${id}#top`
const sessionPage = (id: string) => `${api.url}/pages/sessions/${api.test.id}/${id}`

describe('POST /sessions/:id/pay', () => {
  test('completes the session with a captured payment by card, and redirects to return_url', async () => {
    const id = await make({
      metadata: { a: 'x', b: 12 },
      payment_data: { tax: 'auto', external_order_num: 'order-7' },
    })
    const { status, text, body } = await pay(id)
    expect(status).toBe(200)
    expect(text).toBe(
      JSON.stringify({ redirect_url: back(id), status: 'completed', payment: body.payment, error: null }),
    )
    expect(body.payment).toMatchObject({
      ...{ status: 'captured', amount: 1000, tax: 100, total: 1100, currency: 'JPY', session: id },
      ...{ external_order_num: 'order-7', metadata: { a: 'x', b: 12 }, customer: null },
    })
    expect(body.payment).toEqual(await payment(body.payment.id))
    expect(await show(id)).toMatchObject({ status: 'completed', payment: body.payment })
    expect(await eventTypesOf(api, body.payment.id)).toEqual(['payment.captured'])
    expect(ledgerOf(api, body.payment.id)).toEqual([{ operation: 'charge', amount: 1100, result: 'captured' }])
  })

  test('authorizes a card if capture is manual, and completes the session', async () => {
    const id = await make({ payment_data: { capture: 'manual' } })
    const { body } = await pay(id)
    expect(body).toMatchObject({ redirect_url: back(id), status: 'completed', payment: { status: 'authorized' } })
    const captured = await api.request(`POST /payments/${body.payment.id}/capture`, { json: {} })
    expect(captured.body).toMatchObject({ status: 'captured', session: id })
    expect((await show(id)).payment.status).toBe('captured')
  })

  test('reserves a cash payment with its fee, and completes the session', async () => {
    const id = await make()
    const { body } = await pay(id, konbini)
    expect(body).toMatchObject({ status: 'completed', error: null })
    expect(body.payment).toMatchObject({ status: 'authorized', payment_method_fee: 190, total: 1190, session: id })
    expect(body.redirect_url).toBe(body.payment.payment_details.instructions_url)
    const instructions = await (await fetch(body.redirect_url)).text()
    expect(instructions).toContain(`href="${back(id).replace('&', '&amp;')}"`)
    await api.request(`POST /_local/payments/${body.payment.id}/pay`)
    expect(await show(id)).toMatchObject({ status: 'completed', payment: { status: 'captured' } })
  })

  test('redirects to the instructions for cash, and to the session page for a card, if there is no return_url', async () => {
    const cash = await make({ return_url: null })
    const { body } = await pay(cash, konbini)
    expect(body.redirect_url).toBe(body.payment.payment_details.instructions_url)
    const id = await make({ return_url: null })
    expect((await pay(id)).body.redirect_url).toBe(sessionPage(id))
  })

  test.each([
    { type: 'konbini', store: 'lawson' },
    { type: 'mobile' },
    { type: 'net_cash', prepaid_number: '1111111111111234' },
  ])('uses the e-mail address of the session for $type, and requires one if neither has it', async (details) => {
    const { body } = await pay(await make({ email: 'taro@example.com' }), details)
    expect(body.payment.payment_details.email).toBe('taro@example.com')
    const own = await pay(await make({ email: 'taro@example.com' }), { ...details, email: 'hana@example.com' })
    expect(own.body.payment.payment_details.email).toBe('hana@example.com')
    const id = await make()
    const missing = { status: 422, code: 'missing_parameter', param: 'payment_details[email]' }
    expect(refusalIn(await pay(id, details))).toEqual(missing)
    expect(await show(id)).toMatchObject({ status: 'pending', payment: null })
  })

  test.each([
    ['a wallet', paypay, 'approve', 'decline'],
    ['a card with 3-D Secure', card(asks_3d_secure), 'authenticate', 'fail'],
  ])('keeps the session pending with %s until the customer decides off-site', async (_, details, yes, no) => {
    const id = await make()
    const { status, body } = await pay(id, details)
    expect(status).toBe(200)
    const url = body.payment.payment_details.redirect_url
    expect(body).toMatchObject({ redirect_url: url, status: 'pending', error: null, payment: { status: 'pending' } })
    expect(url).toBe(`${api.url}/pages/off_site/${api.test.id}/${body.payment.id}`)
    expect(await show(id)).toMatchObject({ status: 'pending', completed_at: null, payment: { id: body.payment.id } })

    expect((await decideAt(url, no)).status).toBe(303)
    expect(await show(id)).toMatchObject({ status: 'pending', payment: { id: body.payment.id, status: 'failed' } })
    expect(await eventTypesOf(api, body.payment.id)).toEqual(['payment.failed'])

    const second = (await pay(id, details)).body
    await decideAt(second.redirect_url, yes)
    expect(await show(id)).toMatchObject({
      ...{ status: 'completed', completed_at: '2030-01-02T03:00:00Z' },
      payment: { id: second.payment.id, status: 'captured' },
    })
    expect(await eventTypesOf(api, second.payment.id)).toEqual(['payment.captured'])
    await decideAt(second.redirect_url, no)
    expect((await show(id)).payment.status).toBe('captured')
  })

  test('completes the session when a wallet payment is paid by the local command', async () => {
    const id = await make()
    const { body } = await pay(id, paypay)
    await api.request(`POST /_local/payments/${body.payment.id}/pay`)
    expect(await show(id)).toMatchObject({ status: 'completed', payment: { status: 'captured' } })
  })

  test('lets the customer try again after the merchant has cancelled the payment', async () => {
    const id = await make()
    const { body } = await pay(id, paypay)
    await api.request(`POST /payments/${body.payment.id}/cancel`)
    expect(await show(id)).toMatchObject({ status: 'pending', payment: { status: 'cancelled' } })
    expect((await pay(id)).body).toMatchObject({ status: 'completed', payment: { status: 'captured' } })
  })

  test('voids a charge with an unknown outcome that the merchant cancels, and accepts another try', async () => {
    const id = await make()
    const lost = await pay(id, card(), { 'x-service-scenario': 'timeout_after_charge' })
    const first = lost.body.error.details.payment
    await api.request(`POST /payments/${first}/cancel`)
    const { body } = await pay(id)
    expect(body).toMatchObject({ status: 'completed', payment: { status: 'captured' } })
    await api.advance(3_600)
    expect(await show(id)).toMatchObject({ status: 'completed', payment: { id: body.payment.id, status: 'captured' } })
    expect((await payment(first)).status).toBe('cancelled')
    const asked = ledgerOf(api, first).map(({ operation, result }) => `${operation} ${result}`)
    expect(asked.slice(0, 2)).toEqual(['charge captured', 'void done'])
  })

  test('authorizes a card with 3-D Secure if capture is manual, and completes the session', async () => {
    const id = await make({ payment_data: { capture: 'manual' } })
    const { body } = await pay(id, card(asks_3d_secure))
    await decideAt(body.redirect_url, 'authenticate')
    expect(await show(id)).toMatchObject({ status: 'completed', payment: { status: 'authorized' } })
  })

  test('answers 200 with a message after a decline, and accepts another card', async () => {
    const id = await make({ default_locale: 'en' })
    const { status, body } = await pay(id, card(declined))
    expect(status).toBe(200)
    expect(body).toMatchObject({
      redirect_url: null,
      status: 'pending',
      payment: { status: 'failed', session: id },
      error: expect.stringMatching(/^[A-Z].*\.$/),
    })
    expect(await eventTypesOf(api, body.payment.id)).toEqual(['payment.failed'])
    expect(await show(id)).toMatchObject({ status: 'pending', payment: { id: body.payment.id, status: 'failed' } })
    const second = (await pay(id)).body
    expect(second).toMatchObject({ status: 'completed', payment: { status: 'captured' } })
    expect(second.payment.id).not.toBe(body.payment.id)
    expect(paymentsOf(id)).toHaveLength(2)
  })

  test('answers a fraudulent card like a decline', async () => {
    const id = await make()
    const { status, body } = await pay(id, card('4123111111111083'))
    expect([status, body.status, body.redirect_url]).toEqual([200, 'pending', null])
    expect(body.error).toEqual(expect.any(String))
    expect(await eventTypesOf(api, body.payment.id)).toEqual(['payment.failed', 'payment.marked.as.fraud'])
  })

  test('returns the same outcome of a completed session for any payment details, and charges nothing', async () => {
    const id = await make()
    const first = await pay(id)
    for (const details of [card('5555555555554444'), card(declined), konbini, 'tok_1'])
      expect(await pay(id, details)).toMatchObject({ status: 200, text: first.text })
    expect(paymentsOf(id)).toHaveLength(1)
    expect(ledgerOf(api, first.body.payment.id)).toHaveLength(1)
  })

  test('consumes a token, and changes nothing if the token is unknown', async () => {
    const id = await make()
    const token = (await api.request('POST /tokens', { json: { payment_details: card() } })).body.id
    expect(refusalIn(await pay(id, 'tok_1'))).toEqual({ status: 422, code: 'invalid_token', param: 'payment_details' })
    expect(await show(id)).toMatchObject({ status: 'pending', payment: null })
    expect((await pay(id, token)).body.status).toBe('completed')
    expect(refusalIn(await pay(await make(), token))).toMatchObject({ status: 422, code: 'invalid_token' })
  })

  test('accepts a publishable key from a browser', async () => {
    const id = await make()
    const { status, headers, body } = await api.request(`POST /sessions/${id}/pay`, {
      key: api.test.publishable_key,
      form: Object.entries(card()).map(([name, value]) => [`payment_details[${name}]`, String(value)] as const),
    })
    expect([status, body.status, headers.get('access-control-allow-origin')]).toEqual([200, 'completed', '*'])
    const cancelled = await api.request(`POST /sessions/${id}/cancel`, { key: api.test.publishable_key })
    expect(cancelled.status).toBe(403)
  })

  test.each([
    [{}, 'missing_parameter', 'payment_details'],
    [{ payment_details: card('4111111111111112') }, 'invalid_parameter', 'payment_details[number]'],
    [{ payment_details: { ...card(), month: 12, year: 2029 } }, 'invalid_parameter', 'payment_details[year]'],
    [{ payment_details: { type: 'barter' } }, 'invalid_payment_type', 'payment_details[type]'],
    [{ payment_details: paypay }, 'invalid_payment_type', 'payment_details'],
  ])('refuses %j with %s of %s and creates no payment', async (json, code, param) => {
    const id = await make({ payment_types: ['credit_card', 'konbini'] })
    expect(refusalIn(await api.request(`POST /sessions/${id}/pay`, { json }))).toEqual({ status: 422, code, param })
    expect(await show(id)).toMatchObject({ status: 'pending', payment: null })
  })

  test('refuses a token of a payment type that is not offered, and does not consume it', async () => {
    const id = await make({ payment_types: ['konbini'] })
    const token = (await api.request('POST /tokens', { json: { payment_details: card() } })).body.id
    expect(refusalIn(await pay(id, token))).toMatchObject({ status: 422, code: 'invalid_payment_type' })
    expect((await pay(await make(), token)).body.status).toBe('completed')
  })

  test('answers 404 for an unknown id and for a session of another merchant or mode, and charges nothing', async () => {
    const id = await make()
    const { test: other } = await api.newMerchants()
    expect((await pay('ses_1')).status).toBe(404)
    for (const key of [other.secret_key, other.publishable_key, api.live.secret_key])
      expect((await api.request(`POST /sessions/${id}/pay`, { json: { payment_details: card() }, key })).status).toBe(
        404,
      )
    expect(await show(id)).toMatchObject({ status: 'pending', payment: null })
  })

  test('refuses a token that was made for another currency', async () => {
    const json = { payment_details: card(), currency: 'USD' }
    const token = (await api.request('POST /tokens', { json })).body.id
    const reply = await pay(await make(), token)
    expect(refusalIn(reply)).toEqual({ status: 422, code: 'invalid_currency', param: 'currency' })
  })

  test('answers 503 in live mode once the stage has no acquirer any more', async () => {
    const stage: { live_acquirer: 'sandbox' | 'none' } = { live_acquirer: 'sandbox' }
    const closing: Api = await openApi({
      invoke: (file, event) => invoker({ ...closing.platform, ...stage })(file, event),
    })
    const key = closing.live.secret_key
    const { id } = (await closing.request('POST /sessions', { json: order, key })).body
    stage.live_acquirer = 'none'
    const reply = await closing.request(`POST /sessions/${id}/pay`, { json: { payment_details: card() }, key })
    await closing.close()
    expect(refusalIn(reply)).toEqual({ status: 503, code: 'service_unavailable', param: null })
  })

  test('never stores, logs or shows the card number, the name or the verification value in plain text', async () => {
    const id = await make()
    const { text } = await pay(id, { ...card('5555555555554444'), verification_value: '7391', name: 'Canary Bird' })
    for (const where of [text, JSON.stringify(await show(id)), allKept(api), JSON.stringify(api.logs)])
      for (const secret of ['5555555555554444', 'Canary Bird', '"7391"']) expect(where).not.toContain(secret)
  })
})

describe('a customer who pays in another way', () => {
  test('abandons the wallet payment, which is cancelled, and pays only by card', async () => {
    const id = await make()
    const left = (await pay(id, paypay)).body
    const { body } = await pay(id)
    expect(body).toMatchObject({ status: 'completed', payment: { status: 'captured' } })
    expect(await payment(left.payment.id)).toMatchObject({ status: 'cancelled', session: id })
    expect(await eventTypesOf(api, left.payment.id)).toEqual(['payment.cancelled'])
    await decideAt(left.redirect_url, 'approve')
    await api.advance(60)
    expect(await payment(left.payment.id)).toMatchObject({ status: 'cancelled' })
    expect(ledgerOf(api, left.payment.id).map(({ operation }) => operation)).toEqual(['charge', 'void'])
    expect(await show(id)).toMatchObject({ status: 'completed', payment: { id: body.payment.id } })
  })

  test('keeps the wallet payment if the other payment details are refused', async () => {
    const id = await make({ payment_types: ['credit_card', 'paypay'] })
    const left = (await pay(id, paypay)).body
    expect((await pay(id, konbini)).status).toBe(422)
    expect((await pay(id, 'tok_1')).status).toBe(422)
    await decideAt(left.redirect_url, 'approve')
    expect(await show(id)).toMatchObject({ status: 'completed', payment: { id: left.payment.id } })
  })
})

describe('a session that has ended', () => {
  test('refuses payment with 422 after it has expired', async () => {
    const id = await make({ expires_in_seconds: 60 })
    await api.advance(60)
    expect(refusalIn(await pay(id))).toEqual({ status: 422, code: 'unprocessable_entity', param: null })
    expect(paymentsOf(id)).toEqual([])
  })

  test('refuses payment with 422 after it was cancelled', async () => {
    const id = await make()
    await api.request(`POST /sessions/${id}/cancel`)
    expect(refusalIn(await pay(id))).toEqual({ status: 422, code: 'unprocessable_entity', param: null })
    expect(paymentsOf(id)).toEqual([])
  })

  test('expires its off-site payment at the deadline of the payment', async () => {
    const id = await make({ expires_in_seconds: 60 })
    const { body } = await pay(id, paypay)
    await api.advance(3 * 86_400)
    expect(await show(id)).toMatchObject({ status: 'pending', expired: true, payment: { status: 'expired' } })
    await decideAt(body.redirect_url, 'approve')
    expect((await payment(body.payment.id)).status).toBe('expired')
  })
})

describe('a session in mode customer', () => {
  test('stores a customer who can be charged later, without a call to the acquirer', async () => {
    const id = await make({ mode: 'customer', email: 'taro@example.com', metadata: { a: 1 } })
    const { status, body } = await pay(id, card(declined))
    expect(status).toBe(200)
    expect(body).toEqual({ redirect_url: back(id), status: 'completed', payment: null, error: null })
    const { customer_id } = await show(id)
    const customer = (await api.request(`GET /customers/${customer_id}`)).body
    expect(customer).toMatchObject({ email: 'taro@example.com', metadata: { a: 1 } })
    expect(customer.source).toMatchObject({ type: 'credit_card', last_four_digits: '1000' })
    expect(await eventTypesOf(api, customer_id)).toEqual(['customer.created'])
    expect(paymentsOf(id)).toEqual([])
    const again = await pay(id, card())
    expect(again.body).toEqual(body)
    expect((await show(id)).customer_id).toBe(customer_id)
  })

  test('consumes a token', async () => {
    const token = (await api.request('POST /tokens', { json: { payment_details: card() } })).body.id
    expect((await pay(await make({ mode: 'customer' }), token)).body.status).toBe('completed')
    expect((await pay(await make(), token)).body.error.code).toBe('invalid_token')
  })

  test('refuses a payment type that cannot be charged again', async () => {
    const id = await make({ mode: 'customer' })
    expect(refusalIn(await pay(id, konbini))).toMatchObject({ status: 422, code: 'invalid_payment_type' })
    expect(await show(id)).toMatchObject({ status: 'pending', customer_id: null })
  })
})

describe('a session payment with an unknown outcome', () => {
  const unknown = { status: 504, code: 'gateway_timeout', param: null }

  test('is shown to later tries while it is pending, and completes the session once the charge is known', async () => {
    const id = await make()
    const reply = await pay(id, card(), { 'x-service-scenario': 'timeout_after_charge' })
    expect(refusalIn(reply)).toEqual(unknown)
    const tried = reply.body.error.details.payment
    expect(await show(id)).toMatchObject({ status: 'pending', payment: { id: tried, status: 'pending' } })
    for (const details of [card('5555555555554444'), konbini])
      expect((await pay(id, details)).body).toMatchObject({
        ...{ redirect_url: sessionPage(id), status: 'pending', error: null },
        payment: { id: tried, status: 'pending' },
      })
    expect(refusalIn(await api.request(`POST /sessions/${id}/cancel`))).toMatchObject({ status: 409, code: 'conflict' })
    await api.advance(120)
    expect(await show(id)).toMatchObject({ status: 'completed', payment: { id: tried, status: 'captured' } })
    expect(paymentsOf(id)).toHaveLength(1)
    expect(ledgerOf(api, tried)).toEqual([{ operation: 'charge', amount: 1000, result: 'captured' }])
    expect(await eventTypesOf(api, tried)).toEqual(['payment.captured'])
  })

  test('fails once it is known that no order arrived, and the session can be tried again', async () => {
    const id = await make()
    const reply = await pay(id, card(), { 'x-service-scenario': 'timeout_before_charge' })
    expect(refusalIn(reply)).toEqual(unknown)
    const tried = reply.body.error.details.payment
    expect((await pay(id)).body).toMatchObject({ status: 'pending', payment: { id: tried, status: 'pending' } })
    await api.advance(120)
    expect(await show(id)).toMatchObject({ status: 'pending', payment: { id: tried, status: 'failed' } })
    const { body } = await pay(id)
    expect(body).toMatchObject({ status: 'completed', payment: { status: 'captured' } })
    expect(ledgerOf(api, tried).filter(({ result }) => result !== 'declined' && result !== 'never_arrived')).toEqual([])
  })

  test.each(['timeout_before_charge', 'timeout_after_charge'])(
    'is resumed after %s by a request with the same idempotency key, and charged once',
    async (scenario) => {
      const id = await make()
      const key = { 'idempotency-key': `resume ${id}` }
      const lost = await pay(id, card(), { ...key, 'x-service-scenario': scenario })
      expect(lost.status).toBe(504)
      const { status, body, text } = await pay(id, card(), key)
      expect(status).toBe(200)
      expect(body).toMatchObject({ redirect_url: back(id), status: 'completed', payment: { status: 'captured' } })
      expect(body.payment.id).toBe(lost.body.error.details.payment)
      const replayed = await pay(id, card(), key)
      expect(replayed.text).toBe(text)
      expect(replayed.headers.get('idempotent-replayed')).toBe('true')
      expect(ledgerOf(api, body.payment.id)).toEqual([{ operation: 'charge', amount: 1000, result: 'captured' }])
      expect(paymentsOf(id)).toHaveLength(1)
    },
  )

  test('replays a decline under the same idempotency key, and tries again under a new key', async () => {
    const id = await make()
    const first = await pay(id, card(declined), { 'idempotency-key': `declined ${id}` })
    const again = await pay(id, card(declined), { 'idempotency-key': `declined ${id}` })
    expect(again.text).toBe(first.text)
    expect(paymentsOf(id)).toHaveLength(1)
    expect((await pay(id, card(), { 'idempotency-key': `paid ${id}` })).body.status).toBe('completed')
  })
})

describe('the webhooks of a session', () => {
  test('are called for all its payments, including failed ones, and sign with their secret_key', async () => {
    const receiver = await openReceiver(() => api.platform.clock.now())
    const events = ['payment.captured', 'payment.failed']
    const webhooks = [
      { url: `${receiver.origin}/signed`, events, secret_key: 'own' },
      { url: `${receiver.origin}/unsigned`, events: ['payment.captured'] },
    ]
    const id = await make({ payment_data: { webhooks } })
    await pay(id, card(declined))
    const { body } = await pay(id)
    await api.advance(0)
    await receiver.close()
    const arrived = receiver.received.map(({ path, body }) => `${path} ${JSON.parse(String(body)).type}`)
    expect(arrived.toSorted()).toEqual([
      '/signed payment.captured',
      '/signed payment.failed',
      '/unsigned payment.captured',
    ])
    const signed = receiver.received.filter(({ path }) => path === '/signed')
    for (const { headers, body } of signed) {
      expect(headers['x-service-signature']).toBe(createHmac('sha256', 'own').update(body).digest('hex'))
      const at = new Date(Number(headers['webhook-timestamp']) * 1000)
      const expected = new Webhook(Buffer.from('own'), { format: 'raw' }).sign(
        String(headers['webhook-id']),
        at,
        String(body),
      )
      expect(headers['webhook-signature']).toBe(expected)
    }
    const unsigned = receiver.received.find(({ path }) => path === '/unsigned')!
    expect(Object.keys(unsigned.headers)).not.toContain('x-service-signature')
    expect(JSON.parse(String(unsigned.body)).data).toMatchObject({ id: body.payment.id, session: id })
  })
})

describe('POST /sessions/:id/pay of a session with a customer', () => {
  const newCustomer = async (number?: string) => {
    const json = { payment_details: card(number), email: 'stored@example.com' }
    return (await api.request('POST /customers', { json })).body.id as string
  }
  const payAs = (id: string, customer: unknown, key = api.test.secret_key) =>
    api.request(`POST /sessions/${id}/pay`, { json: { customer }, key })

  test('charges the stored card, also with a publishable key', async () => {
    for (const key of [api.test.secret_key, api.test.publishable_key]) {
      const customer = await newCustomer()
      const id = await make({ customer })
      const { body } = await payAs(id, customer, key)
      expect(body).toMatchObject({ status: 'completed', redirect_url: back(id), error: null })
      expect(body.payment).toMatchObject({ status: 'captured', customer, session: id })
      expect(body.payment.payment_details).toMatchObject({ type: 'credit_card', last_four_digits: '1111' })
      const { data } = (await api.request(`GET /payments?customer=${customer}`)).body
      expect(data.map((listed: { id: string }) => listed.id)).toEqual([body.payment.id])
      expect(await show(id)).toMatchObject({ status: 'completed', customer_id: customer })
    }
  })

  test('names the customer in a payment with other payment details, and leaves the stored card', async () => {
    const customer = await newCustomer()
    const id = await make({ customer })
    const { body } = await pay(id, card('5555555555554444'))
    expect(body.payment).toMatchObject({ customer, payment_details: { last_four_digits: '4444' } })
    const stored = (await api.request(`GET /customers/${customer}`)).body
    expect(stored.source.last_four_digits).toBe('1111')
  })

  test('makes one payment of two tries at once, and lets a declined customer try again', async () => {
    const customer = await newCustomer()
    const id = await make({ customer })
    const replies = await Promise.all([payAs(id, customer), payAs(id, customer)])
    expect(new Set(replies.map(({ body }) => body.payment?.id)).size).toBe(1)
    expect(paymentsOf(id)).toHaveLength(1)

    const poor = await newCustomer(declined)
    const second = await make({ customer: poor })
    expect((await payAs(second, poor)).body).toMatchObject({ status: 'pending', error: expect.any(String) })
    expect((await pay(second)).body).toMatchObject({ status: 'completed', payment: { customer: poor } })
  })

  test('refuses a customer other than that of the session, and one whose card is gone', async () => {
    const customer = await newCustomer()
    const other = await newCustomer()
    const own = await make({ customer })
    const none = await make()
    const storing = (await api.request('POST /sessions', { json: { mode: 'customer' } })).body.id
    for (const [id, named] of [
      [own, other],
      [own, 'cus_none'],
      [none, customer],
      [storing, customer],
    ] as const)
      expect(refusalIn(await payAs(id, named))).toEqual({ status: 422, code: 'invalid_parameter', param: 'customer' })
    const both = await api.request(`POST /sessions/${own}/pay`, { json: { customer, payment_details: card() } })
    expect(refusalIn(both)).toEqual({ status: 422, code: 'invalid_parameter', param: 'payment_details' })
    const neither = await api.request(`POST /sessions/${own}/pay`, { json: {} })
    expect(refusalIn(neither)).toEqual({ status: 422, code: 'missing_parameter', param: 'payment_details' })
    await api.request(`DELETE /customers/${customer}`)
    expect(refusalIn(await payAs(own, customer))).toMatchObject({ status: 422, param: 'customer' })
    expect(paymentsOf(own)).toEqual([])
  })

  test('refuses a stored card in a session that takes no cards', async () => {
    const customer = await newCustomer()
    const id = await make({ customer, payment_types: ['konbini'] })
    expect(refusalIn(await payAs(id, customer))).toMatchObject({ status: 422, code: 'invalid_payment_type' })
  })
})
