import fc from 'fast-check'
import * as v from 'valibot'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ignoredHeader } from '#shared/http/ignored-header.ts'
import { type Api, card, openApi } from '#test/fixtures/api.ts'

const NAME = 'x-service-ignored-parameters'
const schema = v.object({ known: v.object({}) })
const valueFor = (body: unknown) => ignoredHeader(schema, body)['X-Service-Ignored-Parameters']

describe('ignoredHeader', () => {
  test('is absent if every parameter is read', () => {
    expect(ignoredHeader(schema, { known: {} })).toEqual({})
  })

  test('names paths in form notation, percent-encoded', () => {
    const body = { known: { 'a b': 1, 'c,d': 2 }, 'é[]': 3, '\r\nSet-Cookie': 4 }
    expect(valueFor(body)).toBe('known[a%20b], known[c%2Cd], %C3%A9%5B%5D, %0D%0ASet-Cookie')
  })

  test('leaves out names that could contain a card number, and long names', () => {
    const body = { '4111111111111111': 1, '{"n":"4111 1111 1111 1111"}': 1, ['a'.repeat(65)]: 1, short: 1 }
    expect(valueFor(body)).toBe('short')
  })

  test('is printable ASCII of at most 1 KB for any body', () => {
    const key = fc.string({ unit: 'binary', maxLength: 70 }).map((name) => name.toWellFormed())
    fc.assert(
      fc.property(fc.dictionary(key, fc.anything(), { maxKeys: 100 }), (body) => {
        expect(valueFor(body) ?? '').toMatch(/^[\x20-\x7e]{0,1024}$/)
      }),
    )
  })
})

describe('X-Service-Ignored-Parameters', () => {
  let api: Api
  beforeAll(async () => {
    api = await openApi()
  })
  afterAll(() => api.close())

  const json = { amount: 100, currency: 'JPY', payment_details: { ...card(), cvc: '123' }, capturing: false }

  test('names ignored parameters of success, error, replay and form', async () => {
    const headers = { 'idempotency-key': 'ignored' }
    for (const options of [{ json, headers }, { json, headers }, { json: { ...json, amount: 0 } }])
      expect((await api.request('POST /payments', options)).headers.get(NAME)).toBe('payment_details[cvc], capturing')
    const form = { amount: '1', 'payment_details[type]': 'paypay', 'payment_details[mail]': 'x' }
    expect((await api.request('POST /payments', { form })).headers.get(NAME)).toBe('payment_details[mail]')
  })

  test('names unknown filters of lists, and parameters of endpoints that have none', async () => {
    const list = await api.request('GET /payments?order=1&status=captured&created[gt]=2')
    expect([list.status, list.headers.get(NAME)]).toEqual([200, 'order, created'])
    expect((await api.request('GET /payments/pay_1?expand[]=customer')).headers.get(NAME)).toBe('expand')
  })

  test('is absent in live mode, and where every parameter is read', async () => {
    expect((await api.request('GET /payments?order=1', { key: api.live.secret_key })).headers.get(NAME)).toBeNull()
    expect((await api.request('GET /payments?page=1')).headers.get(NAME)).toBeNull()
  })

  test('can be read by a browser', async () => {
    const { headers } = await api.request('POST /tokens', { key: api.test.publishable_key, json })
    expect(headers.get('access-control-expose-headers')).toContain('X-Service-Ignored-Parameters')
    expect(headers.get(NAME)).toBe('amount, payment_details[cvc], capturing')
  })
})
