import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { LocalPlatform } from '#infra/local/local-platform.ts'
import { PlatformUnavailable, type Table } from '#shared/platform/ports.ts'
import { notificationKey } from '#shared/store/keys.ts'
import { type Api, openApi, START } from '#test/fixtures/api.ts'
import { rawRequest } from '#test/fixtures/raw-request.ts'
import { accessWith, signatureOf, stripeEvent, withStripe } from '#test/fixtures/stripe-notifications.ts'

let api: Api
beforeAll(async () => {
  api = await openApi({ around: (platform) => withStripe(platform) })
})
afterAll(() => api.close())

let count = 0
const newEventId = () => `evt_${++count}AbC`

interface Sent {
  readonly text?: string
  readonly signature?: string | null
  readonly to?: Api
}

/** Posts a notification as Stripe does, by default with a correct signature. */
async function notify({ text = JSON.stringify(stripeEvent(newEventId())), signature, to = api }: Sent = {}) {
  const header = signature === undefined ? signatureOf(text, START) : signature
  const response = await fetch(`${to.url}/notifications/stripe`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json; charset=utf-8',
      ...(header !== null && { 'stripe-signature': header }),
    },
    body: text,
  })
  // biome-ignore lint/suspicious/noExplicitAny: an answer or an error
  return { status: response.status, headers: response.headers, body: (await response.json()) as any }
}

const notify_event = (changes: object) => {
  const id = newEventId()
  return notify({ text: JSON.stringify(stripeEvent(id, changes)) }).then(({ status }) => ({ id, status }))
}

const storedOf = async (id: string, { platform }: Api = api) =>
  (await platform.table.get([notificationKey('stripe', id)]))[0]

describe('POST /notifications/stripe', () => {
  test('stores which event happened and queues it, without the content of the event', async () => {
    const id = newEventId()
    const { status, headers, body } = await notify({ text: JSON.stringify(stripeEvent(id), null, 2) })
    expect([status, body]).toEqual([200, { received: true }])
    expect(headers.get('access-control-allow-origin')).toBeNull()
    expect(await storedOf(id)).toEqual({
      pk: `notification#stripe#${id}`,
      sk: 'notification',
      version: 1,
      provider: 'stripe',
      event: id,
      type: 'payment_intent.succeeded',
      object: 'pi_1',
      account: null,
      created_at: '2030-01-02T03:00:00Z',
      received_at: '2030-01-02T03:00:00Z',
      status: 'waiting',
      tries: 0,
      process_at: '2030-01-02T03:00:00Z',
      due_at: '2030-01-02T03:00:00Z',
      due_shard: expect.stringMatching(/^due#notification#\d\d$/),
      changed_at: START,
      ttl: START / 1000 + 35 * 86_400,
    })
    const queued = api.platform.queues.chores.take(START, 10).map(({ message }) => message)
    expect(queued).toContainEqual({
      kind: 'notification',
      pk: `notification#stripe#${id}`,
      sk: 'notification',
      due_at: '2030-01-02T03:00:00Z',
    })
  })

  test('verifies the bytes that arrived, in any spelling of their JSON', async () => {
    const id = newEventId()
    const text = `\n ${JSON.stringify({ ...stripeEvent(id), note: 'さくら 😀 \u2028 \\u0041' }, null, 3)}\r\n`
    expect((await notify({ text })).status).toBe(200)
    expect(await storedOf(id)).toMatchObject({ object: 'pi_1' })
  })

  test.each([300, -300])('accepts a timestamp %i s from now', async (seconds) => {
    const text = JSON.stringify(stripeEvent(newEventId()))
    expect((await notify({ text, signature: signatureOf(text, START + seconds * 1000) })).status).toBe(200)
  })

  const text = JSON.stringify(stripeEvent('evt_refused'))
  const valid = signatureOf(text, START)
  test.each([
    ['made with another secret', { text, signature: signatureOf(text, START, 'whsec_other') }],
    ['of a body with one other byte', { text: text.replace('pi_1', 'pi_2'), signature: valid }],
    ['of the same JSON in other bytes', { text: JSON.stringify(JSON.parse(text), null, 1), signature: valid }],
    ['301 s old', { text, signature: signatureOf(text, START - 301_000) }],
    ['301 s ahead', { text, signature: signatureOf(text, START + 301_000) }],
    ['of the scheme v0 alone', { text, signature: valid.replace('v1=', 'v0=') }],
    ['that is empty', { text, signature: '' }],
    ['that is missing', { text, signature: null }],
    ['of an empty body', { text: '', signature: valid }],
  ])('answers 400 for a signature %s, and stores nothing', async (_, sent) => {
    const { status, body } = await notify(sent)
    expect([status, body.error.code]).toEqual([400, 'bad_request'])
    expect(await storedOf('evt_refused')).toBeUndefined()
  })

  test('answers 400 for two signature headers', async () => {
    // Node sends one header line for each text of a list.
    const headers = { 'stripe-signature': [valid, valid] } as unknown as Record<string, string>
    const { status } = await rawRequest(api.url, { method: 'POST', path: '/notifications/stripe', headers, body: text })
    expect(status).toBe(400)
  })

  test('logs a wrong signature in one line without content', async () => {
    const before = api.logs.length
    await notify({ text, signature: signatureOf(text, START, 'whsec_other') })
    const lines = api.logs.slice(before)
    expect(lines).toEqual([
      expect.objectContaining({ level: 'info', event: 'request', route: 'POST /notifications/stripe', status: 400 }),
    ])
    expect(JSON.stringify(lines)).not.toMatch(/evt_|pi_1|v1=|whsec/)
  })

  test.each([
    ['no JSON', '{'],
    ['no object', '[]'],
    ['no event', JSON.stringify({ id: 'evt_1', object: 'charge' })],
    ['an event without an object', JSON.stringify(stripeEvent('evt_1', { data: {} }))],
    ['an event with an invalid id', JSON.stringify(stripeEvent('evt#1'))],
  ])('answers 400 for a signed body that is %s', async (_, unreadable) => {
    const { status, body } = await notify({ text: unreadable })
    expect([status, body.error.code]).toEqual([400, 'bad_request'])
  })

  test('answers 413 for more than 256 KB', async () => {
    const padded = (bytes: number) => JSON.stringify(stripeEvent(newEventId())).padEnd(bytes)
    expect((await notify({ text: padded(262_144) })).status).toBe(200)
    expect((await notify({ text: padded(262_145) })).status).toBe(413)
  })

  test.each([
    ['the other mode', { livemode: true }],
    ['another account', { account: 'acct_1' }],
  ])('drops an event of %s and logs it', async (_, changes) => {
    const { id, status } = await notify_event(changes)
    expect(status).toBe(200)
    expect(await storedOf(id)).toBeUndefined()
    expect(api.logs.at(-2)).toEqual({ level: 'info', event: 'notification_foreign' })
  })

  test('drops an event of a type that is not used', async () => {
    const { id, status } = await notify_event({ type: 'customer.created' })
    expect(status).toBe(200)
    expect(await storedOf(id)).toBeUndefined()
  })

  test('stores a notification once that arrives 100 times at once, and queues it once', async () => {
    const id = newEventId()
    const sent = JSON.stringify(stripeEvent(id))
    const replies = await Promise.all(Array.from({ length: 100 }, () => notify({ text: sent })))
    expect(replies.map(({ status }) => status)).toEqual(Array(100).fill(200))
    expect(await storedOf(id)).toMatchObject({ version: 1 })
    const queued = api.platform.queues.chores.take(START, 1000).filter(({ message }) => message.pk.endsWith(`#${id}`))
    expect(queued).toHaveLength(1)
  })

  test('does not change a stored notification that arrives again later', async () => {
    const id = newEventId()
    const sent = JSON.stringify(stripeEvent(id))
    await notify({ text: sent })
    const stored = await storedOf(id)
    expect((await notify({ text: sent })).status).toBe(200)
    expect(await storedOf(id)).toEqual(stored)
  })

  test('serves no browsers and no other methods', async () => {
    const response = await fetch(`${api.url}/notifications/stripe`)
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST'])
  })
})

describe('POST /notifications/stripe on other platforms', () => {
  async function notifyAt(around: (platform: LocalPlatform) => LocalPlatform, send: (to: Api) => Promise<void>) {
    const other = await openApi({ around })
    try {
      await send(other)
    } finally {
      await other.close()
    }
  }

  test('answers 404 on a stage without Stripe', () =>
    notifyAt(
      (platform) => platform,
      async (to) => expect((await notify({ to })).status).toBe(404),
    ))

  test('answers 500 while the table is down, so that Stripe sends the notification again', () => {
    const down = (platform: LocalPlatform) => {
      const table = Object.create(platform.table)
      const write: Table['write'] = async () => {
        throw new PlatformUnavailable()
      }
      return withStripe({ ...platform, table: Object.assign(table, { write }) })
    }
    return notifyAt(down, async (to) => {
      const { status, body } = await notify({ to })
      expect([status, body.error.code]).toEqual([500, 'internal_server_error'])
    })
  })

  test('answers 500 while the secret cannot be read', () =>
    notifyAt(
      (platform) => {
        const fail = () => Promise.reject(new Error('down'))
        return { ...platform, provider_access: accessWith({ acquirer: fail, refetch: fail }) }
      },
      async (to) => expect((await notify({ to })).status).toBe(500),
    ))

  test('fetches the secret again before it refuses a signature, so a changed secret works at once', () => {
    const current = { api_key: 'sk_test_1', notification_secrets: ['whsec_new', 'whsec_old'] }
    const around = (platform: LocalPlatform) => ({
      ...withStripe(platform),
      provider_access: accessWith({
        acquirer: async () => ({ ...current, notification_secrets: [] }),
        refetch: async () => current,
      }),
    })
    return notifyAt(around, async (to) => {
      for (const secret of current.notification_secrets) {
        const text = JSON.stringify(stripeEvent(newEventId()))
        expect((await notify({ to, text, signature: signatureOf(text, START, secret) })).status).toBe(200)
      }
      const text = JSON.stringify(stripeEvent(newEventId()))
      expect((await notify({ to, text, signature: signatureOf(text, START, 'whsec_none') })).status).toBe(400)
    })
  })

  test('accepts signatures by real time and by the clock that was advanced', () =>
    notifyAt(
      (platform) => withStripe(platform),
      async (to) => {
        await to.advance(86_400)
        for (const at of [START, START + 86_400_000]) {
          const text = JSON.stringify(stripeEvent(newEventId()))
          expect((await notify({ to, text, signature: signatureOf(text, at) })).status).toBe(200)
        }
      },
    ))

  test('accepts events of real payments only with a live key', () => {
    const secret = { api_key: 'rk_live_1', notification_secrets: ['whsec_current'] }
    return notifyAt(
      (platform) => withStripe(platform, secret),
      async (to) => {
        for (const livemode of [true, false]) {
          const id = newEventId()
          await notify({ to, text: JSON.stringify(stripeEvent(id, { livemode })) })
          expect((await storedOf(id, to)) !== undefined).toBe(livemode)
        }
      },
    )
  })
})
