import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { handler as createPayment } from '#functions/payments/create.ts'
import { sentenceOf } from '#shared/domain/errors.ts'
import { scenarios } from '#shared/domain/scenario.ts'
import type { Answer } from '#shared/http/answers.ts'
import { CrashPoints } from '#test/faults/crash-points.ts'
import { eventTypesOf, refusalIn } from '#test/faults/witness.ts'
import { type Api, card, openApi } from '#test/fixtures/api.ts'

const crash = new CrashPoints()
let api: Api
beforeAll(async () => {
  api = await openApi({ around: crash.around })
})
afterEach(() => crash.disarm())
afterAll(() => api.close())

const order = { amount: 100, currency: 'JPY', payment_details: card() }
const pay = () => api.request('POST /payments', { json: order })

describe('endpoint', () => {
  test.each<[string, number, object]>([
    ['POST /payments', 200, { json: order }],
    ['GET /payments', 200, {}],
    ['POST /payments', 422, { json: {} }],
    ['POST /payments', 400, { raw: '{', headers: { 'content-type': 'application/json' } }],
    ['POST /payments', 415, { raw: 'x', headers: { 'content-type': 'text/plain' } }],
    ['POST /payments', 413, { raw: 'x'.repeat(1_048_577), headers: { 'content-type': 'application/json' } }],
    ['GET /payments', 401, { key: null }],
    ['GET /payments/pay_1', 404, {}],
    ['GET /nothing', 404, {}],
    ['DELETE /payments', 405, {}],
  ])('%s: %d is JSON with a request id and without an ETag', async (route, status, options) => {
    const reply = await api.request(route, options)
    expect(reply.status).toBe(status)
    expect(reply.headers.get('content-type')).toBe('application/json; charset=utf-8')
    expect(reply.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
    expect(reply.headers.get('etag')).toBeNull()
    if (status === 200) return
    expect(Object.keys(reply.body)).toEqual(['error'])
    expect(Object.keys(reply.body.error)).toEqual(['code', 'message', 'param', 'details', 'request_id', 'doc_url'])
    expect(reply.body.error.request_id).toBe(reply.headers.get('x-request-id'))
  })

  test('neither the response to a malformed body nor the log repeats the body', async () => {
    const raw = '{"payment_details":{"number":"4111111111111111",}}'
    const { status, text } = await api.request('POST /payments', {
      raw,
      headers: { 'content-type': 'application/json' },
    })
    expect(status).toBe(400)
    expect(text + JSON.stringify(api.logs)).not.toMatch(/4111|payment_details/)
  })

  test('every response has a different request id', async () => {
    const ids = await Promise.all([1, 2, 3].map(async () => (await pay()).headers.get('x-request-id')))
    expect(new Set(ids).size).toBe(3)
  })

  test('refuses an unknown scenario in test mode and names all of them, also for a GET', async () => {
    const headers = { 'x-service-scenario': 'timeout' }
    for (const request of ['POST /payments', 'GET /payments', 'DELETE /customers/cus_1']) {
      const reply = await api.request(request, { headers })
      expect(refusalIn(reply)).toEqual({ status: 422, code: 'invalid_parameter', param: 'X-Service-Scenario' })
      expect(reply.body.error.message).toContain(scenarios.join(', '))
    }
    expect((await api.request('GET /payments', { key: api.live.secret_key, headers })).status).toBe(200)
  })

  test('a 405 response lists the methods of the path', async () => {
    expect((await api.request('DELETE /payments')).headers.get('allow')).toBe('GET, HEAD, POST')
  })

  test('browsers can read the responses of a route for browsers, including errors', async () => {
    for (const options of [{ json: {} }, { key: null }, { raw: '{' }])
      expect((await api.request('POST /tokens', options)).headers.get('access-control-allow-origin')).toBe('*')
    expect((await pay()).headers.get('access-control-allow-origin')).toBeNull()
  })

  test('the API key is checked before the body is read', async () => {
    expect((await api.request('POST /payments', { key: null, raw: '{' })).status).toBe(401)
    expect((await api.request('POST /payments', { key: api.test.publishable_key, raw: '{' })).status).toBe(403)
  })

  test('a POST without a body and a content type counts as an empty request', async () => {
    expect(refusalIn(await api.request('POST /payments'))).toMatchObject({ status: 422, code: 'missing_parameter' })
  })
})

describe('endpoint log', () => {
  test('a request writes one line of allowed fields, and nothing of its content', async () => {
    const before = api.logs.length
    const { headers } = await api.request('POST /payments', { json: { ...order, description: 'canary' } })
    const [line, ...more] = api.logs.slice(before).filter(({ event }) => event === 'request')
    expect(more).toEqual([])
    expect(line).toEqual({
      level: 'info',
      event: 'request',
      request_id: headers.get('x-request-id'),
      route: 'POST /payments',
      merchant: api.test.id,
      status: 200,
      latency_ms: 0,
    })
    await api.request('POST /payments', { json: { ...order, description: 'canary', amount: 0 } })
    expect(JSON.stringify(api.logs)).not.toMatch(/canary|4111 ?1111|sk_test/)
  })

  test('a defect logs its stack, and the merchant gets a fixed message', async () => {
    crash.arm((_, operation) => {
      if (operation === 'write') throw new TypeError('canary 4111111111111111')
      return 'ok'
    })
    const reply = await pay()
    expect(reply.status).toBe(500)
    expect(reply.body.error).toMatchObject({
      code: 'internal_server_error',
      message: sentenceOf('internal_server_error'),
      details: null,
    })
    const line = api.logs.at(-1)!
    expect(line).toMatchObject({ level: 'error', status: 500, error: 'TypeError' })
    expect(line.stack!.length).toBeGreaterThan(0)
    expect(JSON.stringify(line)).not.toContain('canary')
  })
})

describe('endpoint during a platform failure', () => {
  test.each(['get', 'write'])('answers 503 with Retry-After and does nothing if the first %s fails', async (at) => {
    const before = (await api.request('GET /payments')).body.total
    crash.arm((_, operation) => (operation === at ? 'fail_before' : 'ok'))
    const reply = await pay()
    expect(refusalIn(reply)).toEqual({ status: 503, code: 'service_unavailable', param: null })
    expect(Number(reply.headers.get('retry-after'))).toBeGreaterThan(0)
    crash.disarm()
    expect((await api.request('GET /payments')).body.total).toBe(before)
  })
})

describe('endpoint after a lost race', () => {
  const lose = (races: number) => {
    let writes = 0
    crash.arm((_, operation) => (operation === 'write' && ++writes <= races ? 'conflict' : 'ok'))
    return () => writes
  }

  test('runs again, four times at most', async () => {
    const { id } = (await pay()).body
    const writes = lose(4)
    const reply = await api.request(`PATCH /payments/${id}`, { json: { description: 'tea' } })
    expect([reply.status, reply.body.description, writes()]).toEqual([200, 'tea', 5])
    expect(await eventTypesOf(api, id)).toEqual(['payment.captured', 'payment.updated'])
  })

  test('answers 409 and does nothing after five lost races', async () => {
    const { id, description } = (await pay()).body
    const writes = lose(99)
    const reply = await api.request(`PATCH /payments/${id}`, { json: { description: 'tea' } })
    expect([refusalIn(reply), writes()]).toEqual([{ status: 409, code: 'conflict', param: null }, 5])
    crash.disarm()
    expect((await api.request(`GET /payments/${id}`)).body.description).toBe(description)
  })

  test('sees the changes of the winner', async () => {
    const { id } = (await pay()).body
    const patch = (json: object) => api.request(`PATCH /payments/${id}`, { json })
    const replies = await Promise.all([1, 2, 3].map((n) => patch({ metadata: { n } })))
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200])
    const events = (await api.request('GET /events?type=payment.updated')).body.data
    const last = (await api.request(`GET /payments/${id}`)).body
    expect(events[0].data).toEqual(last)
  })
})

describe('links to hosted pages', () => {
  const redirectUrl = async (headers: object, path: string): Promise<string> => {
    const event = {
      httpMethod: 'POST',
      path: '/api/v1/payments',
      headers: {
        Authorization: `Basic ${btoa(`${api.test.secret_key}:`)}`,
        'Content-Type': 'application/json',
        ...headers,
      },
      body: JSON.stringify({ ...order, payment_details: { type: 'paypay' } }),
      isBase64Encoded: false,
      pathParameters: null,
      multiValueQueryStringParameters: null,
      requestContext: { requestId: 'r', path },
    }
    const answer: Answer = await createPayment(event as never, { platform: api.platform } as never)
    return JSON.parse(answer.body).payment_details.redirect_url
  }

  test.each([
    [{ Host: 'api.example', 'X-Forwarded-Proto': 'https' }, '/api/v1/payments', 'https://api.example/pages/'],
    [{ Host: 'api.example', 'X-Forwarded-Proto': 'javascript' }, '/api/v1/payments', 'http://api.example/pages/'],
    [
      { host: 'x.amazonaws.com', 'X-Forwarded-Proto': 'https' },
      '/dev/api/v1/payments',
      'https://x.amazonaws.com/dev/pages/',
    ],
    [{ host: 'localhost:3000' }, '/api/v1/payments', 'http://localhost:3000/pages/'],
  ])('for %j %s begin with the base URL of the request', async (headers, path, beginning) => {
    expect(await redirectUrl(headers, path)).toMatch(new RegExp(`^${beginning.replaceAll('.', '\\.')}`))
  })
})

describe('endpoint with little time left', () => {
  test('does not answer while the charge goes on', async () => {
    const event = {
      httpMethod: 'POST',
      path: '/api/v1/payments',
      headers: { authorization: `Basic ${btoa(api.test.secret_key)}`, 'x-service-scenario': 'slow' },
      body: JSON.stringify(order),
      requestContext: { requestId: 'r', path: '/api/v1/payments' },
    }
    const context = { platform: api.platform, getRemainingTimeInMillis: () => 6 }
    const answering = createPayment(event as never, context as never) as Promise<{ statusCode: number }>
    let answered = false
    void answering.then(() => {
      answered = true
    })
    // This is real time, because middy does not use the clock of the platform. A slower machine waits at least as long.
    await new Promise((over) => setTimeout(over, 30))
    expect(answered).toBe(false)
    // On a slow machine, the charge begins to wait only after the clock was turned for the first time.
    while (!answered) {
      api.platform.clock.turnTo(api.platform.clock.now() + 3000)
      await new Promise((over) => setTimeout(over, 10))
    }
    expect((await answering).statusCode).toBe(200)
  })
})
