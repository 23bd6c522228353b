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

/** What a page that runs `run` answers; a POST comes from a page of ours unless its headers say otherwise. */
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

/** The `run` of a page that is refused, or fails. */
const failing = (error: unknown) => async () => {
  throw error
}

/** What the page was given. */
async function inputOf(route: Route, sent?: Sent): Promise<PageInput<Route>> {
  const run = vi.fn(hello)
  await ask(route, run, sent)
  expect(run).toHaveBeenCalledTimes(1)
  return (run.mock.calls as unknown[][])[0]![0] as PageInput<Route>
}

const session = (id: string, version = 0) => ({ id, version, status: 'pending', metadata: {} }) as unknown as Session
const stored = (id: string) =>
  new UnitOfWork({ platform: api.platform, merchant: api.test.id, mode: 'test' }).find(sessions, id)

describe('what a customer sees', () => {
  test('is the page, as a whole document', async () => {
    const { statusCode, headers, body, isBase64Encoded } = await ask(SHOW, hello)
    expect([statusCode, headers['Content-Type'], isBase64Encoded]).toEqual([200, 'text/html; charset=utf-8', false])
    expect(body).toMatch(/^<!doctype html>/i)
    expect(body).toContain('<title>Hello')
  })

  test('has the status that the page asks for', async () => {
    const run = async () => ({ page: { ...((await hello()) as { page: object }).page, status: 422 } }) as PageResult
    expect((await ask(PAY, run)).statusCode).toBe(422)
  })

  test('may be another page of ours, read with GET', async () => {
    const run: Run = async ({ work }) => ({ see: `${work.base_url}/pages/elsewhere` })
    const { statusCode, headers, body } = await ask(PAY, run, { stage: '/prod' })
    expect([statusCode, headers.Location, body]).toEqual([303, `${ORIGIN}/prod/pages/elsewhere`, ''])
  })

  test.each(['https://evil.example/', '/pages/elsewhere', `${ORIGIN}.evil.example/`])(
    'is never sent by us to %s, and then nothing is done',
    async (see) => {
      const id = 'ses_elsewhere'
      const run = async () => ({ see, changes: [changed(sessions, session(id))] })
      const { statusCode, headers } = await ask(PAY, run)
      expect([statusCode, headers.Location]).toEqual([500, undefined])
      expect(await stored(id)).toBeUndefined()
    },
  )
})

describe('every answer', () => {
  const answers: [string, () => Promise<Answer>][] = [
    ['a page', () => ask(SHOW, hello)],
    ['a redirect', () => ask(PAY, async ({ work }) => ({ see: `${work.base_url}/pages/x` }))],
    ['a refusal', () => ask(PAY, hello, { headers: { Origin: 'https://evil.example' } })],
    ['a defect', () => ask(SHOW, failing(new TypeError('x')))],
  ]

  test.each(answers)('%s is kept nowhere, framed nowhere, and runs only what is its own', async (_, answering) => {
    const { headers } = await answering()
    expect(headers).toMatchObject({
      'Cache-Control': 'no-store',
      'X-Request-Id': 'req_1',
      'Strict-Transport-Security': 'max-age=63072000; includeSubDomains',
      'Referrer-Policy': 'same-origin',
      'X-Content-Type-Options': 'nosniff',
      'X-Frame-Options': 'DENY',
      'Cross-Origin-Opener-Policy': 'same-origin',
      'Permissions-Policy': 'camera=(), geolocation=(), microphone=(), payment=()',
    })
    const [, nonce] = /style-src 'nonce-([A-Za-z0-9+/]{22}==)'/.exec(headers['Content-Security-Policy']!)!
    expect(headers['Content-Security-Policy']).toBe(
      `default-src 'none'; style-src 'nonce-${nonce}'; script-src 'nonce-${nonce}'; img-src 'self'; ` +
        "form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    )
    expect(Object.keys(headers).filter((name) => /^(access-control|set-cookie|etag)/i.test(name))).toEqual([])
  })

  test('has a nonce of its own, the one in the document', async () => {
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

describe('what a page is given', () => {
  test('is what the path, the query and the form say', async () => {
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

  test('knows a live merchant, and nothing that a query pretends to be a form', async () => {
    const { work, form } = await inputOf(SHOW, { merchant: api.live.id, query: { payment_type: ['konbini'] } })
    expect([work.mode, form]).toEqual(['live', {}])
  })

  test.each([
    ['ja', 'ja'],
    ['en', 'en'],
    ['ko', 'ko'],
    ['fr', undefined],
    ['__proto__', undefined],
  ])('is for locale=%s the language %s', async (asked, locale) => {
    expect((await inputOf(SHOW, { query: { locale: [asked] } })).locale).toBe(locale)
  })

  test('has no language where none is asked for, so that the page has its own', async () => {
    expect((await inputOf(SHOW, { headers: { 'Accept-Language': 'ko' } })).locale).toBeUndefined()
  })
})

describe('a page that nobody has', () => {
  test.each([
    ['an unknown merchant', { merchant: 'mer_nobody' }],
    ['what is no merchant', { merchant: 'x#y' }],
    ['a very long merchant', { merchant: `mer_${'a'.repeat(3000)}` }],
    ['what is no id', { id: '../tokens' }],
    ['a very long id', { id: `ses_${'a'.repeat(2000)}` }],
  ])('%s: 404, and nothing is run', async (_, sent) => {
    const run = vi.fn(hello)
    const { statusCode, headers, body } = await ask(SHOW, run, sent)
    expect([statusCode, headers['Content-Type']]).toEqual([404, 'text/html; charset=utf-8'])
    expect(body).toMatch(/^<!doctype html>/i)
    expect(run).not.toHaveBeenCalled()
  })
})

describe('a form', () => {
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
  ])('of ours is taken: %j', async (headers) => {
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
  ])('of another site is refused: %j', async (headers) => {
    expect([await status(headers), await status(headers, CANCEL)]).toEqual([403, 403])
  })

  test('is not asked for where a page is only read', async () => {
    expect(await status({ Origin: 'https://evil.example', 'Sec-Fetch-Site': 'cross-site' }, SHOW)).toBe(200)
  })

  test.each([
    [413, { body: `a=${'x'.repeat(MAX_BODY_BYTES)}` }],
    [415, { body: 'tea', headers: { 'Content-Type': 'text/plain' } }],
    [400, { body: 'a=1&a[b]=2' }],
    [400, { body: '{', headers: { 'Content-Type': 'application/json' } }],
  ])('that cannot be read is %d, as a page', async (status, sent) => {
    const { statusCode, headers, body } = await ask(PAY, hello, sent)
    expect([statusCode, headers['Content-Type']]).toEqual([status, 'text/html; charset=utf-8'])
    expect(body).toMatch(/^<!doctype html>/i)
  })

  test('may come as JSON too', async () => {
    const headers = { 'Content-Type': 'application/json' }
    expect((await inputOf(PAY, { headers, body: '{"a":{"b":1}}' })).form).toEqual({ a: { b: 1 } })
  })
})

describe('what goes wrong', () => {
  test.each<[string, unknown, number]>([
    ['what is not there', new Refusal('not_found'), 404],
    ['a conflict', new Refusal('conflict'), 409],
    ['a race that is lost each time', new WriteConflict('race' as never), 409],
    ['a service that is away', new Refusal('service_unavailable'), 503],
    ['a platform that is away', new PlatformUnavailable('away' as never), 503],
    ['an acquirer that says nothing', new Refusal('gateway_timeout'), 503],
    ['what no page has foreseen', new Refusal('invalid_parameter'), 422],
    ['a defect', new TypeError('canary'), 500],
  ])('%s is a page', async (_, error, status) => {
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
  ])('is told in the language of the customer: %j', async (sent, locale) => {
    const { body } = await ask(SHOW, failing(new Refusal('not_found')), sent)
    expect(body).toMatch(new RegExp(`<html[^>]* lang="${locale}"`))
  })

  test('when a page cannot be shown, nothing of it is done', async () => {
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

  test('at the first read is 503', async () => {
    crash.arm(() => 'fail_before')
    expect((await ask(SHOW, hello)).statusCode).toBe(503)
  })
})

describe('what a page changes', () => {
  test('is there once it has answered', async () => {
    const id = 'ses_changed'
    const run = async () => ({ ...(await hello()), changes: [changed(sessions, session(id))] })
    expect((await ask(PAY, run)).statusCode).toBe(200)
    expect(await stored(id)).toMatchObject({ id, status: 'pending' })
  })

  test('is decided again when someone else was faster, four times at most', async () => {
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

  test('is refused when it is too large to be kept', async () => {
    const large = { ...session('ses_large'), email: 'x'.repeat(350_000) }
    const run = async () => ({ ...(await hello()), changes: [changed(sessions, large)] })
    expect((await ask(PAY, run)).statusCode).toBe(422)
    expect(await stored('ses_large')).toBeUndefined()
  })
})

describe('once an operation is out at the acquirer', () => {
  const begun =
    (error: unknown): Run =>
    async () => {
      throw new OperationInterrupted({ state: 'begun', payment: 'pay_1', attempt: 1 }, error)
    }

  test.each([
    ['a refusal', new Refusal('conflict')],
    ['a platform that is away', new PlatformUnavailable('away' as never)],
    ['a defect', new TypeError('canary')],
  ])('%s sends the customer to the page, which knows how things stand', async (_, error) => {
    const page_url = `${ORIGIN}/prod/pages/sessions/${api.test.id}/${ID}`
    const paid = await ask(PAY, begun(error), { stage: '/prod', query: { locale: ['ko'] } })
    expect([paid.statusCode, paid.headers.Location]).toEqual([303, `${page_url}?locale=ko`])
    const cancelled = await ask(CANCEL, begun(error), { stage: '/prod' })
    expect([cancelled.statusCode, cancelled.headers.Location]).toEqual([303, page_url])
  })

  test('a page that was only read does not lead to itself', async () => {
    expect((await ask(SHOW, begun(new PlatformUnavailable('away' as never)))).statusCode).toBe(503)
  })

  test('the log tells of the defect all the same', async () => {
    await ask(PAY, begun(new TypeError('canary')))
    expect(api.logs.at(-1)).toMatchObject({ level: 'error', status: 303, error: 'TypeError' })
  })
})

describe('the log', () => {
  test('has one line a request, and nothing of what was sent', async () => {
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

  test('says where a defect was thrown, and not what it says', async () => {
    await ask(SHOW, failing(new TypeError('canary')))
    const line = api.logs.at(-1)!
    expect(line).toMatchObject({ level: 'error', status: 500, error: 'TypeError' })
    expect(line.stack!.length).toBeGreaterThan(0)
    expect(JSON.stringify(line)).not.toContain('canary')
  })

  test('of a refusal is no alarm', async () => {
    await ask(SHOW, failing(new Refusal('not_found')))
    expect(api.logs.at(-1)).toMatchObject({ level: 'info', status: 404 })
    expect(api.logs.at(-1)).not.toHaveProperty('stack')
  })
})
