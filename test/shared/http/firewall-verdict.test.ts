import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { listed_labels, suspicious_labels } from '#infra/constructs/firewall-groups.ts'
import { locales } from '#shared/domain/session.ts'
import { texts } from '#shared/pages/texts/texts.ts'
import { BASE_PATH, publishable, servedPages, servedRoutes } from '#shared/routes.ts'
import { openSession, see, submit, typed_card } from '#test/browser/browsing.ts'
import { type Api, openApi } from '#test/fixtures/api.ts'
import { expectEnvelope } from '#test/fixtures/envelope.ts'
import { type FirewallRequest, insertedHeaders } from '#test/fixtures/firewall-model.ts'
import { type RawRequest, rawRequest } from '#test/fixtures/raw-request.ts'
import { stacksOf } from '#test/fixtures/stage-stacks.ts'
import { stageOf } from '#test/fixtures/stages.ts'
import { tableDigest } from '#test/fixtures/table-digest.ts'

/** The header marks that the firewall of prod inserts into a request. */
function marksOf(request: Partial<FirewallRequest>): Readonly<Record<string, string>> {
  const [acl] = Object.values(stacksOf(stageOf('prod')).api.findResources('AWS::WAFv2::WebACL'))
  return insertedHeaders(acl!.Properties.Rules, { path: '/', headers: [], ...request })
}
const suspicious = marksOf({ labels: suspicious_labels.slice(0, 1) })
const listed = marksOf({ labels: listed_labels.slice(0, 1) })
const oversize = marksOf({ headers: [['a', 'x'.repeat(9000)]] })

let api: Api
beforeAll(async () => {
  api = await openApi()
})
afterAll(() => api.close())

const ids = (path: string) => path.replace(':merchant', api.test.id).replace(/:id|:key/g, 'pay_1')
const ask = (method: string, path: string, headers: RawRequest['headers']) =>
  rawRequest(api.url, { method, path, headers })
const authorization = () => `Basic ${btoa(`${api.test.secret_key}:`)}`

describe('a request that the firewall marks as suspicious', () => {
  test.each(servedRoutes())('gets 403 with its request id on $route', async ({ route, method, path }) => {
    const before = tableDigest(api)
    for (const headers of [suspicious, { ...suspicious, authorization: authorization(), 'idempotency-key': 'a' }]) {
      const reply = await ask(method, BASE_PATH + ids(path), headers)
      expectEnvelope(reply, 'forbidden')
      expect(reply.body.error.message).toContain('firewall')
      expect(reply.headers.get('access-control-allow-origin')).toBe(publishable.has(route) ? '*' : null)
      expect(api.logs.at(-1)).toEqual({
        ...{ level: 'info', event: 'request', route, status: 403, latency_ms: 0, merchant: undefined },
        request_id: reply.body.error.request_id,
      })
    }
    expect(tableDigest(api)).toBe(before)
  })

  test.each(servedPages())(
    'gets a page with 403 in the language of the customer on $route',
    async ({ route, method, path }) => {
      for (const locale of locales) {
        const headers = { ...suspicious, 'accept-language': locale, 'sec-fetch-site': 'same-origin' }
        const reply = await ask(method, ids(path), headers)
        expect([reply.status, reply.headers.get('content-type')]).toEqual([403, 'text/html; charset=utf-8'])
        expect(reply.text).toMatch(new RegExp(`<html[^>]* lang="${locale}"`))
        expect(reply.text).toContain(texts[locale].problems.forbidden.text)
        const request_id = reply.headers.get('x-request-id')
        expect(request_id).toMatch(/^[\w-]{8,}$/)
        expect(reply.text).toContain(`<code>${request_id}</code>`)
        expect(api.logs.at(-1)).toMatchObject({ route, status: 403, request_id })
      }
    },
  )

  test.each([
    ['GET', '/api/v1/nothing'],
    ['OPTIONS', '/api/v1/tokens'],
    ['DELETE', '/api/v1/payments'],
    ['POST', '/'],
  ])('gets 403 in the envelope where no route is: %s %s', async (method, path) => {
    expectEnvelope(await ask(method, path, suspicious), 'forbidden')
  })

  test.each([
    ['GET', '/pages/nothing'],
    ['PUT', '/pages/sessions/mer_1/ses_1'],
    ['OPTIONS', '/pages/sessions/mer_1/ses_1'],
  ])('gets a page with 403 where no page is: %s %s', async (method, path) => {
    const reply = await ask(method, path, { ...suspicious, 'accept-language': 'ko' })
    expect([reply.status, reply.headers.get('content-type')]).toEqual([403, 'text/html; charset=utf-8'])
    expect(reply.text).toContain(texts.ko.problems.forbidden.text)
    expect(reply.text).toContain(`<code>${reply.headers.get('x-request-id')}</code>`)
  })

  test('is not stored under its idempotency key', async () => {
    const headers = { authorization: authorization(), 'idempotency-key': 'marked', 'content-type': 'application/json' }
    const post = (marks: object) =>
      rawRequest(api.url, {
        method: 'POST',
        path: `${BASE_PATH}/customers`,
        headers: { ...headers, ...marks },
        body: '{"email":"a@example.com"}',
      })
    expect((await post(suspicious)).status).toBe(403)
    expect((await post({})).headers.get('idempotent-replayed')).toBeNull()
  })
})

describe('a request with a mark from the client', () => {
  const [name] = Object.keys(suspicious)

  test.each(['suspicious', 'no', '', 'allow'])('is refused if the value is %j', async (value) => {
    const reply = await ask('GET', `${BASE_PATH}/payments`, {
      [name!.toUpperCase()]: value,
      authorization: authorization(),
    })
    expectEnvelope(reply, 'forbidden')
  })
})

describe('a request with headers that the firewall cannot inspect completely', () => {
  test('gets 400 on the API, before its key is read', async () => {
    for (const headers of [oversize, { ...oversize, authorization: authorization() }]) {
      const reply = await ask('GET', `${BASE_PATH}/payments`, headers)
      expectEnvelope(reply, 'bad_request')
      expect(reply.body.error.message).toContain('8 KB')
    }
  })

  test('is served on a page, because browsers send the cookies of other sites', async () => {
    const { session_url } = await openSession(api)
    expect((await ask('GET', new URL(session_url).pathname, oversize)).status).toBe(200)
  })
})

describe('a request from an address on a reputation list', () => {
  test('is served on a page, and the log records the listing', async () => {
    const { id, session_url } = await openSession(api)
    const shown = await fetch(session_url, { headers: listed })
    expect(shown.status).toBe(200)
    expect(api.logs.at(-1)).toMatchObject({ status: 200, listed_address: true })
    const paid = await submit(session_url, typed_card, { origin: new URL(session_url).origin, ...listed })
    expect(paid.status).toBe(303)
    expect(api.logs.at(-1)).toMatchObject({ status: 303, listed_address: true })
    expect((await api.request(`GET /sessions/${id}`)).body.status).toBe('completed')
    expect((await see(session_url)).status).toBe(200)
    expect(api.logs.at(-1)).not.toHaveProperty('listed_address')
  })

  test('is served on the API with any kind of key, and the log records the listing', async () => {
    for (const key of [api.test.secret_key, api.live.secret_key, api.test.publishable_key]) {
      const { status } = await api.request('GET /payment_methods', { key, headers: listed })
      expect([status, api.logs.at(-1)]).toEqual([200, expect.objectContaining({ listed_address: true })])
      await api.request('GET /payment_methods', { key })
      expect(api.logs.at(-1)).not.toHaveProperty('listed_address')
    }
  })
})
