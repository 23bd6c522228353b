import { describe, expect, test } from 'vitest'
import { card, type RequestOptions, type Service } from '#test/fixtures/api.ts'

/** Journeys of repeated requests, sequential and concurrent. */
export function retryJourneys(service: () => Service): void {
  describe('retries', () => {
    const pay = (idempotency_key: string, options: RequestOptions) =>
      service().request('POST /payments', {
        ...options,
        headers: { 'idempotency-key': idempotency_key, ...options.headers },
      })
    const order = { amount: 700, currency: 'JPY', payment_details: card() }
    const countOf = async (key: string) => (await service().request('GET /payments', { key })).body.total

    test('the same request with the same key gets the same response, as JSON and as a form', async () => {
      const key = (await service().newMerchants()).test.secret_key
      const details = Object.entries(card()).map(([name, value]) => [`payment_details[${name}]`, String(value)])
      const form = Object.fromEntries([['amount', '700'], ['currency', 'JPY'], ...details])
      const first = await pay('order 1', { json: order, key })
      expect([first.status, first.headers.get('idempotent-replayed')]).toEqual([200, null])
      for (const options of [{ json: order }, { form }]) {
        const again = await pay('order 1', { ...options, key })
        expect([again.status, again.text]).toEqual([200, first.text])
        expect(again.headers.get('idempotent-replayed')).toBe('true')
      }
      const other = await pay('order 1', { json: { ...order, amount: 701 }, key })
      expect([other.status, other.body.error.code]).toEqual([422, 'idempotency_mismatch'])
      expect(await countOf(key)).toBe(1)
    })

    test.each(['timeout_before_charge', 'timeout_after_charge'])(
      'a payment after %s is resumed with the same key and charged once',
      async (scenario) => {
        const key = (await service().newMerchants()).test.secret_key
        const unknown = await pay(scenario, { json: order, key, headers: { 'x-service-scenario': scenario } })
        expect([unknown.status, unknown.body.error.code]).toEqual([504, 'gateway_timeout'])
        const id = unknown.body.error.details.payment
        expect((await service().request(`GET /payments/${id}`, { key })).body.status).toBe('pending')
        const resumed = await pay(scenario, { json: order, key })
        expect([resumed.status, resumed.body.id, resumed.body.status]).toEqual([200, id, 'captured'])
        const kept = await pay(scenario, { json: order, key })
        expect([kept.text, kept.headers.get('idempotent-replayed')]).toEqual([resumed.text, 'true'])
        expect(await countOf(key)).toBe(1)
        expect((await service().request('GET /events', { key })).body.total).toBe(1)
      },
    )

    test('twenty concurrent uses of one token create one payment', async () => {
      const key = (await service().newMerchants()).test.secret_key
      const token = (await service().request('POST /tokens', { json: { payment_details: card() }, key })).body.id
      const json = { ...order, payment_details: token }
      const replies = await Promise.all(
        Array.from({ length: 20 }, () => service().request('POST /payments', { json, key })),
      )
      const codes = replies.map(({ status, body }) => body.error?.code ?? status)
      expect(codes.filter((code) => code === 200)).toHaveLength(1)
      expect(codes.filter((code) => code !== 200 && code !== 'invalid_token' && code !== 'conflict')).toEqual([])
      expect(await countOf(key)).toBe(1)
      expect((await service().request('GET /events', { key })).body.total).toBe(1)
    })
  })
}
