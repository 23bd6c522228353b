import { describe, expect, test } from 'vitest'
import { card, type Service } from '#test/fixtures/api.ts'

/** Journeys of API keys: which requests they authorize. */
export function keyJourneys(service: () => Service): void {
  describe('keys', () => {
    const order = { json: { amount: 100, currency: 'JPY', payment_details: card() } }

    test.each([
      ['no key', null],
      ['an unknown key', `sk_test_${'a'.repeat(32)}`],
      ['a malformed key', 'sesame'],
    ])('a request with %s is answered with 401', async (_, key) => {
      const { status, headers, body } = await service().request('POST /payments', { ...order, key })
      expect([status, body.error.code]).toEqual([401, 'unauthorized'])
      expect(headers.get('www-authenticate')).toMatch(/^Basic/)
      expect(body.error.request_id).toBe(headers.get('x-request-id'))
    })

    test('a publishable key creates a token, which only the secret key pays with', async () => {
      const { request, test: merchant } = service()
      const key = merchant.publishable_key
      const { body, headers } = await request('POST /tokens', { json: { payment_details: card() }, key })
      expect(headers.get('access-control-allow-origin')).toBe('*')
      const payment = { json: { ...order.json, payment_details: body.id } }
      expect((await request('POST /payments', { ...payment, key })).status).toBe(403)
      expect((await request('POST /payments', payment)).status).toBe(200)
    })

    test('a payment is unknown to other merchants and to the other mode', async () => {
      const { request, newMerchants, live } = service()
      const { id } = (await request('POST /payments', order)).body
      expect((await request(`GET /payments/${id}`)).status).toBe(200)
      for (const key of [live.secret_key, (await newMerchants()).test.secret_key])
        for (const route of [`GET /payments/${id}`, `POST /payments/${id}/refund`, `PATCH /payments/${id}`])
          expect((await request(route, { key })).body.error.code, route).toBe('not_found')
      expect((await request(`GET /payments/${id}`)).body).toMatchObject({ status: 'captured', amount_refunded: 0 })
    })

    test('an unknown path is answered with 404 and a wrong method with 405', async () => {
      const { request } = service()
      expect((await request('GET /nothing')).status).toBe(404)
      const { status, headers } = await request('DELETE /payments')
      expect([status, headers.get('allow')]).toEqual([405, 'GET, HEAD, POST'])
    })
  })
}
