import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Sample } from '#shared/docs/sample.ts'
import * as samples from '#shared/docs/samples/webhooks.ts'
import { type Api, openApi } from '#test/fixtures/api.ts'
import { openReceiver, type Receiver } from '#test/fixtures/receiver.ts'
import { runSample } from '#test/fixtures/sample-runner.ts'

describe('the samples of webhooks', () => {
  let api: Api
  let receiver: Receiver
  beforeAll(async () => {
    api = await openApi()
    receiver = await openReceiver()
  })
  beforeEach(() => {
    receiver.received.length = 0
    receiver.says = () => 200
  })
  afterAll(async () => {
    await receiver.close()
    await api.close()
  })

  const run = (sample: Sample, language: 'shell' | 'typescript', env: Readonly<Record<string, string>> = {}) =>
    runSample(sample, language, {
      base_url: `${api.url}/api/v1`,
      env: { SECRET_KEY: api.test.secret_key, WEBHOOK_URL: receiver.origin, WEBHOOK_SECRET: 'whsec_c2VjcmV0', ...env },
    })

  const newWebhook = async (): Promise<string> => {
    const webhook = { url: receiver.origin, event_list: ['ping'], secret_token: 'whsec_c2VjcmV0' }
    const { body } = await api.request('POST /webhooks', { json: webhook })
    return body.id
  }

  test('make a secret of the Standard Webhooks form', async () => {
    expect(await run(samples.make_secret, 'shell')).toMatch(/^whsec_[A-Za-z0-9+/]{32}\n$/)
  })

  test.each(['shell', 'typescript'] as const)('create a webhook that gets a signed ping, in %s', async (language) => {
    const printed = await run(samples.create_webhook, language)
    expect(printed).toMatch(/whk_.*payment\.captured/s)
    await api.advance(1)
    expect(receiver.received).toHaveLength(1)
    expect(receiver.received[0]?.headers['webhook-signature']).toMatch(/^v1,/)
  })

  test.each(['shell', 'typescript'] as const)('ping a webhook, in %s', async (language) => {
    const WEBHOOK = await newWebhook()
    expect(await run(samples.ping_webhook, language, { WEBHOOK })).toContain(receiver.origin)
    await api.advance(1)
    expect(receiver.received).toHaveLength(2)
  })

  test.each(['shell', 'typescript'] as const)('list, repeat and recover what failed, in %s', async (language) => {
    receiver.says = () => 503
    const WEBHOOK = await newWebhook()
    await api.advance(1)
    const listed = await run(samples.list_deliveries, language, { WEBHOOK })
    expect(listed).toMatch(/dlv_.*ping.*503/s)
    const DELIVERY = /dlv_\w+/.exec(listed)![0]
    receiver.says = () => 200
    expect(await run(samples.redeliver, language, { DELIVERY })).toContain('pending')
    await api.advance(1)
    expect(receiver.received).toHaveLength(2)
    receiver.says = () => 503
    await api.request(`POST /webhooks/${WEBHOOK}/ping`)
    await api.advance(1)
    receiver.says = () => 200
    expect(await run(samples.recover_webhook, language, { WEBHOOK, SINCE: '2030-01-01T00:00:00Z' })).toContain(WEBHOOK)
    await api.advance(1)
    expect(receiver.received).toHaveLength(4)
    expect((await api.request(`GET /deliveries?webhook=${WEBHOOK}&status=pending,failed`)).body.total).toBe(0)
  })

  test.each(['shell', 'typescript'] as const)('rotate a secret, in %s', async (language) => {
    const WEBHOOK = await newWebhook()
    await run(samples.rotate_secret, language, { WEBHOOK, NEW_WEBHOOK_SECRET: 'whsec_a+b/' })
    await api.request(`POST /webhooks/${WEBHOOK}/ping`)
    await api.advance(1)
    const signatures = receiver.received.map(({ headers }) => String(headers['webhook-signature']).split(' ').length)
    expect(signatures.at(-1)).toBe(2)
  })

  test.each(['shell', 'typescript'] as const)('create a payment with its own webhook, in %s', async (language) => {
    const WEBHOOK_URL = `${receiver.origin}/own?a=b&c=d`
    const printed = await run(samples.payment_with_webhook, language, { WEBHOOK_URL })
    const [payment] = /pay_\w+/.exec(printed)!
    expect(printed).toContain('authorized')
    await api.request(`POST /_local/payments/${payment}/pay`)
    await api.advance(1)
    const own = receiver.received.filter(({ path }) => path === '/own?a=b&c=d')
    expect(own.map(({ headers }) => headers['x-service-event'])).toEqual(['payment.captured'])
  })

  test('list the events since a time', async () => {
    await newWebhook()
    expect(await run(samples.list_events, 'shell', { SINCE: '2030-01-01T00:00:00Z' })).toMatch(/evt_.*ping.*whk_/s)
  })
})
