import { mkdirSync, rmdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { changed } from '#shared/store/change.ts'
import { payments } from '#shared/store/payments.ts'
import { eventTypesOf, refusalIn } from '#test/faults/witness.ts'
import { type Api, card, konbini, openApi, type RequestOptions } from '#test/fixtures/api.ts'

let api: Api
beforeAll(async () => {
  api = await openApi()
})
afterAll(() => api.close())

/** Sends a control request, which needs no key. */
const control = (route: string, json?: unknown) => api.request(route, { key: null, json })

const form = { 'content-type': 'application/x-www-form-urlencoded' }
const multipart = { 'content-type': 'multipart/form-data; boundary=x' }

const bank = {
  customer_name: 'T',
  bank_name: 'M',
  branch_number: '1',
  account_type: 'normal',
  account_number: '1234',
}

const make = async (payment_details: object = konbini, fields: object = {}) =>
  (await api.request('POST /payments', { json: { amount: 1000, currency: 'JPY', payment_details, ...fields } })).body

describe('/_local', () => {
  test('GET /_local/health returns the status and the time', async () => {
    const { status, body } = await control('GET /_local/health')
    expect([status, body]).toEqual([200, { status: 'ok', now: '2030-01-02T03:00:00Z' }])
  })

  test('POST /_local/merchants creates a test and a live merchant whose keys work at once', async () => {
    const { status, body } = await control('POST /_local/merchants', { name: 'A shop' })
    expect(status).toBe(200)
    expect(Object.keys(body)).toEqual(['test', 'live', 'account'])
    for (const mode of ['test', 'live']) {
      expect(Object.keys(body[mode])).toEqual(['id', 'secret_key', 'publishable_key'])
      expect((await api.request('GET /payments', { key: body[mode].secret_key })).status).toBe(200)
      const token = await api.request('POST /tokens', {
        key: body[mode].publishable_key,
        json: { payment_details: card() },
      })
      expect(token.status).toBe(200)
    }
    const own = await api.request(`GET /accounts/${body.account}`, { key: body.live.secret_key })
    expect(own.body).toMatchObject({ id: body.account, name: 'A shop', test_merchant: body.test.id })
    expect((await control('POST /_local/merchants')).body.test.id).not.toBe(body.test.id)
  })

  test('POST /_local/payments/:id/pay captures a payment at a convenience store, once', async () => {
    const before = await make()
    const { status, body } = await control(`POST /_local/payments/${before.id}/pay`)
    expect([status, body]).toEqual([200, { ...before, status: 'captured', captured_at: body.captured_at }])
    expect(body).toEqual((await api.request(`GET /payments/${before.id}`)).body)
    expect(await eventTypesOf(api, before.id)).toEqual(['payment.authorized', 'payment.captured'])
    const again = await control(`POST /_local/payments/${before.id}/pay`)
    expect(refusalIn(again)).toMatchObject({ status: 422, code: 'not_capturable' })
    expect(again.body.error.message).toBe('The payment is captured: it is already paid.')
  })

  test('POST /_local/payments/:id/pay completes wallet payments and 3-D Secure, and authorizes with capture false', async () => {
    const pay = async (details: object, fields: object = {}) =>
      (await control(`POST /_local/payments/${(await make(details, fields)).id}/pay`)).body.status
    expect(await pay({ type: 'paypay' })).toBe('captured')
    expect(await pay(card('4100000000000100'))).toBe('captured')
    expect(await pay(card('4100000000000100'), { capture: false })).toBe('authorized')
  })

  test('POST /_local/payments/:id/pay captures a payment once if it is called twice at the same time', async () => {
    const { id } = await make()
    const replies = await Promise.all([1, 2].map(() => control(`POST /_local/payments/${id}/pay`)))
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 422])
    expect(await eventTypesOf(api, id)).toEqual(['payment.authorized', 'payment.captured'])
  })

  test('POST /_local/payments/:id/pay refuses a payment at a provider, which only its customer can pay', async () => {
    const { id } = await make()
    const work = api.work()
    await work.commit([changed(payments, { ...(await work.get(payments, id)), provider: 'stripe' })])
    const reply = await control(`POST /_local/payments/${id}/pay`)
    expect(refusalIn(reply)).toMatchObject({ status: 422, code: 'unprocessable_entity' })
    expect((await api.request(`GET /payments/${id}`)).body.status).toBe('authorized')
  })

  test('POST /_local/refund_requests/:id completes or rejects a refund request', async () => {
    const { id } = await make()
    await control(`POST /_local/payments/${id}/pay`)
    const ask = async (amount: number): Promise<string> => {
      const { body } = await api.request(`POST /payments/${id}/refund_request`, { json: { amount, ...bank } })
      return body.refund_requests.at(-1).id
    }
    const end = (request: string, status: string) => control(`POST /_local/refund_requests/${request}`, { status })
    const [first, second] = [await ask(200), await ask(300)]
    expect(
      (await end(second, 'rejected')).body.refund_requests.map(({ status }: { status: string }) => status),
    ).toEqual(['pending', 'rejected'])
    const completed = await end(first, 'completed')
    expect(completed.body).toMatchObject({ amount_refunded: 200, refunds: [{ amount: 200, chargeback: false }] })
    expect((await end(first, 'completed')).body).toEqual(completed.body)
    expect(refusalIn(await end(second, 'completed'))).toMatchObject({ status: 422, code: 'unprocessable_entity' })
    expect((await end(await ask(990), 'completed')).body.status).toBe('refunded')
    expect((await eventTypesOf(api, id)).slice(-3)).toEqual([
      'payment.updated',
      'payment.refund.created',
      'payment.refunded',
    ])
  })

  test.each<[string, unknown, number, string]>([
    ['POST /_local/payments/pay_1/pay', {}, 404, 'not_found'],
    ['POST /_local/refund_requests/rrq_1', { status: 'completed' }, 404, 'not_found'],
    ['POST /_local/refund_requests/rrq_1', { status: 'lost' }, 422, 'invalid_parameter'],
    ['POST /_local/refund_requests/rrq_1', {}, 422, 'invalid_parameter'],
    ['GET /_local/merchants', undefined, 404, 'not_found'],
    ['POST /_local/health', {}, 404, 'not_found'],
    ['POST /_local/nothing', {}, 404, 'not_found'],
    ['GET /_local/', undefined, 404, 'not_found'],
  ])('%s answers %j with %d %s', async (route, json, status, code) => {
    const reply = await control(route, json)
    expect(refusalIn(reply)).toMatchObject({ status, code })
    expect(reply.body.error.request_id).toBe(reply.headers.get('x-request-id'))
  })

  test.each<[string, RequestOptions, number, string]>([
    ['broken JSON', { raw: '{' }, 400, 'bad_request'],
    ['a list', { json: [60] }, 400, 'bad_request'],
    ['a JSON text', { json: 'advance=60' }, 400, 'bad_request'],
    ['a multipart body without its end', { raw: 'advance', headers: multipart }, 400, 'bad_request'],
    ['another format', { raw: '<advance/>', headers: { 'content-type': 'text/xml' } }, 415, 'unsupported_media_type'],
  ])('refuses %s', async (_body, options, status, code) => {
    const reply = await api.request('POST /_local/clock', { key: null, ...options })
    expect(refusalIn(reply)).toMatchObject({ status, code })
  })

  test.each<[string, unknown]>([
    ['a number', 5],
    ['a list', ['A shop']],
    ['a text of 256 characters', 'x'.repeat(256)],
  ])('POST /_local/merchants refuses %s as a name', async (_value, name) => {
    expect(refusalIn(await control('POST /_local/merchants', { name }))).toEqual({
      status: 422,
      code: 'invalid_parameter',
      param: 'name',
    })
  })
})

describe('POST /_local/clock', () => {
  test('advances the clock and answers after all due work is done', async () => {
    const { id } = await make()
    const { status, body } = await control('POST /_local/clock', { advance: 3 * 86_400 })
    expect([status, body]).toEqual([200, { now: '2030-01-05T03:00:00Z' }])
    expect((await api.request(`GET /payments/${id}`)).body.status).toBe('authorized')
    expect((await control('POST /_local/clock', { advance: '43199' })).body).toEqual({ now: '2030-01-05T14:59:59Z' })
    expect((await api.request(`GET /payments/${id}`)).body.status).toBe('expired')
  })

  test('accepts an advance of 0', async () => {
    const { body } = await control('GET /_local/health')
    expect((await control('POST /_local/clock', { advance: 0 })).body).toEqual({ now: body.now })
  })

  test('answers 503 with Retry-After if the clock offset cannot be saved', async () => {
    const before = (await control('GET /_local/health')).body.now
    mkdirSync(join(api.data_dir, 'clock.new'))
    const reply = await control('POST /_local/clock', { advance: 60 })
    expect(refusalIn(reply)).toMatchObject({ status: 503, code: 'service_unavailable' })
    expect(reply.headers.get('retry-after')).toBe('5')
    expect((await control('GET /_local/health')).body.now).toBe(before)
    rmdirSync(join(api.data_dir, 'clock.new'))
    expect((await control('POST /_local/clock', { advance: 60 })).status).toBe(200)
  })

  test.each([{}, { advance: -1 }, { advance: 'soon' }, { advance: 1e20 }, { advance: true }, { advance: [5] }])(
    'refuses %j and does not advance the clock',
    async (json) => {
      const before = (await control('GET /_local/health')).body.now
      expect(refusalIn(await control('POST /_local/clock', json))).toEqual({
        status: 422,
        code: 'invalid_parameter',
        param: 'advance',
      })
      expect((await control('GET /_local/health')).body.now).toBe(before)
    },
  )
})

describe('parameters in a form', () => {
  const advance = new FormData()
  advance.append('advance', '60')
  test.each<[string, RequestOptions]>([
    ['a form', { form: { advance: '60' } }],
    ['a multipart form', { parts: advance }],
    ['a form whose parameter is repeated', { raw: 'advance=1&advance=60', headers: form }],
    ['JSON with the content type of a form', { raw: ' {"advance":60}', headers: form }],
    ['JSON without a content type of its own', { raw: '{"advance":"60"}' }],
  ])('advance the clock: %s', async (_format, options) => {
    const before = Date.parse((await control('GET /_local/health')).body.now)
    const { body } = await api.request('POST /_local/clock', { key: null, ...options })
    expect(Date.parse(body.now) - before).toBe(60_000)
  })

  test('name a merchant', async () => {
    const reply = await api.request('POST /_local/merchants', { key: null, form: { name: 'A shop & sons' } })
    const row = [...api.platform.table.items()].find(({ sk, id }) => sk === 'merchant' && id === reply.body.test.id)
    expect(row).toMatchObject({ name: 'A shop & sons' })
  })

  test.each([
    ['POST /_local/clock', { advance: '' }, 'advance'],
    ['POST /_local/clock', {}, 'advance'],
    ['POST /_local/refund_requests/rrq_1', { status: 'lost' }, 'status'],
  ])('of %s are refused as %j with the name of the parameter', async (route, fields, param) => {
    const reply = await api.request(route, { key: null, form: fields })
    expect(refusalIn(reply)).toEqual({ status: 422, code: 'invalid_parameter', param })
    expect(reply.body.error.message).toContain(param)
  })

  test('complete a refund request', async () => {
    const { id } = await make()
    await control(`POST /_local/payments/${id}/pay`)
    const { body } = await api.request(`POST /payments/${id}/refund_request`, { json: { amount: 100, ...bank } })
    const request = body.refund_requests[0].id
    const ended = await api.request(`POST /_local/refund_requests/${request}`, {
      key: null,
      form: { status: 'completed' },
    })
    expect(ended.body).toMatchObject({ amount_refunded: 100 })
  })
})
