import { networkInterfaces } from 'node:os'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { LocalPlatform } from '#infra/local/local-platform.ts'
import { type Api, card, openApi } from '#test/fixtures/api.ts'
import { expectEnvelope } from '#test/fixtures/envelope.ts'
import { this_host_urls, this_host_v6_urls } from '#test/fixtures/ssrf-corpus.ts'

/** A client with a test key tries to make the service call itself and read the response of `/_local`. */

const own_addresses = Object.values(networkInterfaces()).flatMap((all) => (all ?? []).map(({ address }) => address))
const own_hosts = own_addresses.map((address) => (address.includes(':') ? `[${address}]` : address))

/** Names that anyone can register, with the address to which each resolves. */
const names: Readonly<Record<string, string>> = {
  'loopback.example': '127.0.0.1',
  'whole-loopback.example': '127.9.9.9',
  'loopback-v6.example': '::1',
  ...Object.fromEntries(own_addresses.map((address, index) => [`own-${index}.example`, address])),
}

const literals = [
  ...[...this_host_urls, ...this_host_v6_urls].map((rest) => rest.replace(/\/$/, '')),
  ...own_hosts.map((host) => `${host}:PORT`),
]

const blocked = { status_code: null, response_body: null, error: 'blocked_address' }

let api: Api
beforeAll(async () => {
  const resolve = async (host: string) => (names[host] ? [names[host]] : [])
  api = await openApi({ names: resolve })
})
afterAll(() => api.close())

const port = () => new URL(api.url).port
const hook = (url: string) => ({ url, event_list: ['customer.created'] })
const merchants = () => [...api.platform.table.items()].filter(({ sk }) => sk === 'merchant').length

/** The attempts of all deliveries to a URL. */
async function attemptsTo(url: string): Promise<object[]> {
  const { data } = (await api.request('GET /deliveries?per_page=100')).body
  return data
    .filter((delivery: { url: string }) => delivery.url === url)
    .flatMap(({ attempts }: { attempts: object[] }) => attempts)
}

describe('a webhook to the port of the service itself', () => {
  test.each(literals)(
    'is refused when a webhook is created or changed, and in a payment or session: %j',
    async (rest) => {
      const url = `http://${rest.replace('PORT', port())}/_local/merchants`
      const order = { amount: 1_000, currency: 'JPY' }
      const webhooks = [{ url, events: ['payment.captured'] }]
      const { id } = (await api.request('POST /webhooks', { json: hook('https://unknown.example/') })).body
      for (const [route, json, param] of [
        ['POST /webhooks', hook(url), 'url'],
        [`PATCH /webhooks/${id}`, { url }, 'url'],
        ['POST /payments', { ...order, payment_details: card(), webhooks }, 'webhooks[0][url]'],
        ['POST /sessions', { ...order, payment_data: { ...order, webhooks } }, 'payment_data[webhooks][0][url]'],
      ] as const) {
        const reply = await api.request(route, { json })
        expectEnvelope(reply, 'invalid_parameter')
        expect(reply.body.error.param).toBe(param)
      }
      await api.request(`DELETE /webhooks/${id}`)
    },
  )

  test('is refused in a form', async () => {
    const form = { url: `http://localhost:${port()}/_local/merchants`, 'event_list[]': 'customer.created' }
    const reply = await api.request('POST /webhooks', { form })
    expectEnvelope(reply, 'invalid_parameter')
    expect(reply.body.error.message).toContain('your own server')
  })

  test.each(Object.keys(names))('fails at each delivery and reaches nothing if it has the name %s', async (name) => {
    const before = merchants()
    const url = `http://${name}:${port()}/_local/merchants`
    const { id } = (await api.request('POST /webhooks', { json: hook(url) })).body
    await api.advance(4)
    const attempts = await attemptsTo(url)
    expect(attempts.length).toBeGreaterThanOrEqual(2)
    for (const attempt of attempts) expect(attempt).toMatchObject(blocked)
    expect(merchants()).toBe(before)
    await api.request(`DELETE /webhooks/${id}`)
  })
})

test('a webhook that was created while the service listened on another port fails', async () => {
  let listens_there = false
  const around = (platform: LocalPlatform): LocalPlatform => ({
    ...platform,
    isOwnServer: (address, to) => listens_there && platform.isOwnServer(address, to),
  })
  const moved = await openApi({ around })
  const url = `http://127.0.0.1:${new URL(moved.url).port}/_local/merchants`
  const { id } = (await moved.request('POST /webhooks', { json: hook(url) })).body
  listens_there = true
  await moved.advance(0)
  const { data } = (await moved.request(`GET /deliveries?webhook=${id}`)).body
  expect(data).toMatchObject([{ attempts: [blocked] }])
  await moved.close()
})

test('a webhook to another local run reaches nothing behind its /_local', async () => {
  const other = await openApi()
  const url = `${other.url}/_local/merchants`
  await api.request('POST /webhooks', { json: hook(url) })
  await api.advance(0)
  const [attempt] = await attemptsTo(url)
  expect(attempt).toMatchObject({ status_code: 403, response_body: expect.stringContaining('"forbidden"') })
  expect(attempt).not.toMatchObject({ response_body: expect.stringContaining('sk_') })
  await other.close()
})
