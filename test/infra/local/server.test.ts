import { type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { servedPages } from '#shared/routes.ts'
import { refusalIn } from '#test/faults/witness.ts'
import { type Api, card, openApi } from '#test/fixtures/api.ts'

let api: Api
beforeAll(async () => {
  api = await openApi()
})
afterAll(() => api.close())

/** Sends bytes. Returns the response once the server closes the connection. */
async function raw(bytes: string): Promise<{ head: string; body: string }> {
  const socket = connect(Number(new URL(api.url).port), '127.0.0.1')
  socket.write(bytes)
  const [head = '', body = ''] = (await text(socket)).split('\r\n\r\n')
  return { head, body }
}

describe('the local server', () => {
  test('answers malformed HTTP with the error envelope', async () => {
    const { head, body } = await raw('this is no HTTP\r\n\r\n')
    expect(head).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/)
    expect(head).toContain(`Content-Length: ${Buffer.byteLength(body)}`)
    expect(JSON.parse(body).error).toMatchObject({ code: 'bad_request', request_id: expect.any(String) })
  })

  test('answers a body that is too large with 413, also one of 8 MB', async () => {
    for (const bytes of [1_048_577, 8 * 1_048_576]) {
      const headers = { 'content-type': 'application/json' }
      const reply = await api.request('POST /payments', { raw: 'x'.repeat(bytes), headers })
      expect(refusalIn(reply)).toEqual({ status: 413, code: 'payload_too_large', param: null })
    }
  })

  test('stops reading a body of 100 MB, keeps less than half of it in memory and answers 413', async () => {
    const { port } = new URL(api.url)
    const authorization = `Basic ${btoa(`${api.test.secret_key}:`)}`
    const headers = { authorization, 'content-type': 'multipart/form-data; boundary=x' }
    // The server stops reading after the upload limit if a Content-Length announces the 100 MB, else after 64 MB.
    for (const { length, most_sent } of [
      { length: {}, most_sent: 80 },
      { length: { 'content-length': String(100 * MEGABYTE.length) }, most_sent: 30 },
    ]) {
      const post = () =>
        httpRequest({ port, method: 'POST', path: '/api/v1/files', headers: { ...headers, ...length } })
      let reply = await cutOff(post())
      // A client that still sends when the connection ends can lose the response, as with any server.
      for (let tries = 1; !reply.response && tries < 10; tries++) reply = await cutOff(post())
      const { response, sent, most_buffered } = reply
      expect([response?.statusCode, response?.headers.connection]).toEqual([413, 'close'])
      expect(JSON.parse(await text(response!)).error.code).toBe('payload_too_large')
      response!.destroy()
      expect(sent).toBeLessThan(most_sent)
      expect(most_buffered).toBeLessThan(48 * MEGABYTE.length)
    }
  })

  test.each<[string, (value: string) => string[], number]>([
    ['one', (value) => [`Authorization: ${value}`], 200],
    ['one with white space around its value', (value) => [`authorization: \t ${value} \t`], 200],
    ['the same one twice', (value) => [`Authorization: ${value}`, `authorization: ${value}`], 401],
    ['another one behind it', (value) => [`Authorization: ${value}`, 'Authorization: Basic x'], 401],
    ['another one before it', (value) => ['Authorization: Bearer x', `Authorization: ${value}`], 401],
    ['an empty one behind it', (value) => [`Authorization: ${value}`, 'Authorization:'], 401],
  ])('accepts Authorization only if it is sent once: %s', async (_, lines, status) => {
    const sent = lines(`Basic ${Buffer.from(`${api.test.secret_key}:`).toString('base64')}`)
    const { head } = await raw(
      `GET /api/v1/payments HTTP/1.1\r\nHost: a\r\nConnection: close\r\n${sent.join('\r\n')}\r\n\r\n`,
    )
    expect(head).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
  })

  test('sends responses with multi-byte characters completely', async () => {
    const description = '紅茶 ☕ '.repeat(100)
    const json = { amount: 100, currency: 'JPY', payment_details: card(), description }
    const { body, text, headers } = await api.request('POST /payments', { json })
    expect(body.description).toBe(description)
    expect(headers.get('content-length')).toBe(String(Buffer.byteLength(text)))
  })

  test.each<[string, number, string | undefined]>([
    ['GET /payments/', 200, undefined],
    ['GET /nothing', 404, 'not_found'],
    ['GET /payments/pay_1/nothing', 404, 'not_found'],
    ['PUT /payments', 405, 'method_not_allowed'],
    ['DELETE /payments/pay_1', 405, 'method_not_allowed'],
    ['POST /nothing', 404, 'not_found'],
  ])('%s answers %d', async (route, status, code) => {
    expect(refusalIn(await api.request(route))).toMatchObject({ status, code })
  })

  test('answers HEAD as GET, without a body', async () => {
    for (const [path, status] of [
      ['/payments', 200],
      ['/payments/pay_1', 404],
      ['/tokens', 405],
    ] as const) {
      const head = await api.request(`HEAD ${path}`)
      expect([head.status, head.text, head.headers.get('content-type')], path).toEqual([
        ...[status, ''],
        'application/json; charset=utf-8',
      ])
    }
    const page = await fetch(`${api.url}/pages/sessions/mer_nobody/ses_1`, { method: 'HEAD' })
    expect([page.status, await page.text()]).toEqual([404, ''])
  })

  test('answers CORS preflight requests', async () => {
    const reply = await api.request('OPTIONS /tokens', { key: null })
    expect([reply.status, reply.text]).toEqual([204, ''])
    expect(reply.headers.get('access-control-allow-methods')).toBe('POST')
    expect(reply.headers.get('access-control-allow-headers')).toContain('idempotency-key')
  })

  test('answers paths outside of the API with 404', async () => {
    for (const path of ['/api', '/api/v2/payments', '/_local', '//', '/%'])
      expect((await fetch(api.url + path)).status, path).toBe(404)
  })

  test('answers unknown pages with an HTML page and 404, and unknown methods of pages with 405', async () => {
    for (const path of ['/pages', '/pages/nothing', '/pages/sessions/mer_1', '/pages/%']) {
      const reply = await fetch(api.url + path)
      expect([reply.status, reply.headers.get('content-type')], path).toEqual([404, 'text/html; charset=utf-8'])
    }
    const wrong = await fetch(`${api.url}/pages/sessions/mer_1/ses_1`, { method: 'DELETE' })
    expect([wrong.status, wrong.headers.get('allow')]).toEqual([405, 'GET, HEAD, POST'])
  })

  test.each(servedPages())('passes $route to its function, which answers 404 for an unknown merchant', async (row) => {
    const path = row.path.replace(':merchant', 'mer_nobody').replace(':id', 'ses_1')
    const reply = await fetch(api.url + path, { method: row.method, headers: { 'sec-fetch-site': 'same-origin' } })
    expect([reply.status, reply.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8'])
    expect(api.logs.at(-1)).toMatchObject({ route: row.route, status: 404 })
  })

  test('gives each of 40 concurrent requests its own response', async () => {
    const amounts = Array.from({ length: 40 }, (_, n) => n + 1)
    const replies = await Promise.all(
      amounts.map((amount) =>
        api.request('POST /payments', { json: { amount, currency: 'JPY', payment_details: card() } }),
      ),
    )
    expect(replies.map(({ body }) => body.amount)).toEqual(amounts)
    expect(new Set(replies.map(({ headers }) => headers.get('x-request-id'))).size).toBe(40)
  })
})

const MEGABYTE = Buffer.alloc(2 ** 20, 'x')

setFlagsFromString('--expose-gc')
/** Frees unreferenced buffers, so that only buffers in use are counted. */
const collectGarbage: () => void = runInNewContext('gc')

/** Sends up to 100 MB until the connection closes. Returns the response, the MB sent and the peak of buffered bytes. */
async function cutOff(request: ClientRequest) {
  let is_gone = false
  const gone = new Promise<void>((resolve) => request.on('error', () => resolve()).on('close', () => resolve()))
  gone.then(() => {
    is_gone = true
  })
  const answered = new Promise<IncomingMessage>((resolve) => request.once('response', resolve))
  const before = process.memoryUsage().arrayBuffers
  let [sent, most_buffered] = [0, 0]
  for (; sent < 100 && !is_gone; sent++) {
    if (!request.write(MEGABYTE)) await Promise.race([new Promise((drained) => request.once('drain', drained)), gone])
    // A collection takes long in a process that has loaded many modules.
    if (sent % 4 !== 0) continue
    collectGarbage()
    most_buffered = Math.max(most_buffered, process.memoryUsage().arrayBuffers - before)
  }
  return { response: await Promise.race([answered, gone.then(() => undefined)]), sent, most_buffered }
}
