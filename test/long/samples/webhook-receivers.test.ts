import { createHmac } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { SampleLanguage } from '#shared/docs/sample.ts'
import { receive_webhooks_by_body } from '#shared/docs/samples/webhook-body-receivers.ts'
import { receive_webhooks } from '#shared/docs/samples/webhook-receivers.ts'
import { type Api, openApi } from '#test/fixtures/api.ts'
import { openReceiver, type Receiver } from '#test/fixtures/receiver.ts'
import { hasRuntime } from '#test/fixtures/sample-runner.ts'
import { type SampleServer, startSample } from '#test/fixtures/sample-server.ts'

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
const NEXT_SECRET = 'whsec_plJ3nmyCDGBKInavdOK15jsl9pO3Ipa2'

/** The first Go program of a machine compiles the packages that it uses. */
const COMPILING_MS = 180_000

const languages = ['typescript', 'python', 'go', 'php', 'ruby'] as const satisfies readonly SampleLanguage[]

/** The languages whose receiver stores events. */
const stores: ReadonlySet<SampleLanguage> = new Set(['typescript', 'python'])

/** A delivery as the service has sent it. */
interface Sent {
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

describe('the receivers of webhooks', () => {
  let api: Api
  let receiver: Receiver
  beforeAll(async () => {
    // A receiver compares the time of a delivery with its own clock.
    api = await openApi({ frozen_at: Date.now() })
    receiver = await openReceiver()
  })
  afterAll(async () => {
    await receiver.close()
    await api.close()
  })

  /** Returns the ping of a new webhook, and the ping after its secret was replaced. */
  const pings = async (grace_seconds: number): Promise<[ping: Sent, after: Sent]> => {
    const webhook = { url: receiver.origin, event_list: ['ping'], secret_token: SECRET }
    const { body } = await api.request('POST /webhooks', { json: webhook })
    await api.advance(1)
    await api.request(`POST /webhooks/${body.id}/rotate`, { json: { secret_token: NEXT_SECRET, grace_seconds } })
    await api.request(`POST /webhooks/${body.id}/ping`)
    await api.advance(1)
    const sent = receiver.received.splice(0).map(({ headers, body: bytes }) => ({
      headers: Object.fromEntries(Object.entries(headers).filter(([name]) => /^(webhook|x-service)-/.test(name))),
      body: bytes.toString(),
    }))
    expect(sent).toHaveLength(2)
    return sent as unknown as [Sent, Sent]
  }

  const statusOf = async ({ origin }: SampleServer, { headers, body }: Sent): Promise<number> =>
    (await fetch(origin, { method: 'POST', headers, body })).status

  /** Returns the delivery as if it was sent at another time, in seconds, with a genuine signature. */
  const sentAt = ({ headers, body }: Sent, timestamp: number): Sent => {
    const key = Buffer.from(SECRET.slice('whsec_'.length), 'base64')
    const text = `${headers['webhook-id']}.${timestamp}.${body}`
    const signature = `v1,${createHmac('sha256', key).update(text).digest('base64')}`
    return { headers: { ...headers, 'webhook-timestamp': String(timestamp), 'webhook-signature': signature }, body }
  }

  /** Returns a genuine delivery of an event of a payment. */
  const paymentEvent = (
    ping: Sent,
    { id, event, sequence, status }: { id: string; event: string; sequence: number; status: string },
  ): Sent => {
    const data = { id: 'pay_1', resource: 'payment', status }
    const headers = { ...ping.headers, 'webhook-id': id, 'x-service-sequence': String(sequence) }
    const body = JSON.stringify({ id: event, type: 'payment.updated', resource: 'event', data })
    return sentAt({ headers, body }, Math.floor(Date.now() / 1000))
  }

  const without = ({ headers, body }: Sent, prefix: string): Sent => ({
    headers: Object.fromEntries(Object.entries(headers).filter(([name]) => !name.startsWith(prefix))),
    body,
  })

  for (const language of languages) {
    const runs = hasRuntime(language)

    test.skipIf(!runs)(
      `accept only genuine deliveries by the Standard Webhooks headers, in ${language}`,
      async () => {
        const server = await startSample(receive_webhooks, language, { WEBHOOK_SECRET: SECRET })
        const [ping, during_rotation] = await pings(3600)
        const [, after_rotation] = await pings(0)
        try {
          const now = Math.floor(Date.now() / 1000)
          expect(await statusOf(server, ping)).toBe(200)
          await server.prints(`received ping ${JSON.parse(ping.body).data.id}`)
          expect(during_rotation.headers['webhook-signature']).toMatch(/^v1,\S+ v1,\S+$/)
          expect(await statusOf(server, during_rotation)).toBe(200)
          expect(await statusOf(server, sentAt(ping, now - 240))).toBe(200)
          expect(await statusOf(server, after_rotation)).toBe(400)
          expect(await statusOf(server, { ...ping, body: ping.body.replace('true', 'null') })).toBe(400)
          expect(await statusOf(server, sentAt(ping, now - 400))).toBe(400)
          expect(await statusOf(server, sentAt(ping, now + 400))).toBe(400)
          const earlier = String(Number(ping.headers['webhook-timestamp']) - 10)
          const other_time = { ...ping.headers, 'webhook-timestamp': earlier }
          expect(await statusOf(server, { ...ping, headers: other_time })).toBe(400)
          expect(await statusOf(server, without(ping, 'webhook-'))).toBe(400)
          expect(await statusOf(server, ping)).toBe(200)
        } finally {
          await server.close()
        }
      },
      COMPILING_MS,
    )

    test.skipIf(!runs)(
      `accept only genuine deliveries by X-Service-Signature, in ${language}`,
      async () => {
        const [ping, signed_with_next] = await pings(3600)
        const server = await startSample(receive_webhooks_by_body, language, { WEBHOOK_SECRET: SECRET })
        try {
          expect(await statusOf(server, ping)).toBe(200)
          await server.prints(`received ping ${JSON.parse(ping.body).data.id}`)
          expect(await statusOf(server, signed_with_next)).toBe(400)
          expect(await statusOf(server, { ...ping, body: `${ping.body} ` })).toBe(400)
          expect(await statusOf(server, without(ping, 'x-service-'))).toBe(400)
          expect(await statusOf(server, ping)).toBe(200)
        } finally {
          await server.close()
        }
      },
      COMPILING_MS,
    )

    test.skipIf(!runs || !stores.has(language))(
      `store an event once and keep the newest state of a payment, in ${language}`,
      async () => {
        const [ping] = await pings(0)
        const server = await startSample(receive_webhooks, language, { WEBHOOK_SECRET: SECRET })
        const { state } = server
        try {
          for (const [id, event, sequence, status] of [
            ['dlv_1', 'evt_1', 2, 'authorized'],
            ['dlv_2', 'evt_1', 2, 'authorized'],
            ['dlv_3', 'evt_3', 4, 'refunded'],
            ['dlv_4', 'evt_2', 3, 'captured'],
          ] as const)
            expect(await statusOf(server, paymentEvent(ping, { id, event, sequence, status }))).toBe(200)
          expect(await statusOf(server, ping)).toBe(200)
          await server.prints('received ping')
          await server.prints('repeated payment.updated')
          expect(state('SELECT count(*) AS events FROM events')).toEqual([{ events: 4 }])
          expect(state('SELECT * FROM payments')).toEqual([{ id: 'pay_1', status: 'refunded', sequence: 4 }])
        } finally {
          await server.close()
        }
      },
      COMPILING_MS,
    )

    test.skipIf(!runs)(
      `do not start without a secret, in ${language}`,
      async () => {
        const [ping] = await pings(0)
        for (const sample of [receive_webhooks, receive_webhooks_by_body]) {
          const started = startSample(sample, language, { WEBHOOK_SECRET: '' })
          if (language !== 'php') {
            await expect(started).rejects.toThrow('Set WEBHOOK_SECRET')
            continue
          }
          const server = await started
          expect(await statusOf(server, ping)).toBe(500)
          await server.close()
        }
      },
      COMPILING_MS,
    )
  }
})
