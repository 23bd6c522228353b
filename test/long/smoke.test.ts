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
  // A merchant of its own, who has nothing yet.
  key = (await api.newMerchants()).test.secret_key
})

/** What the command prints, its exit code, and how long it would have waited. */
async function say(words: readonly string[], env: Record<string, string> = { SMOKE_KEY: key }, timing = real_timing) {
  const out: string[] = []
  const err: string[] = []
  const waits: number[] = []
  const wait = async (ms: number) => waits.push(ms)
  const terminal = { out: (line: string) => out.push(line), err: (line: string) => err.push(line), env }
  const code = await smoke(words, { ...terminal, timing: { ...timing, wait } })
  return { code, out, err: err.join('\n'), waits }
}

const smokeAt = (url: string) => say(['--url', `${url}/api/v1`])

describe('the smoke test of a deployment that works', () => {
  test('says what works, line by line, and sums up', async () => {
    const { code, out, err } = await smokeAt(proxy.url)
    expect(out.slice(0, -1).map((line) => line.replace(/\d+ ms$/, ''))).toEqual(
      checks.map(({ what }) => `ok   ${what}  `),
    )
    expect(out.at(-1)).toMatch(/^16 checks in \d+ ms: all passed\.$/)
    expect({ code, err }).toEqual({ code: 0, err: '' })
  })

  test('leaves no customer, no webhook and no open session', async () => {
    await smokeAt(proxy.url)
    for (const path of ['/customers', '/webhooks'])
      expect((await api.request(`GET ${path}`, { key })).body.total).toBe(0)
    expect(proxy.seen).toContainEqual(expect.stringMatching(/^POST \/api\/v1\/sessions\/\w+\/cancel 200$/))
  })

  test('is a command that takes the key from its environment, and prints it nowhere', async () => {
    const main = join(import.meta.dirname, '../../infra/smoke/main.ts')
    const words = ['--disable-warning=ExperimentalWarning', main, '--url', `${api.url}/api/v1/`]
    const child = spawn(process.execPath, words, { env: { ...process.env, SMOKE_KEY: key } })
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
const [json, form, idempotency, decline, events, customer, file, session, shop] = all.slice(7) as [string, ...string[]]

/** An answer with another body in JSON. */
const saying = (answer: Returning, body: unknown): Returning => ({ ...answer, body: JSON.stringify(body) })

/** An answer without a header, or with another value of it. */
function header(name: string, value?: string): (answer: Returning) => Returning {
  return ({ headers: { [name]: _, ...headers }, ...answer }) => ({
    ...answer,
    headers: value === undefined ? headers : { ...headers, [name]: value },
  })
}

/** Breaks the answers to what `route` describes. */
const onAnswers = (route: RegExp, breaks: (answer: Returning) => Returning | 'cut'): Breakage => ({
  answer: (answer, { method, path }) =>
    route.test(`${method} ${path.replace('/api/v1', '')}`) ? breaks(answer) : answer,
})

/** Breaks the answers with a status. */
const onStatus = (status: number, breaks: (answer: Returning) => Returning): Breakage => ({
  answer: (answer) => (answer.status === status ? breaks(answer) : answer),
})

const onRefusals = (breaks: (answer: Returning) => Returning): Breakage => ({
  answer: (answer) => (answer.status >= 400 ? breaks(answer) : answer),
})

/** Breaks a field of what is answered. */
const onField = (route: RegExp, field: string, value: unknown): Breakage =>
  onAnswers(route, (answer) => saying(answer, { ...JSON.parse(String(answer.body)), [field]: value }))

const with_refusal_in_json = [...refusals, decline!, customer!]

const broken: readonly (readonly [what: string, breakage: Breakage, fails: readonly string[], why: RegExp])[] = [
  [
    'lets everybody in',
    onStatus(401, (answer) => saying({ ...answer, status: 200 }, { resource: 'list', data: [] })),
    [no_key, wrong_key!],
    /GET \/payments responded with 200, not 401$/,
  ],
  ['does not ask for a key', onStatus(401, header('www-authenticate')), [no_key], /without WWW-Authenticate$/],
  [
    'answers errors in the words of its gateway',
    onRefusals((answer) => saying(answer, { message: 'Forbidden' })),
    with_refusal_in_json,
    /responded with 401 without the error envelope$/,
  ],
  ['tells no request id', onRefusals(header('x-request-id')), with_refusal_in_json, /without X-Request-Id$/],
  [
    'tells another request id',
    onRefusals(header('x-request-id', 'another')),
    with_refusal_in_json,
    /one request id in its header and another in its body$/,
  ],
  [
    'refuses what it does not serve as its gateway does',
    onAnswers(/smoke_test/, (answer) => ({ ...answer, status: 403 })),
    [no_path!],
    /responded with 403 not_found, not 404$/,
  ],
  [
    'shows payments that are not there',
    onAnswers(/^GET \/payments\/pay_0+$/, (answer) => saying({ ...answer, status: 200 }, {})),
    [no_payment!],
    /responded with 200, not 404$/,
  ],
  ['does not say which methods it takes', onStatus(405, header('allow')), [no_method!], /without Allow$/],
  [
    'does not name the parameter',
    onStatus(422, (answer) => saying(answer, { error: { ...JSON.parse(String(answer.body)).error, param: null } })),
    [no_amount!, webhook!],
    /POST \/payments named null, not "amount"$/,
  ],
  [
    'calls private addresses',
    onAnswers(/^POST \/webhooks/, (answer) => saying({ ...answer, status: 200 }, { id: 'whk_1' })),
    [webhook!],
    /responded with 200, not 422$/,
  ],
  ['loses the refund', onField(/\/refund$/, 'amount_refunded', 0), [json!], /shows amount_refunded 0, not 1200$/],
  ['lists nothing', onField(/^GET \/payments\?/, 'data', []), [json!], /does not list the payment$/],
  ['lists no data', onField(/^GET \/payments\?/, 'data', null), [json!], /shows a list without data$/],
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
    'does not say what it replays',
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
  ['forgets events', onField(/^GET \/events\?/, 'data', []), [events!], /does not list payment\.captured/],
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
    'has pages with any script',
    onAnswers(
      /\/pages\//,
      header('content-security-policy', "default-src 'none'; script-src 'unsafe-inline'; frame-ancestors 'none'"),
    ),
    [session!],
    /allows foreign scripts$/,
  ],
  [
    'has pages without a policy',
    onAnswers(/\/pages\//, header('content-security-policy')),
    [session!],
    /without Content-Security-Policy$/,
  ],
  [
    'has pages whose script does not run',
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
    [session!],
    /\/cancel responded with 500$/,
  ],
  [
    'refuses browsers',
    onAnswers(/^OPTIONS/, header('access-control-allow-headers', '*')),
    [shop!],
    /with Access-Control-Allow-Headers: \*$/,
  ],
  [
    'does not let pages read answers',
    onAnswers(/^GET \/payment_methods/, header('access-control-allow-origin')),
    [shop!],
    /without Access-Control-Allow-Origin$/,
  ],
  ['hangs up', onAnswers(/^POST \/files/, () => 'cut'), [file!], /POST \/files got no response \(\w+\)$/],
]

describe('the smoke test of a deployment that', () => {
  test.each(broken)('%s fails, and says why', async (_, breakage, fails, why) => {
    proxy.breakage = breakage
    const { code, out } = await smokeAt(proxy.url)
    const failures = out.filter((line) => line.startsWith('FAIL'))
    expect(failures.map((line) => all.find((what) => line.startsWith(`FAIL ${what}: `)))).toEqual(fails)
    expect(failures[0]).toMatch(why)
    expect(out).toHaveLength(all.length + 1)
    expect(out.at(-1)).toMatch(new RegExp(`: ${fails.length} failed\\.$`))
    expect(code).toBe(1)
  })

  test('is broken somewhere else fails another check: each of them can fail', () => {
    expect(new Set(broken.flatMap(([, , fails]) => fails))).toEqual(new Set(all))
  })

  test('lets a webhook through has it deleted', async () => {
    proxy.breakage = onAnswers(/^POST \/webhooks/, (answer) => saying({ ...answer, status: 200 }, { id: 'whk_1' }))
    await smokeAt(proxy.url)
    expect(proxy.seen).toContain('DELETE /api/v1/webhooks/whk_1 404')
  })

  test('cannot charge a customer has it deleted nevertheless', async () => {
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

  test('repeats the key does not get it printed', async () => {
    proxy.breakage = {
      answer: (answer, { headers }) =>
        answer.status === 405 ? header('allow', `${headers.authorization} ${key}`)(answer) : answer,
    }
    const { out } = await smokeAt(proxy.url)
    expect(out.join('\n')).toMatch(/with Allow: Basic sk_test_… sk_test_…$/m)
    expect(out.join('\n')).not.toContain(key.slice(8))
  })

  test('gives the header another name, as API Gateway does, is not broken', async () => {
    proxy.breakage = onStatus(401, (answer) =>
      header('x-amzn-remapped-www-authenticate', 'Basic realm="a"')(header('www-authenticate')(answer)),
    )
    expect((await smokeAt(proxy.url)).code).toBe(0)
  })
})

describe('the smoke test of a deployment that is not ready', () => {
  /** Refuses so many requests with this status. */
  const refusing = (times: number, status: number, retry_after?: string): Breakage => ({
    answer: (answer) => (times-- > 0 ? header('retry-after', retry_after)({ ...answer, status }) : answer),
  })

  test.each([
    [503, '2', [2000, 2000]],
    [429, '30', [30_000, 30_000]],
    [503, undefined, [1000, 1000]],
    [503, 'soon', [1000, 1000]],
  ])('waits after a %i as long as it is told (%s)', async (status, retry_after, waits) => {
    proxy.breakage = refusing(2, status, retry_after)
    expect(await smokeAt(proxy.url)).toMatchObject({ code: 0, waits })
  })

  test.each([
    [503, '2', 4],
    [429, '30', 2],
    [503, '3600', 0],
  ])('gives up when it gets a %i again and again (%s)', async (status, retry_after, waits) => {
    proxy.breakage = refusing(Number.POSITIVE_INFINITY, status, retry_after)
    const gave_up = await smokeAt(proxy.url)
    expect(gave_up).toMatchObject({
      code: 2,
      out: [],
      err: `${proxy.url}/api/v1 does not work: it responds with ${status}.`,
    })
    expect(gave_up.waits).toHaveLength(waits)
  })

  test('does not wait for other errors', async () => {
    proxy.breakage = refusing(1, 504, '2')
    expect(await smokeAt(proxy.url)).toMatchObject({ code: 2, waits: [] })
  })

  test('does not wait for an answer for ever', async () => {
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
    const { code, err } = await say(['--url', url], { SMOKE_KEY: key }, { ...real_timing, limit })
    server.closeAllConnections()
    server.close()
    expect(err).toBe(`${url} does not respond: GET /payment_methods got no response within 30 s.`)
    expect({ code, limits }).toEqual({ code: 2, limits: [30_000] })
  })
})

describe('the smoke test with nothing to check', () => {
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
  ])('says so in one sentence: %s', async (_, breakage, sentence) => {
    proxy.breakage = breakage
    expect(await smokeAt(proxy.url)).toMatchObject({
      code: 2,
      out: [],
      err: `${proxy.url}/api/v1 ${sentence} The base URL of the API ends in /api/v1.`,
    })
  })

  test('says so in one sentence: the address ends too early', async () => {
    const { code, err } = await say(['--url', `${proxy.url}/`])
    expect({ code, err }).toEqual({ code: 2, err: `${proxy.url} has no API. The base URL of the API ends in /api/v1.` })
  })

  test('says so in one sentence: nobody has the key', async () => {
    const { code, err } = await say(['--url', `${api.url}/api/v1`, '--key', 'sk_test_0'], {})
    expect({ code, err }).toEqual({ code: 2, err: `${api.url}/api/v1 is the API, but the key is not valid.` })
  })

  test('says so in one sentence: nothing listens', async () => {
    const server = createServer()
    await once(server.listen(0, '127.0.0.1'), 'listening')
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    await new Promise((closed) => server.close(closed))
    expect(await say(['--url', url])).toMatchObject({ code: 2, err: `${url} does not respond: nothing listens there.` })
  })

  test.each([
    ['ENOTFOUND', 'there is no such host.'],
    ['EAI_AGAIN', 'its name cannot be resolved at the moment.'],
    ['CERT_HAS_EXPIRED', 'GET /payment_methods got no response (CERT_HAS_EXPIRED).'],
  ])('says so in one sentence: the network says %s', async (code, sentence) => {
    vi.spyOn(globalThis, 'fetch').mockRejectedValueOnce(new TypeError('fetch failed', { cause: { code } }))
    const url = 'https://api.example.com/api/v1'
    expect(await say(['--url', url])).toMatchObject({ code: 2, err: `${url} does not respond: ${sentence}` })
  })

  test.each([
    [['--key', 'sk_live_1'], /^This is a live key/],
    [['--key', 'pk_live_1'], /^This is a live key/],
    [['--key', 'pk_test_1'], /^This is a publishable key/],
    [['--key', 'secret'], /^This is not a secret key/],
    [['--key', ''], /^Give a secret key/],
    [[], /^Give a secret key .*SMOKE_KEY/],
  ])('takes no other key than a secret one for test mode: %s', async (words, sentence) => {
    const { code, err } = await say(['--url', `${proxy.url}/api/v1`, ...words], {})
    expect(err).toMatch(sentence)
    expect(err.split('\n')).toHaveLength(1)
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
  ])('says what is wrong with %s, and repeats nothing of it', async (words, sentence) => {
    const { code, err } = await say(words)
    expect(err).toMatch(sentence)
    expect(err).not.toContain('secret1')
    expect(code).toBe(2)
  })

  test('explains itself', async () => {
    const { code, out } = await say(['--help'], {})
    expect(out.join('\n')).toMatch(/--url <url>.*SMOKE_KEY.*Exit code/s)
    expect(code).toBe(0)
  })
})
