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

/** An answer without how long the receiver took, which is the machine's. */
const timeless = (text: string) => text.replaceAll(/"latency_ms":\d+/g, '"latency_ms":0')

describe('GET /deliveries/:id', () => {
  test('answers the delivery with each attempt: when, what was answered, how long it took', async () => {
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

  test('of a payment names it, and no webhook where it is one of its own', async () => {
    receiver.says = () => 200
    const webhook = await make({ event_list: ['payment.captured'] })
    const webhooks = [{ url: `${receiver.origin}/own?key=1`, events: ['payment.captured'], secret_key: 'canary' }]
    const json = { amount: 100, currency: 'JPY', payment_details: card(), webhooks }
    const { body: payment } = await api.request('POST /payments', { json })
    await api.advance(0)
    const { body } = await api.request(`GET /deliveries?payment=${payment.id}`)
    const told = body.data.map((each: Record<string, unknown>) => [
      each.webhook,
      each.payment,
      each.url,
      each.event_type,
    ])
    expect(told).toContainEqual([webhook.id, payment.id, webhook.url, 'payment.captured'])
    expect(told).toContainEqual([null, payment.id, `${receiver.origin}/own?key=1`, 'payment.captured'])
    expect(told).toHaveLength(2)
    expect(JSON.stringify(body)).not.toContain('canary')
  })

  test.each<[string, Said, string]>([
    ['the first 1,024 bytes', { status: 500, body: 'x'.repeat(5_000) }, 'x'.repeat(1_024)],
    ['no half of a letter', { status: 500, body: 'さ'.repeat(500) }, 'さ'.repeat(341)],
    ['what is no text as what can be read of it', { status: 500, body: Buffer.from([0x61, 0xff, 0x62]) }, 'a\ufffdb'],
    ['nothing', 500, ''],
  ])('keeps of the answer %s', async (_, said, kept) => {
    receiver.says = () => said
    const { id } = await make()
    await api.advance(0)
    expect((await newest(`webhook=${id}`)).attempts).toMatchObject([
      { status_code: 500, response_body: kept, error: null },
    ])
  })

  test('tells why an attempt got no answer', async () => {
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

  test('shows the last hundred attempts of one that was asked for again and again', async () => {
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

  test("is 404 for an unknown id and for another merchant's", async () => {
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
