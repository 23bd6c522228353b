import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { LocalPlatform } from '#infra/local/local-platform.ts'
import { isLoopback, isPublic } from '#shared/webhooks/address.ts'
import { type Api, card, openApi } from '#test/fixtures/api.ts'
import {
  type Canary,
  led_astray,
  NOBODY,
  openCanary,
  private_urls,
  this_host_urls,
  this_host_v6_urls,
  unreadable_urls,
  urlOf,
} from '#test/fixtures/ssrf-corpus.ts'

/** A client tries to reach private addresses through every request that takes a webhook URL. */

let canary: Canary
beforeAll(async () => {
  canary = await openCanary()
})
afterAll(() => canary.close())

const event_list = ['customer.created']
const hook = (url: string) => ({ url, event_list })
const paymentTo = (urls: readonly string[]) => ({
  amount: 1_000,
  currency: 'JPY',
  payment_details: card(),
  webhooks: urls.map((url) => ({ url, events: ['payment.captured'] })),
})

const blocked = {
  ...{ status_code: null, response_body: null, latency_ms: expect.any(Number), error: 'blocked_address' },
  after_unrecorded: false,
}

/** Returns the attempts of all deliveries, by URL. */
async function attemptsByUrl(api: Api, key: string): Promise<Map<string, object[]>> {
  const attempts = new Map<string, object[]>()
  for (let page = 1; ; page++) {
    const { data } = (await api.request(`GET /deliveries?per_page=100&page=${page}`, { key })).body
    for (const one of data) attempts.set(one.url, [...(attempts.get(one.url) ?? []), ...one.attempts])
    if (data.length < 100) return attempts
  }
}

describe.each([
  ['test mode on the internet', 'test', 'http', false],
  ['live mode on the internet', 'live', 'https', false],
  ['live mode of a local run', 'live', 'https', true],
  ['test mode of a local run', 'test', 'http', true],
] as const)('%s', (_, mode, scheme, loopback_webhooks) => {
  const may_reach_this_host = loopback_webhooks && mode === 'test'
  const this_host = may_reach_this_host ? [] : [...this_host_urls, ...this_host_v6_urls]
  const rests = [...this_host, ...private_urls, ...unreadable_urls]
  const private_names = Object.keys(led_astray).filter(
    (name) => !may_reach_this_host || led_astray[name]!.some((one) => !isPublic(one) && !isLoopback(one)),
  )
  let api: Api
  let key: string
  beforeAll(async () => {
    const names = async (host: string) => led_astray[host] ?? []
    api = await openApi({ names, around: (platform) => ({ ...platform, loopback_webhooks }) })
    key = api[mode].secret_key
  })
  afterAll(() => api.close())

  /** Returns the URLs that were not refused with this parameter. */
  async function taken(param: string, send: (url: string) => { route: string; json: object }): Promise<object[]> {
    const found: object[] = []
    for (const rest of rests) {
      const { route, json } = send(urlOf(scheme, rest, canary))
      const { status, body } = await api.request(route, { key, json })
      if (status !== 422 || body.error.param !== param) found.push({ rest, status, body })
    }
    return found
  }

  test('refuses every spelling when a webhook is created or changed', async () => {
    expect(await taken('url', (url) => ({ route: 'POST /webhooks', json: hook(url) }))).toEqual([])
    const { id } = (await api.request('POST /webhooks', { key, json: hook('https://unknown.example/') })).body
    expect(await taken('url', (url) => ({ route: `PATCH /webhooks/${id}`, json: { url } }))).toEqual([])
    expect((await api.request(`GET /webhooks/${id}`, { key })).body.url).toBe('https://unknown.example/')
  })

  test('refuses every spelling in a payment, and creates no payment', async () => {
    const send = (url: string) => ({ route: 'POST /payments', json: paymentTo(['https://unknown.example/', url]) })
    expect(await taken('webhooks[1][url]', send)).toEqual([])
    expect((await api.request('GET /payments', { key })).body.total).toBe(0)
  })

  test('calls no host name that resolves to a private address, and shows only that the attempt was blocked', async () => {
    const urls = private_names.flatMap((name) => [
      urlOf(scheme, `${name}:PORT/`, canary),
      urlOf(scheme, `user@${name.toUpperCase()}.:PORT/`, canary),
    ])
    for (const url of urls) expect((await api.request('POST /webhooks', { key, json: hook(url) })).status).toBe(200)
    for (let at = 0; at < urls.length; at += 10) {
      const json = paymentTo(urls.slice(at, at + 10).map((url) => `${url}?of=payment`))
      expect((await api.request('POST /payments', { key, json })).status).toBe(200)
    }
    await api.advance(4)
    const attempts = await attemptsByUrl(api, key)
    for (const url of urls.flatMap((url) => [url, `${url}?of=payment`])) {
      const made = attempts.get(url)!
      expect(made.length, url).toBeGreaterThanOrEqual(2)
      for (const one of made) expect(one, url).toEqual({ ...blocked, attempted_at: expect.any(String) })
    }
    expect(canary.reached()).toBe(0)
  })
})

test('a name is resolved once for each call, so that a rebinding has no effect', async () => {
  let asked = 0
  const names = async () => {
    asked += 1
    return [asked === 1 ? NOBODY : '127.0.0.1']
  }
  const api = await openApi({ names, around: (platform) => ({ ...platform, loopback_webhooks: false }) })
  const url = urlOf('http', 'rebinding.example:PORT/', canary)
  await api.request('POST /webhooks', { json: hook(url) })
  expect(asked).toBe(0)
  await api.advance(0)
  expect(asked).toBe(1)
  await api.advance(49)
  expect(asked).toBe(3)
  const [first, ...others] = (await attemptsByUrl(api, api.test.secret_key)).get(url)!
  // The network decides whether a call of this address fails at once or gets no response.
  expect(first).toMatchObject({ status_code: null, error: expect.stringMatching(/^(connection_failed|timeout)$/) })
  expect(others).toMatchObject([blocked, blocked])
  expect(canary.reached()).toBe(0)
  await api.close()
})

describe('a webhook that was created where this host is allowed', () => {
  let loopback_webhooks: boolean
  let api: Api
  const around = (platform: LocalPlatform): LocalPlatform => ({
    ...platform,
    get loopback_webhooks() {
      return loopback_webhooks
    },
  })
  beforeAll(async () => {
    api = await openApi({ around })
  })
  afterAll(() => api.close())

  test.each(this_host_urls)('reaches the canary with %j, and stops once this host is forbidden', async (rest) => {
    const url = urlOf('http', rest, canary)
    loopback_webhooks = true
    const { id } = (await api.request('POST /webhooks', { json: hook(url) })).body
    await api.advance(0)
    expect(canary.reached()).toBe(1)
    loopback_webhooks = false
    await api.request(`POST /webhooks/${id}/ping`)
    await api.advance(0)
    expect(canary.reached()).toBe(0)
    const { data } = (await api.request(`GET /deliveries?webhook=${id}`)).body
    expect(data.flatMap(({ attempts }: { attempts: object[] }) => attempts)).toMatchObject([
      blocked,
      { status_code: 200, response_body: 'secret', error: null },
    ])
  })
})
