import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { checks } from '#infra/smoke/checks.ts'
import { real_timing } from '#infra/smoke/deployment.ts'
import { smoke } from '#infra/smoke/smoke.ts'
import { type Api, openApi } from '#test/fixtures/api.ts'
import { type Breakage, type BreakingProxy, type Returning, startBreakingProxy } from '#test/long/breaking-proxy.ts'

let api: Api
let proxy: BreakingProxy
let key: string
let publishable_key: string
beforeAll(async () => {
  api = await openApi()
  proxy = await startBreakingProxy(api.url)
})
afterAll(async () => {
  proxy.stop()
  await api.close()
})
beforeEach(async () => {
  proxy.breakage = {}
  proxy.seen.length = 0
  // A new merchant without records.
  const { test: merchant } = await api.newMerchants()
  ;({ secret_key: key, publishable_key } = merchant)
})

const bothKeys = (): Record<string, string> => ({ SMOKE_KEY: key, SMOKE_PUBLISHABLE_KEY: publishable_key })

/** Runs the smoke test. Returns its output, its exit code and the lengths of its waits. */
async function run(words: readonly string[], env = bothKeys(), timing = real_timing) {
  const out: string[] = []
  const err: string[] = []
  const waits: number[] = []
  const wait = async (ms: number) => waits.push(ms)
  const terminal = { out: (line: string) => out.push(line), err: (line: string) => err.push(line), env }
  const code = await smoke(words, { ...terminal, timing: { ...timing, wait } })
  return { code, out, err: err.join('\n'), waits }
}

const smokeAt = (url: string) => run(['--url', `${url}/api/v1`])

describe('the smoke test of a working deployment', () => {
  test('prints one line per check and a summary', async () => {
    const { code, out, err } = await smokeAt(proxy.url)
    expect(out.slice(0, -1).map((line) => line.replace(/\d+ ms$/, ''))).toEqual(
      checks.map(({ what }) => `ok   ${what}  `),
    )
    expect(out.at(-1)).toMatch(/^22 checks in \d+ ms: all passed\.$/)
    expect({ code, err }).toEqual({ code: 0, err: '' })
  })

  test.each<Record<string, string>>([{}, { SMOKE_PUBLISHABLE_KEY: '' }])('skips a check with %j', async (without) => {
    const { code, out } = await run(['--url', `${proxy.url}/api/v1`], { SMOKE_KEY: key, ...without })
    expect(out.filter((line) => !line.startsWith('ok '))).toEqual([
      `skip ${secure_token}: SMOKE_PUBLISHABLE_KEY is not set`,
      expect.stringMatching(/^22 checks in \d+ ms: 0 failed, 1 skipped\.$/),
    ])
    expect(code).toBe(0)
  })

  test('leaves no customer, no webhook and no open session', async () => {
    await smokeAt(proxy.url)
    for (const path of ['/customers', '/webhooks'])
      expect((await api.request(`GET ${path}`, { key })).body.total).toBe(0)
    const sessions = proxy.seen.filter((seen) => /^POST \/api\/v1\/sessions 200$/.test(seen))
    const cancelled = proxy.seen.filter((seen) => /^POST \/api\/v1\/sessions\/\w+\/cancel 200$/.test(seen))
    expect([sessions.length, cancelled.length]).toEqual([2, 2])
  })

  test('takes the keys from its environment and never prints the secret key', async () => {
    const main = join(import.meta.dirname, '../../infra/smoke/main.ts')
    const words = ['--disable-warning=ExperimentalWarning', main, '--url', `${api.url}/api/v1/`]
    const child = spawn(process.execPath, words, { env: { ...process.env, ...bothKeys() } })
    const [[status], lines] = await Promise.all([once(child, 'exit'), child.stdout.toArray()])
    const text = Buffer.concat(lines).toString()
    expect(text).toContain('all passed.')
    expect(text).not.toContain(key)
    expect(status).toBe(0)
  })
})

const all = checks.map(({ what }) => what)
const refusals = all.slice(0, 7)
const [no_key, wrong_key, no_path, no_payment, no_method, no_amount, webhook] = refusals as [string, ...string[]]
const [json, form, idempotency, decline, events, customer, file, ...browser] = all.slice(7) as [string, ...string[]]
const [session, methods, secure_token, head, shop, docs, top, description] = browser

/** A response with another JSON body. */
const saying = (answer: Returning, body: unknown): Returning => ({ ...answer, body: JSON.stringify(body) })

/** Removes a header of a response, or sets its value. */
function header(name: string, value?: string): (answer: Returning) => Returning {
  return ({ headers: { [name]: _, ...headers }, ...answer }) => ({
    ...answer,
    headers: value === undefined ? headers : { ...headers, [name]: value },
  })
}

/** Breaks the responses to the requests that `route` matches. */
const onAnswers = (route: RegExp, breaks: (answer: Returning) => Returning | 'cut'): Breakage => ({
  answer: (answer, { method, path }) =>
    route.test(`${method} ${path.replace('/api/v1', '')}`) ? breaks(answer) : answer,
})

/** Breaks the responses with a status. */
const onStatus = (status: number, breaks: (answer: Returning) => Returning): Breakage => ({
  answer: (answer) => (answer.status === status ? breaks(answer) : answer),
})

const onRefusals = (breaks: (answer: Returning) => Returning): Breakage => ({
  answer: (answer) => (answer.status >= 400 ? breaks(answer) : answer),
})

/** Replaces a field of a response. */
const onField = (route: RegExp, field: string, value: unknown): Breakage =>
  onAnswers(route, (answer) => saying(answer, { ...JSON.parse(String(answer.body)), [field]: value }))

const with_refusal_in_json = [...refusals, decline!, customer!]

const broken: readonly (readonly [what: string, breakage: Breakage, fails: readonly string[], why: RegExp])[] = [
  [
    'answers requests without a key',
    onStatus(401, (answer) => saying({ ...answer, status: 200 }, { resource: 'list', data: [] })),
    [no_key, wrong_key!],
    /GET \/payments responded with 200, not 401$/,
  ],
  ['does not ask for a key', onStatus(401, header('www-authenticate')), [no_key], /without WWW-Authenticate$/],
  [
    'answers errors in the format of its gateway',
    onRefusals((answer) => saying(answer, { message: 'Forbidden' })),
    with_refusal_in_json,
    /responded with 401 without the error envelope$/,
  ],
  ['sends no request id', onRefusals(header('x-request-id')), with_refusal_in_json, /without X-Request-Id$/],
  [
    'sends different request ids in header and body',
    onRefusals(header('x-request-id', 'another')),
    with_refusal_in_json,
    /one request id in its header and another in its body$/,
  ],
  [
    'leads from errors to pages at another address',
    onRefusals((answer) => saying(answer, JSON.parse(String(answer.body).replace('/docs/', '/dev/docs/')))),
    with_refusal_in_json,
    /shows doc_url "http:.*\/dev\/docs\/errors#unauthorized", not "http:.*\d\/docs\/errors#unauthorized"$/,
  ],
  [
    'answers unknown paths with 403',
    onAnswers(/smoke_test/, (answer) => ({ ...answer, status: 403 })),
    [no_path!],
    /responded with 403 not_found, not 404$/,
  ],
  [
    'shows payments that do not exist',
    onAnswers(/^GET \/payments\/pay_0+$/, (answer) => saying({ ...answer, status: 200 }, {})),
    [no_payment!],
    /responded with 200, not 404$/,
  ],
  ['does not name its allowed methods', onStatus(405, header('allow')), [no_method!], /without Allow$/],
  [
    'does not name the wrong parameter',
    onStatus(422, (answer) => saying(answer, { error: { ...JSON.parse(String(answer.body)).error, param: null } })),
    [no_amount!, webhook!],
    /POST \/payments named null, not "amount"$/,
  ],
  [
    'does not name ignored parameters',
    onStatus(422, header('x-service-ignored-parameters')),
    [no_amount!],
    /POST \/payments responded without X-Service-Ignored-Parameters$/,
  ],
  [
    'names every parameter as ignored',
    onStatus(422, header('x-service-ignored-parameters', 'currency, ammount')),
    [no_amount!],
    /with X-Service-Ignored-Parameters: currency, ammount$/,
  ],
  [
    'calls private addresses',
    onAnswers(/^POST \/webhooks/, (answer) => saying({ ...answer, status: 200 }, { id: 'whk_1' })),
    [webhook!],
    /responded with 200, not 422$/,
  ],
  ['loses refunds', onField(/\/refund$/, 'amount_refunded', 0), [json!], /shows amount_refunded 0, not 1200$/],
  ['lists no payments', onField(/^GET \/payments\?/, 'data', []), [json!], /does not list the payment$/],
  ['returns lists without data', onField(/^GET \/payments\?/, 'data', null), [json!], /shows a list without data$/],
  [
    'does not capture',
    onField(/\/capture$/, 'status', 'authorized'),
    [form!],
    /shows status "authorized", not "captured"$/,
  ],
  [
    'forgets idempotency keys',
    { request: ({ headers: { 'idempotency-key': _, ...headers }, ...request }) => ({ ...request, headers }) },
    [idempotency!],
    /POST \/payments shows id "pay_\w+", not "pay_\w+"$/,
  ],
  [
    'does not mark replayed responses',
    onAnswers(/^POST \/payments$/, header('idempotent-replayed')),
    [idempotency!],
    /without Idempotent-Replayed$/,
  ],
  [
    'accepts declined cards',
    onStatus(402, (answer) => ({ ...answer, status: 200 })),
    [decline!],
    /responded with 200 insufficient_funds, not 402$/,
  ],
  [
    'does not show why a payment failed',
    onField(/^GET \/payments\/pay_/, 'failure_code', null),
    [decline!],
    /shows failure_code null, not "insufficient_funds"$/,
  ],
  ['lists no events', onField(/^GET \/events\?/, 'data', []), [events!], /does not list payment\.captured/],
  [
    'keeps deleted customers',
    {
      request: (request) => ({
        ...request,
        method: request.method.replace('DELETE', request.path.includes('cus') ? 'GET' : 'DELETE'),
      }),
    },
    [customer!],
    /DELETE \/customers\/\w+ shows source \{.*, not null$/,
  ],
  [
    'cannot open its vault',
    onAnswers(/^POST \/customers/, (answer) => ({ ...answer, status: 500 })),
    [customer!],
    /responded with 500, not 200$/,
  ],
  [
    'mixes up files',
    onAnswers(/_local\/files/, (answer) => ({ ...answer, body: 'other' })),
    [file!],
    /returns other content$/,
  ],
  [
    'does not find its files',
    onAnswers(/_local\/files/, (answer) => ({ ...answer, status: 403 })),
    [file!],
    /responded with 403, not 200$/,
  ],
  [
    'allows inline scripts in its pages',
    onAnswers(
      /\/pages\//,
      header('content-security-policy', "default-src 'none'; script-src 'unsafe-inline'; frame-ancestors 'none'"),
    ),
    [session!],
    /allows foreign scripts$/,
  ],
  [
    'has pages without a content security policy',
    onAnswers(/\/pages\//, header('content-security-policy')),
    [session!],
    /without Content-Security-Policy$/,
  ],
  [
    'has pages whose policy blocks their script',
    onAnswers(/\/pages\//, (answer) => ({ ...answer, body: String(answer.body).replaceAll('nonce="', 'nonce="x') })),
    [session!],
    /blocks its own script$/,
  ],
  [
    'has no pages',
    onAnswers(/\/pages\//, (answer) => ({ ...answer, status: 404 })),
    [session!],
    /responded with 404, not 200$/,
  ],
  [
    'cannot cancel sessions',
    onAnswers(/\/cancel$/, (answer) => ({ ...answer, status: 500 })),
    [session!, methods!],
    /\/cancel responded with 500$/,
  ],
  [
    'shows payment methods in another form',
    onField(/^POST \/sessions$/, 'payment_methods', [{ type: 'konbini', brands: [] }]),
    [methods!],
    /shows a payment method with other fields$/,
  ],
  [
    'offers no payment method',
    onField(/^POST \/sessions$/, 'payment_methods', []),
    [methods!],
    /shows a payment method with other fields$/,
  ],
  [
    'shows stores without icons',
    onAnswers(/^POST \/sessions$/, (answer) => ({
      ...answer,
      body: String(answer.body).replaceAll('"icon"', '"mark"'),
    })),
    [methods!],
    /shows a store without an icon$/,
  ],
  [
    'shows icons at another path than it serves',
    onAnswers(/^POST \/sessions$/, (answer) => ({
      ...answer,
      body: String(answer.body).replaceAll('"/pay', '"/dev/pay'),
    })),
    [methods!],
    /The icon of a store responded with 404 not_found, not 200$/,
  ],
  [
    'sends icons as text',
    onAnswers(/\.svg/, header('content-type', 'text/plain')),
    [methods!],
    /The icon of a store responded with Content-Type: text\/plain$/,
  ],
  [
    'does not let browsers keep icons',
    onAnswers(/\.svg/, header('cache-control', 'no-store')),
    [methods!],
    /The icon of a store responded with Cache-Control: no-store$/,
  ],
  [
    'shows secure tokens to secret keys only',
    {
      answer: (answer, { path, headers: { authorization = '' } }) =>
        path.includes('/secure_tokens/') && atob(authorization.slice('Basic '.length)) === `${publishable_key}:`
          ? { ...answer, status: 403 }
          : answer,
    },
    [secure_token!],
    /^FAIL .*: GET \/secure_tokens\/tok_\w+ responded with 403, not 200$/,
  ],
  [
    'does not let pages of other sites see secure tokens',
    onAnswers(/^GET \/secure_tokens/, header('access-control-allow-origin')),
    [secure_token!],
    /without Access-Control-Allow-Origin$/,
  ],
  [
    'does not show the status of secure tokens',
    onField(/^GET \/secure_tokens/, 'verification_status', null),
    [secure_token!],
    /shows verification_status null, not "NEEDS_VERIFY"$/,
  ],
  [
    'does not know HEAD',
    onAnswers(/^HEAD/, (answer) => ({ ...answer, status: 405 })),
    [head!],
    /HEAD \/payment_methods responded with 405, not 200$/,
  ],
  [
    'answers HEAD without the headers of GET',
    onAnswers(/^HEAD/, header('content-type')),
    [head!],
    /HEAD \/payment_methods responded without Content-Type$/,
  ],
  [
    'refuses browsers',
    onAnswers(/^OPTIONS/, header('access-control-allow-headers', '*')),
    [shop!],
    /with Access-Control-Allow-Headers: \*$/,
  ],
  [
    'does not let pages of other sites read responses',
    onAnswers(/^GET \/payment_methods/, header('access-control-allow-origin')),
    [shop!],
    /without Access-Control-Allow-Origin$/,
  ],
  [
    'has no documentation',
    onAnswers(/^GET \/docs$/, (answer) => ({ ...answer, status: 404 })),
    [docs!],
    /The documentation responded with 404, not 200$/,
  ],
  [
    'has documentation without a content security policy',
    onAnswers(/^GET \/docs$/, header('content-security-policy')),
    [docs!],
    /The documentation responded without Content-Security-Policy$/,
  ],
  [
    'allows inline scripts in its documentation',
    onAnswers(
      /^GET \/docs$/,
      header('content-security-policy', "default-src 'none'; script-src 'unsafe-inline'; frame-ancestors 'none'"),
    ),
    [docs!],
    /The documentation allows foreign scripts$/,
  ],
  [
    'has documentation whose policy blocks its script',
    onAnswers(/^GET \/docs$/, (answer) => ({ ...answer, body: String(answer.body).replace('<script>', '<script>0;') })),
    [docs!],
    /The documentation blocks its own script$/,
  ],
  [
    'leads from its top to another page',
    onAnswers(/^GET \/$/, header('location', 'https://shop.example.com/docs')),
    [top!],
    /The top of the host leads to https:\/\/shop\.example\.com\/docs, not http:.*\d\/docs$/,
  ],
  [
    'has a page without links at its top',
    onAnswers(/^GET \/$/, (answer) => ({ ...answer, status: 200, body: '<h1>Hello</h1>' })),
    [top!],
    /The top of the host has no link to the documentation$/,
  ],
  [
    'answers 404 at its top',
    onAnswers(/^GET \/$/, (answer) => ({ ...answer, status: 404 })),
    [top!],
    /The top of the host responded with 404, not 302$/,
  ],
  [
    'describes its API in an earlier version of OpenAPI',
    onField(/^GET \/openapi\.json$/, 'openapi', '3.0.3'),
    [description!],
    /The API description is not OpenAPI 3\.1$/,
  ],
  [
    'names another server in its API description',
    onField(/^GET \/openapi\.json$/, 'servers', [{ url: 'https://api.example.com' }]),
    [description!],
    /The API description names the server undefined, not http:.*\/api\/v1$/,
  ],
  [
    'closes connections without a response',
    onAnswers(/^POST \/files/, () => 'cut'),
    [file!],
    /POST \/files got no response \(\w+\)$/,
  ],
]

describe('the smoke test of a deployment that', () => {
  test.each(broken)('%s fails with the reason', async (_, breakage, fails, why) => {
    proxy.breakage = breakage
    const { code, out } = await smokeAt(proxy.url)
    const failures = out.filter((line) => line.startsWith('FAIL'))
    expect(failures.map((line) => all.find((what) => line.startsWith(`FAIL ${what}: `)))).toEqual(fails)
    expect(failures[0]).toMatch(why)
    expect(out).toHaveLength(all.length + 1)
    expect(out.at(-1)).toMatch(new RegExp(`: ${fails.length} failed\\.$`))
    expect(code).toBe(1)
  })

  test('has one of these faults fails, and each check fails for at least one fault', () => {
    expect(new Set(broken.flatMap(([, , fails]) => fails))).toEqual(new Set(all))
  })

  test('accepts a webhook to a private address deletes that webhook', async () => {
    proxy.breakage = onAnswers(/^POST \/webhooks/, (answer) => saying({ ...answer, status: 200 }, { id: 'whk_1' }))
    await smokeAt(proxy.url)
    expect(proxy.seen).toContain('DELETE /api/v1/webhooks/whk_1 404')
  })

  test('cannot charge a customer deletes that customer', async () => {
    let stored = false
    proxy.breakage = {
      answer(answer, { path }) {
        stored ||= path.endsWith('/customers')
        return stored && path.endsWith('/payments') ? { ...answer, status: 500 } : answer
      },
    }
    const { out } = await smokeAt(proxy.url)
    expect(out).toContain(`FAIL ${customer}: POST /payments responded with 500, not 200`)
    expect((await api.request('GET /customers', { key })).body.total).toBe(0)
  })

  test('repeats the key does not print the key', async () => {
    proxy.breakage = {
      answer: (answer, { headers }) =>
        answer.status === 405 ? header('allow', `${headers.authorization} ${key}`)(answer) : answer,
    }
    const { out } = await smokeAt(proxy.url)
    expect(out.join('\n')).toMatch(/with Allow: Basic sk_test_… sk_test_…$/m)
    expect(out.join('\n')).not.toContain(key.slice(8))
  })

  test('renames WWW-Authenticate, as API Gateway does, passes', async () => {
    proxy.breakage = onStatus(401, (answer) =>
      header('x-amzn-remapped-www-authenticate', 'Basic realm="a"')(header('www-authenticate')(answer)),
    )
    expect((await smokeAt(proxy.url)).code).toBe(0)
  })
})

describe('the smoke test of a deployment that is not ready', () => {
  /** Refuses a number of requests with this status. */
  const refusing = (times: number, status: number, retry_after?: string): Breakage => ({
    answer: (answer) => (times-- > 0 ? header('retry-after', retry_after)({ ...answer, status }) : answer),
  })

  test.each([
    [503, '2', [2000, 2000]],
    [429, '30', [30_000, 30_000]],
    [503, undefined, [1000, 1000]],
    [503, 'soon', [1000, 1000]],
  ])('waits after a %i for the time in Retry-After (%s)', async (status, retry_after, waits) => {
    proxy.breakage = refusing(2, status, retry_after)
    expect(await smokeAt(proxy.url)).toMatchObject({ code: 0, waits })
  })

  test.each([
    [503, '2', 4],
    [429, '30', 2],
    [503, '3600', 0],
  ])('gives up after repeated %i (Retry-After: %s)', async (status, retry_after, waits) => {
    proxy.breakage = refusing(Number.POSITIVE_INFINITY, status, retry_after)
    const gave_up = await smokeAt(proxy.url)
    expect(gave_up).toMatchObject({
      code: 2,
      out: [],
      err: `${proxy.url}/api/v1 does not work: it responds with ${status}.`,
    })
    expect(gave_up.waits).toHaveLength(waits)
  })

  test('does not wait after other errors', async () => {
    proxy.breakage = refusing(1, 504, '2')
    expect(await smokeAt(proxy.url)).toMatchObject({ code: 2, waits: [] })
  })

  test('limits the time that it waits for a response', async () => {
    const { promise: asked, resolve: ask } = Promise.withResolvers<void>()
    const server = createServer(() => ask())
    await once(server.listen(0, '127.0.0.1'), 'listening')
    const limits: number[] = []
    const limit = (ms: number) => {
      limits.push(ms)
      const controller = new AbortController()
      asked.then(() => controller.abort(new DOMException('', 'TimeoutError')))
      return controller.signal
    }
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const { code, err } = await run(['--url', url], { SMOKE_KEY: key }, { ...real_timing, limit })
    server.closeAllConnections()
    server.close()
    expect(err).toBe(`${url} does not respond: GET /payment_methods got no response within 30 s.`)
    expect({ code, limits }).toEqual({ code: 2, limits: [30_000] })
  })
})

describe('the smoke test without a deployment to check', () => {
  const at = (type: string, body: string): Breakage => ({
    answer: () => ({ status: 200, headers: { 'content-type': type }, body }),
  })

  test.each([
    [
      'a page',
      at('text/html; charset=utf-8', '<h1>Hello</h1>'),
      'is not this API: it responds with 200 and text/html.',
    ],
    [
      'another API',
      at('application/json', '{"hello":"world"}'),
      'is not this API: it responds with 200 and application/json.',
    ],
    ['no JSON', at('application/json', '{'), 'is not this API: it responds with 200 and application/json.'],
  ])('explains the problem in one sentence: %s', async (_, breakage, sentence) => {
    proxy.breakage = breakage
    expect(await smokeAt(proxy.url)).toMatchObject({
      code: 2,
      out: [],
      err: `${proxy.url}/api/v1 ${sentence} The base URL of the API ends in /api/v1.`,
    })
  })

  test('explains the problem in one sentence: the URL does not end in /api/v1', async () => {
    const { code, err } = await run(['--url', `${proxy.url}/`])
    expect({ code, err }).toEqual({ code: 2, err: `${proxy.url} has no API. The base URL of the API ends in /api/v1.` })
  })

  test('explains the problem in one sentence: the key is unknown', async () => {
    const { code, err } = await run(['--url', `${api.url}/api/v1`, '--key', 'sk_test_0'], {})
    expect({ code, err }).toEqual({ code: 2, err: `${api.url}/api/v1 is the API, but the key is not valid.` })
  })

  test('explains the problem in one sentence: nothing listens', async () => {
    const server = createServer()
    await once(server.listen(0, '127.0.0.1'), 'listening')
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    await new Promise((closed) => server.close(closed))
    expect(await run(['--url', url])).toMatchObject({ code: 2, err: `${url} does not respond: nothing listens there.` })
  })

  test.each([
    ['ENOTFOUND', 'there is no such host.'],
    ['EAI_AGAIN', 'its name cannot be resolved at the moment.'],
    ['CERT_HAS_EXPIRED', 'GET /payment_methods got no response (CERT_HAS_EXPIRED).'],
  ])('explains the problem in one sentence: the network reports %s', async (code, sentence) => {
    vi.spyOn(globalThis, 'fetch').mockRejectedValueOnce(new TypeError('fetch failed', { cause: { code } }))
    const url = 'https://api.example.com/api/v1'
    expect(await run(['--url', url])).toMatchObject({ code: 2, err: `${url} does not respond: ${sentence}` })
  })

  test.each([
    [['--key', 'sk_live_1'], /^This is a live key/],
    [['--key', 'pk_live_1'], /^This is a live key/],
    [['--key', 'pk_test_1'], /^This is a publishable key/],
    [['--key', 'secret'], /^This is not a secret key/],
    [['--key', ''], /^Give a secret key/],
    [[], /^Give a secret key .*SMOKE_KEY/],
  ])('accepts only a secret key of test mode: %s', async (words, sentence) => {
    const { code, err } = await run(['--url', `${proxy.url}/api/v1`, ...words], {})
    expect(err).toMatch(sentence)
    expect(err.split('\n')).toHaveLength(1)
    expect({ code, seen: proxy.seen }).toEqual({ code: 2, seen: [] })
  })

  test.each(['pk_live_1', 'sk_test_1', 'secret'])('accepts only a publishable key of test mode: %s', async (word) => {
    const { code, err } = await run(['--url', `${proxy.url}/api/v1`], { SMOKE_KEY: key, SMOKE_PUBLISHABLE_KEY: word })
    expect(err).toBe('SMOKE_PUBLISHABLE_KEY is not a publishable key of a test merchant, pk_test_….')
    expect({ code, seen: proxy.seen }).toEqual({ code: 2, seen: [] })
  })

  test.each([
    [[], /^The URL of the API is missing/],
    [['--url', 'localhost'], /^The URL is not the base URL/],
    [['--url', 'ftp://localhost/'], /^The URL is not the base URL/],
    [['--url', 'http://localhost/?a=1'], /^The URL is not the base URL/],
    [['--url'], /^The command line is not valid/],
    [['--keys', 'sk_test_secret1'], /^There is no such option/],
    [['sk_test_secret1'], /^The command line is not valid/],
  ])('explains what is wrong with %s without repeating it', async (words, sentence) => {
    const { code, err } = await run(words)
    expect(err).toMatch(sentence)
    expect(err).not.toContain('secret1')
    expect(code).toBe(2)
  })

  test('prints its usage with --help', async () => {
    const { code, out } = await run(['--help'], {})
    expect(out.join('\n')).toMatch(/--url <url>.*SMOKE_KEY.*Exit code/s)
    expect(code).toBe(0)
  })
})
