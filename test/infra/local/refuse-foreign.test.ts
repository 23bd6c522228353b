import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type Api, openApi, type Reply } from '#test/fixtures/api.ts'
import { expectEnvelope } from '#test/fixtures/envelope.ts'
import { rawRequest } from '#test/fixtures/raw-request.ts'

let api: Api
let port: string
let merchants: number
beforeAll(async () => {
  api = await openApi()
  port = new URL(api.url).port
  merchants = count()
})
afterAll(() => api.close())

/** How many merchants there are. */
const count = () => [...api.platform.table.items()].filter(({ sk }) => sk === 'merchant').length

const ADVANCE = JSON.stringify({ advance: 60 })

/** Requests to `/_local`, with method, path and body. */
const requests = [
  ['GET', '/_local/health', undefined],
  ['POST', '/_local/clock', ADVANCE],
  ['POST', '/_local/merchants', '{}'],
  ['POST', '/_local/payments/pay_1/pay', undefined],
  ['POST', '/_local/refund_requests/rrq_1', '{"status":"completed"}'],
  ['POST', '/_local/files/mer_1/fil_1', undefined],
  ['OPTIONS', '/_local/clock', undefined],
  ['GET', '/_local/nothing', undefined],
] as const

type Headers = Readonly<Record<string, string>>

const send = (headers: Headers, [method, path, body]: (typeof requests)[number] = requests[1]): Promise<Reply> =>
  rawRequest(api.url, { method, path, headers, body })

/** Headers of requests that must be refused: requests from other origins, requests to other hosts, and deliveries. */
const refused: readonly Headers[] = [
  { origin: 'https://example.com' },
  { origin: 'null' },
  { origin: '' },
  { origin: 'http://localhost:1' },
  { origin: 'https://localhost:PORT' },
  { origin: 'http://127.0.0.2:PORT' },
  { origin: 'http://localhost.example.com:PORT' },
  { origin: 'http://localhost:PORT/' },
  { origin: 'http://user@localhost:PORT' },
  { origin: 'http://localhost:PORT, https://example.com' },
  { origin: 'http://localhost:PORT', 'sec-fetch-site': 'cross-site' },
  { 'sec-fetch-site': 'cross-site' },
  { 'sec-fetch-site': 'same-site' },
  { 'sec-fetch-site': '' },
  { 'sec-fetch-site': 'Same-Origin' },
  { 'sec-fetch-site': 'something new' },
  { host: 'example.com' },
  { host: 'example.com:PORT' },
  { host: 'example.com:PORT', origin: 'http://example.com:PORT', 'sec-fetch-site': 'same-origin' },
  { host: 'localhost.example.com:PORT' },
  { host: '127.0.0.1.nip.io:PORT' },
  { host: '0.0.0.0:PORT' },
  { host: '[::ffff:127.0.0.1]:PORT' },
  { 'x-service-id': 'dlv_1' },
]

/** Headers of requests from a terminal, a script or a page of the server itself. */
const served: readonly Headers[] = [
  {},
  { host: 'localhost' },
  { host: 'LOCALHOST:1' },
  { host: '127.0.0.1:PORT' },
  { host: '127.8.8.8:PORT' },
  { host: '[::1]:PORT' },
  { 'sec-fetch-site': 'same-origin' },
  { 'sec-fetch-site': 'none' },
  { origin: 'http://localhost:PORT', 'sec-fetch-site': 'same-origin' },
  { host: 'localhost:80', origin: 'http://localhost' },
  { host: '[::1]:PORT', origin: 'http://[::1]:PORT' },
]

const withPort = (headers: Headers): Headers => ({
  host: `localhost:${port}`,
  ...Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, value.replace('PORT', port)])),
})

describe('a request to /_local', () => {
  afterEach(() => {
    expect(count()).toBe(merchants)
  })

  test.each(refused)('is refused with %j, and changes nothing', async (headers) => {
    const before = api.platform.clock.now()
    for (const request of requests) {
      const reply = await send(withPort(headers), request)
      expectEnvelope(reply, 'forbidden')
      expect(reply.body.error.message).toMatch(/^(Use|Give) /)
      expect([...reply.headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([])
    }
    expect(api.platform.clock.now()).toBe(before)
  })

  test.each(served)('is served with %j', async (headers) => {
    const before = api.platform.clock.now()
    expect((await send(withPort(headers))).status).toBe(200)
    expect(api.platform.clock.now()).toBe(before + 60_000)
  })

  test.each([
    ['1.0', ''],
    ['1.1', ''],
    ['1.1', 'Host:\r\n'],
  ])('is refused without a host, by HTTP/%s with %j', async (version, host) => {
    const socket = connect(Number(port), '127.0.0.1')
    socket.end(`GET /_local/health HTTP/${version}\r\n${host}Connection: close\r\n\r\n`)
    const [head = '', body = ''] = (await text(socket)).split('\r\n\r\n')
    expect(head).toMatch(/^HTTP\/1\.1 403 /)
    expect(JSON.parse(body).error.code).toBe('forbidden')
  })

  test('is refused from a page of another origin in a content type that needs no preflight', async () => {
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x']) {
      const reply = await send(withPort({ origin: 'https://example.com', 'content-type': type }))
      expectEnvelope(reply, 'forbidden')
    }
  })
})

describe('a request under any host name', () => {
  test('is served by the API', async () => {
    const authorization = `Basic ${btoa(`${api.test.secret_key}:`)}`
    for (const host of ['192.168.1.7:3000', 'payments:3000', 'example.com']) {
      const path = '/api/v1/payments'
      expect((await rawRequest(api.url, { method: 'GET', path, headers: { host, authorization } })).status).toBe(200)
    }
  })

  test('is served for a signed link to a file, also from a page of another origin, as with S3', async () => {
    const options = { content_disposition: 'attachment', content_type: 'image/png', seconds: 300 }
    await api.platform.bucket.put('mer_1/fil_1', Buffer.from('png'))
    const path = await api.platform.bucket.link('mer_1/fil_1', options)
    for (const headers of [...refused, { host: 'payments:3000', 'sec-fetch-site': 'cross-site' }]) {
      const reply = await rawRequest(api.url, { method: 'GET', path, headers: withPort(headers) })
      expect([reply.status, reply.text]).toEqual([200, 'png'])
    }
    const changed = path.replace('image', 'text')
    expectEnvelope(await rawRequest(api.url, { method: 'GET', path: changed, headers: withPort({}) }), 'forbidden')
  })
})
