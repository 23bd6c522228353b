import { once } from 'node:events'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { BASE_PATH, publishable, test_only } from '#shared/routes.ts'
import { type Api, openApi, type Reply } from '#test/fixtures/api.ts'
import { expectEnvelope } from '#test/fixtures/envelope.ts'
import { type RawRequest, rawRequest } from '#test/fixtures/raw-request.ts'
import { askAs, type Row, readyPath, rowsUnlike } from '#test/fixtures/route-requests.ts'
import { tableDigest } from '#test/fixtures/table-digest.ts'

const rows = rowsUnlike()
const paths = Map.groupBy(rows, ({ path }) => path)
const methods = ['GET', 'POST', 'PATCH', 'DELETE', 'PUT', 'TRACE', 'PROPFIND'] as const

let api: Api
beforeAll(async () => {
  api = await openApi()
})
afterAll(() => api.close())

const basic = (credentials: string) => `Basic ${Buffer.from(credentials).toString('base64')}`

/** Sends the valid request of a row with this `Authorization` header, or without one. */
async function send(row: Row, authorization: string | null, changes: Partial<RawRequest> = {}): Promise<Reply> {
  const path = changes.path ?? BASE_PATH + (await readyPath(row, askAs(api)))
  const headers = { 'content-type': 'application/json', ...(authorization && { authorization }), ...changes.headers }
  const body = row.method === 'GET' ? undefined : JSON.stringify(row.contents[0])
  return rawRequest(api.url, { method: row.method, body, ...changes, path, headers })
}

describe.each(rows)('$route', (row) => {
  const origin = publishable.has(row.route) ? '*' : null

  test('answers 401 for missing and invalid credentials, and does nothing', async () => {
    const { secret_key, publishable_key } = api.test
    const invalid = [
      null,
      '',
      'Basic',
      'Basic ',
      'Basic =====',
      basic(''),
      basic(':'),
      basic('sk_test_00000000000000000000000000000000:'),
      basic(`${secret_key.slice(0, -1)}:`),
      basic(`${secret_key}0:`),
      basic(`${secret_key.toUpperCase()}:`),
      basic(`${secret_key}:secret`),
      basic(`${secret_key}:${api.live.id}`),
      basic(`${publishable_key.replace('pk_', 'sk_')}:`),
      basic(`${secret_key.replace('sk_', 'pk_')}:`),
      basic(`${secret_key.replace('_test_', '_live_')}:`),
      basic(`:${secret_key}`),
      basic('__proto__:'),
      basic('\u0000:\u0000'),
      `Bearer ${secret_key}`,
      `Digest username="${secret_key}"`,
      secret_key,
      basic('x'.repeat(10_000)),
    ]
    const path = BASE_PATH + (await readyPath(row, askAs(api)))
    const before = tableDigest(api)
    for (const authorization of invalid) {
      const reply = await send(row, authorization, { path })
      expectEnvelope(reply, 'unauthorized')
      expect(reply.headers.get('www-authenticate')).toMatch(/^Basic realm="[^"]+"/)
      expect(reply.headers.get('access-control-allow-origin')).toBe(origin)
    }
    expect(tableDigest(api)).toBe(before)
  })

  const in_live_mode = test_only.has(row.route) ? 404 : row.status

  test('accepts a secret key of either mode, with and without the colon', async () => {
    for (const authorization of [basic(`${api.test.secret_key}:`), basic(api.test.secret_key)]) {
      const reply = await send(row, authorization)
      expect(reply.status, reply.text).toBe(row.status)
    }
    const path = BASE_PATH + (await readyPath(row, askAs(api, api.live.secret_key)))
    expect((await send(row, basic(`${api.live.secret_key}:`), { path })).status).toBe(in_live_mode)
  })

  test(`${origin ? 'accepts' : 'refuses'} a publishable key`, async () => {
    const path = BASE_PATH + (await readyPath(row, askAs(api)))
    const before = tableDigest(api)
    const reply = await send(row, basic(`${api.test.publishable_key}:`), { path })
    if (origin) {
      expect(reply.status, reply.text).toBe(200)
    } else {
      expectEnvelope(reply, 'forbidden')
      expect(tableDigest(api)).toBe(before)
    }
  })

  test(`${origin ? 'lets pages in a browser read its responses' : 'lets no page in a browser read its responses'}`, async () => {
    const authorization = basic(`${api.test.secret_key}:`)
    const replies = [
      await send(row, authorization),
      await send(row, null),
      await send(row, authorization, { body: '{' }),
      await send(row, authorization, { headers: { 'content-type': 'text/plain' }, body: 'x' }),
      await send(row, basic(`${api.test.publishable_key}:`), { body: '[]' }),
    ]
    expect(replies.map(({ status }) => status).slice(0, 4)).toEqual([row.status, 401, 400, 415])
    for (const { headers } of replies) {
      expect(headers.get('access-control-allow-origin')).toBe(origin)
      expect(headers.get('access-control-expose-headers')?.includes('X-Request-Id') ?? null).toBe(origin && true)
    }
  })

  test('gives every response a request id of its own and forbids caching', async () => {
    const authorization = basic(`${api.test.secret_key}:`)
    const replies = [await send(row, authorization), await send(row, authorization), await send(row, null)]
    const request_ids = replies.map(({ headers }) => headers.get('x-request-id'))
    expect(new Set(request_ids).size).toBe(3)
    for (const { headers } of replies) {
      expect(headers.get('x-request-id')).toMatch(/^[\w-]{8,}$/)
      expect(headers.get('content-type')).toBe('application/json; charset=utf-8')
      expect(headers.get('cache-control')).toBe('no-store')
      expect(headers.get('etag')).toBeNull()
    }
  })

  test('refuses unreadable bodies with the error envelope, which contains no value of the request', async () => {
    const authorization = basic(`${api.test.secret_key}:`)
    const path = BASE_PATH + (await readyPath(row, askAs(api)))
    const before = tableDigest(api)
    const refused: [string, Partial<RawRequest>][] = [
      ['bad_request', { body: '{"4111111111111111":' }],
      ['bad_request', { body: '"4111111111111111"' }],
      ['unsupported_media_type', { body: '4111111111111111', headers: { 'content-type': 'text/4111111111111111' } }],
      ['unsupported_media_type', { body: '{}', headers: { 'content-type': 'application/json; charset=utf-16' } }],
      ['payload_too_large', { body: `{"a":"${'4111111111111111'.repeat(65_536)}"}` }],
    ]
    for (const [code, changes] of refused) {
      const reply = await send(row, authorization, { path, ...changes })
      expectEnvelope(reply, code)
      expect(reply.text).not.toContain('4111111111111111')
    }
    expect(tableDigest(api)).toBe(before)
  })
})

describe.each([...paths].map(([path, served]) => ({ path, served })))('the path $path', ({ path, served }) => {
  const here = path.replace(/:\w+/g, 'pay_1')
  const rows = served.map(({ method }) => method as string)
  const own = rows.includes('GET') ? [...rows, 'HEAD'] : rows
  const forBrowsers = served.filter(({ route }) => publishable.has(route)).map(({ method }) => method)

  test('answers 405 with its allowed methods for every other method', async () => {
    for (const method of methods.filter((candidate) => !own.includes(candidate))) {
      for (const authorization of [basic(`${api.test.secret_key}:`), 'Basic x']) {
        const reply = await rawRequest(api.url, { method, path: BASE_PATH + here, headers: { authorization } })
        expectEnvelope(reply, 'method_not_allowed')
        expect(reply.headers.get('allow')?.split(', ').sort()).toEqual([...own].sort())
      }
    }
    const head = await rawRequest(api.url, { method: 'HEAD', path: BASE_PATH + here })
    expect([head.status, head.text]).toEqual([own.includes('HEAD') ? 401 : 405, ''])
  })

  test('answers OPTIONS with its methods, and with CORS headers if it serves browsers', async () => {
    const headers = { origin: 'https://shop.example.com', 'access-control-request-method': 'POST' }
    const reply = await rawRequest(api.url, { method: 'OPTIONS', path: BASE_PATH + here, headers })
    expect([reply.status, reply.text]).toEqual([204, ''])
    expect(reply.headers.get('x-request-id')).toMatch(/^[\w-]{8,}$/)
    expect(reply.headers.get('allow')?.split(', ').sort()).toEqual([...own].sort())
    expect(reply.headers.get('access-control-allow-origin')).toBe(forBrowsers.length > 0 ? '*' : null)
    expect(reply.headers.get('access-control-allow-methods')).toBe(forBrowsers.join(', ') || null)
    expect(reply.headers.get('access-control-allow-headers')?.includes('authorization') ?? false).toBe(
      forBrowsers.length > 0,
    )
  })

  test('answers 404 when a letter differs', async () => {
    const others = [`${here}x`, here.toUpperCase(), `${here}/x`, `/x${here}`, here.replace('/', '//'), `${here}%20`]
    const known = [...paths.keys()].map((known) => new RegExp(`^${known.replace(/:\w+/g, '[^/]+')}/?$`))
    for (const other of others.filter((candidate) => !known.some((pattern) => pattern.test(candidate))))
      for (const method of ['GET', 'POST', 'OPTIONS'])
        expectEnvelope(await rawRequest(api.url, { method, path: BASE_PATH + other }), 'not_found')
  })
})

test('unknown paths are answered with 404', async () => {
  const unknown = [
    '',
    '/',
    '/x',
    '/__proto__',
    '/constructor',
    '/%',
    '/%2F',
    '/payments%2Fpay_1',
    '/../v1/payments',
    '/*',
  ]
  const elsewhere = ['/api', '/api/v2/payments', '/API/V1/payments', '/api/v1payments', '//api/v1/payments', '*']
  for (const path of [...unknown.map((path) => BASE_PATH + path), ...elsewhere])
    expectEnvelope(await rawRequest(api.url, { method: 'GET', path }), 'not_found')
})

test('invalid HTTP is answered with the error envelope', async () => {
  const { hostname, port } = new URL(api.url)
  const garbage = [
    '\u0000\u0001\u0002\r\n\r\n',
    'GET /api/v1/pay ments HTTP/1.1\r\nHost: a\r\n\r\n',
    'NONSENSE\r\n\r\n',
    'GET /api/v1/payments HTTP/1.1\r\nHost: a\r\nA\u0000: b\r\n\r\n',
    `GET /api/v1/payments HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(40_000)}\r\n\r\n`,
    'GET /api/v1/payments HTTP/1.1\r\nConnection: close\r\n\r\n',
    'POST /api/v1/tokens HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n',
    'POST /api/v1/tokens HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n',
    'POST /api/v1/tokens HTTP/1.1\r\nHost: a\r\nExpect: nonsense\r\nConnection: close\r\nContent-Length: 0\r\n\r\n',
  ]
  for (const sent of garbage) {
    const socket = connect({ host: hostname, port: Number(port) })
    await once(socket, 'connect')
    socket.write(sent, 'latin1')
    const [head = '', body = ''] = (await text(socket)).split('\r\n\r\n')
    const [status_line, ...lines] = head.split('\r\n')
    const headers = new Headers(lines.map((line): [string, string] => line.split(': ') as [string, string]))
    const status = Number(status_line?.split(' ')[1])
    expect(body, sent.slice(0, 100)).toMatch(/^\{/)
    expectEnvelope(
      { status, headers, text: body, body: JSON.parse(body) },
      status === 401 ? 'unauthorized' : 'bad_request',
    )
  }
})
