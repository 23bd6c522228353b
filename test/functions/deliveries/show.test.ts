import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { refusalIn } from '#test/faults/witness.ts'
import { type Api, card, openApi } from '#test/fixtures/api.ts'
import { openReceiver, type Receiver, type Said } from '#test/fixtures/receiver.ts'

let api: Api
let receiver: Receiver
beforeAll(async () => {
  api = await openApi()
  receiver = await openReceiver()
})
afterAll(async () => {
  await api.close()
  await receiver.close()
})

const make = async (fields: object = {}) => {
  const json = { url: `${receiver.origin}/hook`, event_list: ['customer.created'], ...fields }
  return (await api.request('POST /webhooks', { json })).body
}
const newest = async (query: string) => (await api.request(`GET /deliveries?per_page=1&${query}`)).body.data[0]
const show = async (id: string) => (await api.request(`GET /deliveries/${id}`)).body

/** A response body with every latency set to 0, because latencies depend on the machine. */
const timeless = (text: string) => text.replaceAll(/"latency_ms":\d+/g, '"latency_ms":0')

describe('GET /deliveries/:id', () => {
  test('returns the delivery with the time, the response and the latency of each attempt', async () => {
    receiver.says = (_, nth) =>
      nth < 3 ? { status: 503, body: `busy ${nth}` } : { status: 201, body: 'thanks, さくら' }
    const webhook = await make()
    await api.advance(10)
    const { id, event } = await newest(`webhook=${webhook.id}`)
    const fields = (delivery: object) => ({
      id,
      resource: 'delivery',
      event,
      event_type: 'ping',
      webhook: webhook.id,
      payment: null,
      url: webhook.url,
      ...delivery,
    })
    const attempt = (second: string, status_code: number, response_body: string) => ({
      attempted_at: `2030-01-02T03:00:${second}Z`,
      status_code,
      latency_ms: 0,
      response_body,
      error: null,
      after_unrecorded: false,
    })
    const created_at = '2030-01-02T03:00:00Z'
    const failed = [attempt('00', 503, 'busy 1'), attempt('04', 503, 'busy 2')]
    const waiting = await api.request(`GET /deliveries/${id}`)
    expect(waiting.status).toBe(200)
    expect(timeless(waiting.text)).toBe(
      JSON.stringify(
        fields({ status: 'pending', next_attempt_at: '2030-01-02T03:00:49Z', created_at, attempts: failed }),
      ),
    )
    for (const { latency_ms } of waiting.body.attempts) expect(latency_ms).toBeGreaterThanOrEqual(0)
    await api.advance(60)
    const done = await api.request(`GET /deliveries/${id}`)
    const attempts = [...failed, attempt('49', 201, 'thanks, さくら')]
    expect(timeless(done.text)).toBe(
      JSON.stringify(fields({ status: 'delivered', next_attempt_at: null, created_at, attempts })),
    )
  })

  test("names the payment, and names no webhook if the delivery goes to the payment's own webhook", async () => {
    receiver.says = () => 200
    const webhook = await make({ event_list: ['payment.captured'] })
    const webhooks = [{ url: `${receiver.origin}/own?key=1`, events: ['payment.captured'], secret_key: 'canary' }]
    const json = { amount: 100, currency: 'JPY', payment_details: card(), webhooks }
    const { body: payment } = await api.request('POST /payments', { json })
    await api.advance(0)
    const { body } = await api.request(`GET /deliveries?payment=${payment.id}`)
    const rows = body.data.map((each: Record<string, unknown>) => [
      each.webhook,
      each.payment,
      each.url,
      each.event_type,
    ])
    expect(rows).toContainEqual([webhook.id, payment.id, webhook.url, 'payment.captured'])
    expect(rows).toContainEqual([null, payment.id, `${receiver.origin}/own?key=1`, 'payment.captured'])
    expect(rows).toHaveLength(2)
    expect(JSON.stringify(body)).not.toContain('canary')
  })

  test.each<[string, Said, string]>([
    ['the first 1,024 bytes of a response body', { status: 500, body: 'x'.repeat(5_000) }, 'x'.repeat(1_024)],
    ['only whole characters of a response body', { status: 500, body: 'さ'.repeat(500) }, 'さ'.repeat(341)],
    ['replacement characters for invalid UTF-8', { status: 500, body: Buffer.from([0x61, 0xff, 0x62]) }, 'a\ufffdb'],
    ['empty text for a response without a body', 500, ''],
  ])('stores %s', async (_, said, kept) => {
    receiver.says = () => said
    const { id } = await make()
    await api.advance(0)
    expect((await newest(`webhook=${id}`)).attempts).toMatchObject([
      { status_code: 500, response_body: kept, error: null },
    ])
  })

  test('states why an attempt got no response', async () => {
    const gone = await openReceiver()
    await gone.close()
    const urls = {
      connection_failed: gone.origin,
      name_not_resolved: 'https://shop.example.com/hook',
      tls_failed: receiver.origin.replace('http:', 'https:'),
    }
    for (const [error, url] of Object.entries(urls)) {
      const { id } = await make({ url })
      await api.advance(0)
      const { status, attempts } = await newest(`webhook=${id}`)
      expect([status, attempts]).toMatchObject(['pending', [{ status_code: null, response_body: null, error }]])
    }
  })

  test('shows the last hundred attempts of a delivery', async () => {
    receiver.says = (_, nth) => ({ status: 200, body: String(nth) })
    receiver.received.splice(0)
    const webhook = await make()
    await api.advance(0)
    const { id } = await newest(`webhook=${webhook.id}`)
    for (let again = 0; again < 104; again++) {
      await api.request(`POST /deliveries/${id}/redeliver`)
      await api.advance(0)
    }
    const bodies = (await show(id)).attempts.map(({ response_body }: { response_body: string }) =>
      Number(response_body),
    )
    expect(bodies).toEqual(Array.from({ length: 100 }, (_, index) => index + 6))
  })

  test('answers 404 for an unknown id and for a delivery of another merchant or mode', async () => {
    const webhook = await make()
    await api.advance(0)
    const { id } = await newest(`webhook=${webhook.id}`)
    for (const reply of [
      await api.request('GET /deliveries/dlv_1'),
      await api.request(`GET /deliveries/${id}`, { key: api.live.secret_key }),
      await api.request(`GET /deliveries/${id}`, { key: (await api.newMerchants()).test.secret_key }),
    ])
      expect(refusalIn(reply)).toEqual({ status: 404, code: 'not_found', param: null })
  })
})
