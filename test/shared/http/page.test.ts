import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { Refusal } from '#shared/domain/errors.ts'
import { OperationInterrupted } from '#shared/domain/operation-progress.ts'
import type { Session } from '#shared/domain/session.ts'
import type { Answer } from '#shared/http/answers.ts'
import { MAX_BODY_BYTES } from '#shared/http/body.ts'
import { type PageInput, type PageResult, page } from '#shared/http/page.ts'
import { PlatformUnavailable, WriteConflict } from '#shared/platform/ports.ts'
import { changed } from '#shared/store/change.ts'
import { sessions } from '#shared/store/sessions.ts'
import { UnitOfWork } from '#shared/store/unit-of-work.ts'
import { CrashPoints } from '#test/faults/crash-points.ts'
import { type Api, openApi } from '#test/fixtures/api.ts'

const crash = new CrashPoints()
let api: Api
beforeAll(async () => {
  api = await openApi()
})
afterEach(() => crash.disarm())
afterAll(() => api.close())

const HOST = 'pay.example'
const ORIGIN = `https://${HOST}`
const ID = 'ses_00000000000000000000000001'

const SHOW = 'GET /pages/sessions/:merchant/:id'
const PAY = 'POST /pages/sessions/:merchant/:id'
const CANCEL = 'POST /pages/sessions/:merchant/:id/cancel'
type Route = typeof SHOW | typeof PAY | typeof CANCEL
type Run = (input: PageInput<Route>) => Promise<PageResult>

const hello = async (): Promise<PageResult> => ({ page: { locale: 'en', title: 'Hello', main: '<p>tea</p>' as never } })

interface Sent {
  readonly merchant?: string
  readonly id?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string[]>>
  readonly body?: string
  readonly stage?: string
}

/** The response of a page that runs `run`. A POST comes from a hosted page unless its headers say otherwise. */
function ask(route: Route, run: Run, sent: Sent = {}): Promise<Answer> {
  const { merchant = api.test.id, id = ID, query = null, body = null, stage = '' } = sent
  const [httpMethod, template] = route.split(' ') as [string, string]
  const path = template.replace(':merchant', merchant).replace(':id', id)
  const form = { Origin: ORIGIN, 'Content-Type': 'application/x-www-form-urlencoded' }
  const event = {
    httpMethod,
    path,
    headers: { Host: HOST, 'X-Forwarded-Proto': 'https', ...(httpMethod === 'POST' && form), ...sent.headers },
    multiValueQueryStringParameters: query,
    pathParameters: { merchant, id },
    body,
    isBase64Encoded: false,
    requestContext: { requestId: 'req_1', path: stage + path },
  }
  const context = { platform: crash.around(api.platform) }
  return page(route, { run } as never)(event as never, context as never) as Promise<Answer>
}

/** The `run` of a page that throws. */
const failing = (error: unknown) => async () => {
  throw error
}

/** The input that the page gets. */
async function inputOf(route: Route, sent?: Sent): Promise<PageInput<Route>> {
  const run = vi.fn(hello)
  await ask(route, run, sent)
  expect(run).toHaveBeenCalledTimes(1)
  return (run.mock.calls as unknown[][])[0]![0] as PageInput<Route>
}

const session = (id: string, version = 0) => ({ id, version, status: 'pending', metadata: {} }) as unknown as Session
const stored = (id: string) =>
  new UnitOfWork({ platform: api.platform, merchant: api.test.id, mode: 'test' }).find(sessions, id)

describe('page', () => {
  test('returns the page as a whole document', async () => {
    const { statusCode, headers, body, isBase64Encoded } = await ask(SHOW, hello)
    expect([statusCode, headers['Content-Type'], isBase64Encoded]).toEqual([200, 'text/html; charset=utf-8', false])
    expect(body).toMatch(/^<!doctype html>/i)
    expect(body).toContain('<title>Hello')
  })

  test('returns the status that the page sets', async () => {
    const run = async () => ({ page: { ...((await hello()) as { page: object }).page, status: 422 } }) as PageResult
    expect((await ask(PAY, run)).statusCode).toBe(422)
  })

  test('says that the connection is encrypted only if the request came over TLS', async () => {
    const sentence = 'Your connection to this page is encrypted.'
    const unknown: Sent = { id: 'unknown', query: { locale: ['en'] } }
    for (const sent of [{}, unknown]) {
      expect((await ask(SHOW, hello, sent)).body).toContain(sentence)
      const plain = { ...sent, headers: { 'X-Forwarded-Proto': 'http' } }
      expect((await ask(SHOW, hello, plain)).body).not.toContain(sentence)
    }
  })

  test('returns a file that the browser saves, and never shows in a frame or keeps in a cache', async () => {
    const file = { name: 'a.ics', content_type: 'text/calendar; charset=utf-8', text: 'BEGIN\r\n' }
    const { statusCode, headers, body } = await ask(SHOW, async () => ({ file }))
    expect([statusCode, body]).toEqual([200, 'BEGIN\r\n'])
    expect(headers).toMatchObject({
      'Content-Type': 'text/calendar; charset=utf-8',
      'Content-Disposition': 'attachment; filename="a.ics"',
      'Cache-Control': 'no-store',
      'X-Content-Type-Options': 'nosniff',
    })
  })

  test('knows who is paid', async () => {
    expect(await (await inputOf(SHOW)).shop).toMatchObject({ name: 'Test shop', logo_path: null })
  })

  test('links from a problem that can pass to the page that contains the form', async () => {
    const run = async () => {
      throw new Refusal('conflict')
    }
    const { statusCode, body } = await ask(CANCEL, run, { stage: '/prod', query: { locale: ['ko'] } })
    expect(statusCode).toBe(409)
    expect(body).toContain(`href="${ORIGIN}/prod/pages/sessions/${api.test.id}/${ID}?locale=ko"`)
  })

  test('redirects to another hosted page, which is read with GET', async () => {
    const run: Run = async ({ work }) => ({ see: `${work.base_url}/pages/elsewhere` })
    const { statusCode, headers, body } = await ask(PAY, run, { stage: '/prod' })
    expect([statusCode, headers.Location, body]).toEqual([303, `${ORIGIN}/prod/pages/elsewhere`, ''])
  })

  test.each(['https://evil.example/', '/pages/elsewhere', `${ORIGIN}.evil.example/`])(
    'never redirects to %s, and then does nothing',
    async (see) => {
      const id = 'ses_elsewhere'
      const run = async () => ({ see, changes: [changed(sessions, session(id))] })
      const { statusCode, headers } = await ask(PAY, run)
      expect([statusCode, headers.Location]).toEqual([500, undefined])
      expect(await stored(id)).toBeUndefined()
    },
  )
})

describe('page headers', () => {
  const answers: [string, () => Promise<Answer>][] = [
    ['a page', () => ask(SHOW, hello)],
    ['a redirect', () => ask(PAY, async ({ work }) => ({ see: `${work.base_url}/pages/x` }))],
    ['a refusal', () => ask(PAY, hello, { headers: { Origin: 'https://evil.example' } })],
    ['a defect', () => ask(SHOW, failing(new TypeError('x')))],
  ]

  test.each(answers)('%s is not cached or framed, and runs only its own scripts and styles', async (_, answering) => {
    const { headers } = await answering()
    expect(headers).toMatchObject({
      'Cache-Control': 'no-store',
      'X-Request-Id': 'req_1',
      'Strict-Transport-Security': 'max-age=63072000; includeSubDomains',
      'Referrer-Policy': 'same-origin',
      'X-Content-Type-Options': 'nosniff',
      'X-Frame-Options': 'DENY',
      'Cross-Origin-Opener-Policy': 'same-origin',
      'Cross-Origin-Resource-Policy': 'same-origin',
      'Permissions-Policy': 'camera=(), geolocation=(), microphone=(), payment=()',
    })
    const [, nonce] = /style-src 'nonce-([A-Za-z0-9+/]{22}==)'/.exec(headers['Content-Security-Policy']!)!
    expect(headers['Content-Security-Policy']).toBe(
      `default-src 'none'; style-src 'nonce-${nonce}'; script-src 'nonce-${nonce}'; img-src 'self' data:; connect-src 'self'; ` +
        "form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    )
    expect(Object.keys(headers).filter((name) => /^(access-control|set-cookie|etag)/i.test(name))).toEqual([])
  })

  test('every response has a different nonce, which its document uses', async () => {
    const seen = await Promise.all(
      [1, 2, 3].map(async () => {
        const { headers, body } = await ask(SHOW, hello)
        const [, nonce = ''] = /'nonce-([^']+)'/.exec(headers['Content-Security-Policy']!)!
        const inline = Array.from(body.matchAll(/<(?:style|script)\b[^>]*nonce="([^"]*)"/g), ([, used]) => used)
        expect(inline.length).toBeGreaterThan(0)
        expect(new Set(inline)).toEqual(new Set([nonce]))
        return nonce
      }),
    )
    expect(new Set(seen).size).toBe(3)
  })
})

describe('page input', () => {
  test('holds the path, query and form', async () => {
    const { params, locale, preferred_locale, form, work, now } = await inputOf(PAY, {
      query: { locale: ['xx', 'ko'], from: ['mail'] },
      body: 'payment_type=konbini&details[store]=lawson&details[name]=%E5%A4%AA%E9%83%8E',
      stage: '/prod',
    })
    expect(params).toEqual({ merchant: api.test.id, id: ID })
    expect([locale, preferred_locale]).toEqual(['ko', 'ja'])
    expect(form).toEqual({ payment_type: 'konbini', details: { store: 'lawson', name: '太郎' } })
    expect(work).toMatchObject({ merchant: api.test.id, mode: 'test', base_url: `${ORIGIN}/prod` })
    expect(now).toBe(api.platform.clock.now())
  })

  test('knows the mode of a live merchant, and does not read a form from a query', async () => {
    const { work, form } = await inputOf(SHOW, { merchant: api.live.id, query: { payment_type: ['konbini'] } })
    expect([work.mode, form]).toEqual(['live', {}])
  })

  test.each([
    ['ja', 'ja'],
    ['en', 'en'],
    ['ko', 'ko'],
    ['fr', undefined],
    ['__proto__', undefined],
  ])('for locale=%s has the locale %s', async (asked, locale) => {
    expect((await inputOf(SHOW, { query: { locale: [asked] } })).locale).toBe(locale)
  })

  test('has no locale if the query sets none, so that the page uses its own', async () => {
    expect((await inputOf(SHOW, { headers: { 'Accept-Language': 'ko' } })).locale).toBeUndefined()
  })
})

describe('page with an invalid path', () => {
  test.each([
    ['an unknown merchant', { merchant: 'mer_unknown' }],
    ['an invalid merchant id', { merchant: 'x#y' }],
    ['a very long merchant id', { merchant: `mer_${'a'.repeat(3000)}` }],
    ['an invalid id', { id: '../tokens' }],
    ['a very long id', { id: `ses_${'a'.repeat(2000)}` }],
  ])('answers 404 for %s, and runs nothing', async (_, sent) => {
    const run = vi.fn(hello)
    const { statusCode, headers, body } = await ask(SHOW, run, sent)
    expect([statusCode, headers['Content-Type']]).toEqual([404, 'text/html; charset=utf-8'])
    expect(body).toMatch(/^<!doctype html>/i)
    expect(run).not.toHaveBeenCalled()
  })
})

describe('page with a form', () => {
  const status = async (headers: Record<string, string>, route: Route = PAY) => {
    const run = vi.fn(hello)
    const answer = await ask(route, run, { headers: { Origin: undefined as never, ...headers } })
    expect(run).toHaveBeenCalledTimes(answer.statusCode === 200 ? 1 : 0)
    return answer.statusCode
  }

  test.each([
    [{ Origin: ORIGIN }],
    [{ Origin: ORIGIN, 'Sec-Fetch-Site': 'cross-site' }],
    [{ 'Sec-Fetch-Site': 'same-origin' }],
  ])('accepts a form of a hosted page: %j', async (headers) => {
    expect(await status(headers)).toBe(200)
  })

  test.each([
    [{}],
    [{ Origin: 'null' }],
    [{ Origin: '' }],
    [{ Origin: 'https://evil.example' }],
    [{ Origin: `http://${HOST}` }],
    [{ Origin: `${ORIGIN}:8443` }],
    [{ Origin: `${ORIGIN}.evil.example` }],
    [{ Origin: `https://www.${HOST}` }],
    [{ Origin: 'https://evil.example', 'Sec-Fetch-Site': 'same-origin' }],
    [{ 'Sec-Fetch-Site': 'same-site' }],
    [{ 'Sec-Fetch-Site': 'cross-site' }],
    [{ 'Sec-Fetch-Site': 'none' }],
    [{ Referer: `${ORIGIN}/pages/x` }],
  ])('refuses a form of another site: %j', async (headers) => {
    expect([await status(headers), await status(headers, CANCEL)]).toEqual([403, 403])
  })

  test('accepts any origin if the page is only read', async () => {
    expect(await status({ Origin: 'https://evil.example', 'Sec-Fetch-Site': 'cross-site' }, SHOW)).toBe(200)
  })

  test.each([
    [413, { body: `a=${'x'.repeat(MAX_BODY_BYTES)}` }],
    [415, { body: 'tea', headers: { 'Content-Type': 'text/plain' } }],
    [400, { body: 'a=1&a[b]=2' }],
    [400, { body: '{', headers: { 'Content-Type': 'application/json' } }],
  ])('answers %d with a page if the form cannot be read', async (status, sent) => {
    const { statusCode, headers, body } = await ask(PAY, hello, sent)
    expect([statusCode, headers['Content-Type']]).toEqual([status, 'text/html; charset=utf-8'])
    expect(body).toMatch(/^<!doctype html>/i)
  })

  test('accepts JSON too', async () => {
    const headers = { 'Content-Type': 'application/json' }
    expect((await inputOf(PAY, { headers, body: '{"a":{"b":1}}' })).form).toEqual({ a: { b: 1 } })
  })
})

describe('page after an error', () => {
  test.each<[string, unknown, number]>([
    ['an unknown record', new Refusal('not_found'), 404],
    ['a conflict', new Refusal('conflict'), 409],
    ['a race that is lost every time', new WriteConflict('race' as never), 409],
    ['an unavailable service', new Refusal('service_unavailable'), 503],
    ['an unavailable platform', new PlatformUnavailable('away' as never), 503],
    ['an acquirer that does not answer', new Refusal('gateway_timeout'), 503],
    ['a refusal that no page handles', new Refusal('invalid_parameter'), 422],
    ['a defect', new TypeError('canary'), 500],
  ])('shows %s as a page', async (_, error, status) => {
    for (const route of [SHOW, PAY] as const) {
      const { statusCode, headers, body } = await ask(route, failing(error))
      expect([statusCode, headers['Content-Type']]).toEqual([status, 'text/html; charset=utf-8'])
      expect(headers['Retry-After']).toBe(status === 503 ? '5' : undefined)
      expect(body).toMatch(/^<!doctype html>/i)
      expect(body).not.toMatch(/canary|TypeError|at .*\.ts/)
    }
  })

  test.each<[Sent, string]>([
    [{}, 'ja'],
    [{ headers: { 'Accept-Language': 'ko-KR,ko;q=0.9,en;q=0.8' } }, 'ko'],
    [{ headers: { 'Accept-Language': 'ko' }, query: { locale: ['en'] } }, 'en'],
    [{ headers: { 'Accept-Language': 'ko' }, query: { locale: ['fr'] } }, 'ko'],
  ])('shows the error in the language of the customer: %j', async (sent, locale) => {
    const { body } = await ask(SHOW, failing(new Refusal('not_found')), sent)
    expect(body).toMatch(new RegExp(`<html[^>]* lang="${locale}"`))
  })

  test('changes nothing if the document cannot be rendered', async () => {
    const id = 'ses_unseen'
    const unseen = {
      get main(): never {
        throw new TypeError('canary')
      },
    }
    const run = async () => ({
      changes: [changed(sessions, session(id))],
      page: Object.assign(Object.create(unseen), { locale: 'en', title: 'x' }),
    })
    expect((await ask(PAY, run)).statusCode).toBe(500)
    expect(await stored(id)).toBeUndefined()
  })

  test('answers 503 if the first read fails', async () => {
    crash.arm(() => 'fail_before')
    expect((await ask(SHOW, hello)).statusCode).toBe(503)
  })
})

describe('page with changes', () => {
  test('commits the changes before it answers', async () => {
    const id = 'ses_changed'
    const run = async () => ({ ...(await hello()), changes: [changed(sessions, session(id))] })
    expect((await ask(PAY, run)).statusCode).toBe(200)
    expect(await stored(id)).toMatchObject({ id, status: 'pending' })
  })

  test('runs again after a lost race, four times at most', async () => {
    for (const [races, status, runs] of [
      [4, 200, 5],
      [99, 409, 5],
    ] as const) {
      let writes = 0
      crash.arm((_, operation) => (operation === 'write' && ++writes <= races ? 'conflict' : 'ok'))
      const run = vi.fn(async () => ({ ...(await hello()), changes: [changed(sessions, session(`ses_race${races}`))] }))
      expect((await ask(PAY, run)).statusCode).toBe(status)
      expect(run).toHaveBeenCalledTimes(runs)
      crash.disarm()
    }
  })

  test('refuses changes that are too large to store', async () => {
    const large = { ...session('ses_large'), email: 'x'.repeat(350_000) }
    const run = async () => ({ ...(await hello()), changes: [changed(sessions, large)] })
    expect((await ask(PAY, run)).statusCode).toBe(422)
    expect(await stored('ses_large')).toBeUndefined()
  })
})

describe('page with an operation in flight at the acquirer', () => {
  const begun =
    (error: unknown): Run =>
    async () => {
      throw new OperationInterrupted({ state: 'begun', payment: 'pay_1', attempt: 1 }, error)
    }

  test.each([
    ['a refusal', new Refusal('conflict')],
    ['an unavailable platform', new PlatformUnavailable('away' as never)],
    ['a defect', new TypeError('canary')],
  ])('redirects the customer to the current page after %s', async (_, error) => {
    const page_url = `${ORIGIN}/prod/pages/sessions/${api.test.id}/${ID}`
    const paid = await ask(PAY, begun(error), { stage: '/prod', query: { locale: ['ko'] } })
    expect([paid.statusCode, paid.headers.Location]).toEqual([303, `${page_url}?locale=ko`])
    const cancelled = await ask(CANCEL, begun(error), { stage: '/prod' })
    expect([cancelled.statusCode, cancelled.headers.Location]).toEqual([303, page_url])
  })

  test('answers 503 instead of a redirect if the page was only read', async () => {
    expect((await ask(SHOW, begun(new PlatformUnavailable('away' as never)))).statusCode).toBe(503)
  })

  test('logs the defect as well', async () => {
    await ask(PAY, begun(new TypeError('canary')))
    expect(api.logs.at(-1)).toMatchObject({ level: 'error', status: 303, error: 'TypeError' })
  })
})

describe('page log', () => {
  test('a request writes one line, and nothing of its content', async () => {
    const before = api.logs.length
    await ask(PAY, hello, { body: 'number=4111111111111111&name=canary', query: { locale: ['en'], x: ['canary'] } })
    expect(api.logs.slice(before)).toEqual([
      {
        level: 'info',
        event: 'request',
        request_id: 'req_1',
        route: PAY,
        merchant: api.test.id,
        status: 200,
        latency_ms: 0,
      },
    ])
    expect(JSON.stringify(api.logs)).not.toMatch(/canary|4111 ?1111|ses_/)
  })

  test('a defect logs its stack without its message', async () => {
    await ask(SHOW, failing(new TypeError('canary')))
    const line = api.logs.at(-1)!
    expect(line).toMatchObject({ level: 'error', status: 500, error: 'TypeError' })
    expect(line.stack!.length).toBeGreaterThan(0)
    expect(JSON.stringify(line)).not.toContain('canary')
  })

  test('a refusal is logged without an alarm', async () => {
    await ask(SHOW, failing(new Refusal('not_found')))
    expect(api.logs.at(-1)).toMatchObject({ level: 'info', status: 404 })
    expect(api.logs.at(-1)).not.toHaveProperty('stack')
  })
})
