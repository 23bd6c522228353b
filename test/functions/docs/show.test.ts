import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { handler } from '#functions/docs/show.ts'
import { script } from '#shared/docs/site-script.ts'
import { style } from '#shared/docs/site-style.ts'
import { type Api, openApi } from '#test/fixtures/api.ts'
import { gatewayEvent } from '#test/fixtures/lambda-events.ts'
import { rawRequest } from '#test/fixtures/raw-request.ts'

let api: Api
beforeAll(async () => {
  api = await openApi()
})
afterAll(() => api.close())

const open = async (path: string, init?: RequestInit) => {
  const reply = await fetch(api.url + path, { redirect: 'manual', ...init })
  return { status: reply.status, headers: reply.headers, text: await reply.text() }
}

describe('GET /docs', () => {
  test.each(['/docs/events', '/docs/reference/payments'])(
    'shows %s without a key, to caches, and under a strict policy',
    async (path) => {
      const { status, headers, text } = await open(path)
      expect(status).toBe(200)
      expect(Object.fromEntries(headers)).toMatchObject({
        'content-type': 'text/html; charset=utf-8',
        'cache-control': 'public, max-age=300',
        'x-content-type-options': 'nosniff',
        'x-frame-options': 'DENY',
        'referrer-policy': 'same-origin',
        'cross-origin-opener-policy': 'same-origin',
        'strict-transport-security': 'max-age=63072000; includeSubDomains',
      })
      expect(headers.get('etag')).toBeNull()
      expect(headers.get('x-request-id')).toMatch(/^[\w-]{8,}$/)
      expect(text).toMatch(/^<!doctype html>\n<html lang="en">/)
    },
  )

  test('allows only its own style sheet and script, each by its hash', async () => {
    const { headers, text } = await open('/docs/events')
    const policy = headers.get('content-security-policy')!
    expect(policy).not.toContain('unsafe')
    expect(policy).not.toContain('http')
    expect(policy).toMatch(
      /^default-src 'none'; style-src '(sha256-\S+)'; script-src '(sha256-\S+)'; form-action 'self'/,
    )
    expect(policy).toContain("base-uri 'none'; frame-ancestors 'none'")
    expect(policy).toContain(`style-src '${await hashOf(style)}'`)
    expect(policy).toContain(`script-src '${await hashOf(script)}'`)
    expect(text.match(/<(?:style|script)\b[^>]*>/g)).toEqual(['<style>', '<script>'])
    expect(text).toContain(`<style>${style}</style>`)
    expect(text).toContain(`<script>${script}</script>`)
    expect(text).not.toMatch(/\s(?:style|on\w+)="/)
  })

  test('shows the same bytes to every reader, so that caches can repeat them', async () => {
    const first = await open('/docs/events')
    const second = await open('/docs/events', { headers: { 'accept-language': 'ja', cookie: 'a=b' } })
    expect(second.text).toBe(first.text)
  })

  test('lets caches repeat links only to readers who came by the same scheme', async () => {
    const secure = { headers: { 'x-forwarded-proto': 'https' } }
    const page = await open('/docs', secure)
    expect(page.text).toContain(api.url.replace('http:', 'https:'))
    expect((await open('/docs')).text).not.toContain(api.url.replace('http:', 'https:'))
    const redirect = await open('/', secure)
    expect(redirect.headers.get('location')).toBe(`${api.url.replace('http:', 'https:')}/docs`)
    expect([page.headers.get('vary'), redirect.headers.get('vary')]).toEqual(['X-Forwarded-Proto', 'X-Forwarded-Proto'])
  })

  test('answers HEAD without a body, and a path with a slash at its end', async () => {
    const head = await open('/docs/events', { method: 'HEAD' })
    expect([head.status, head.text]).toEqual([200, ''])
    expect(head.headers.get('content-security-policy')).toContain("default-src 'none'")
    const slash = await open('/docs/events/')
    expect([slash.status, slash.text]).toEqual([200, (await open('/docs/events')).text])
  })

  test.each([
    '/docs/nothing',
    '/docs/reference/nothing',
    '/docs/ja/nothing',
    '/docs/__proto__',
    '/docs/constructor/toString',
    '/docs/reference/__proto__',
    '/docs/%3Cscript%3E',
    '/docs/%00',
    '/docs/%',
    '/docs/en/events',
    '/docs/ja/ja',
  ])('answers 404 at %s with a page that has the search and the menu', async (path) => {
    const { status, headers, text } = await open(path)
    expect([status, headers.get('cache-control')]).toEqual([404, 'no-store'])
    expect(text).toContain('<form class="find" role="search"')
    expect(text).toContain('<nav class="site"')
    expect(text).toContain('<meta name="robots" content="noindex">')
    expect(text).not.toContain('<script>alert')
    expect(text).toContain(path.startsWith('/docs/ja/') ? '<html lang="ja">' : '<html lang="en">')
  })

  test.each(['POST', 'PATCH', 'DELETE'])('answers 405 to %s', async (method) => {
    const { status, headers } = await open('/docs/events', { method })
    expect([status, headers.get('allow')]).toEqual([405, 'GET, HEAD'])
  })

  test('shows a page with the request id for a request that the firewall marks', async () => {
    const { status, headers, text } = await open('/docs/events', { headers: { 'x-amzn-waf-request': 'suspicious' } })
    expect(status).toBe(403)
    expect(headers.get('content-security-policy')).toContain("default-src 'none'")
    expect(text).toContain(headers.get('x-request-id')!)
  })

  test('leads from /docs/start to the first page', async () => {
    const { status, headers } = await open('/docs/start')
    expect([status, headers.get('location')]).toEqual([302, `${api.url}/docs`])
    expect((await open('/docs/ja/start')).headers.get('location')).toBe(`${api.url}/docs/ja`)
  })

  test('answers a request with a forged Host, without the forged name in its links', async () => {
    const { status, text } = await rawRequest(api.url, {
      method: 'GET',
      path: '/docs/events',
      headers: { host: 'evil"><script>' },
    })
    expect(status).toBe(200)
    expect(text).not.toContain('evil')
  })

  test.each(['999.999.999.999', 'localhost:99999', '[1:2]'])(
    'is readable by the Host %s, which is no host',
    async (host) => {
      for (const [path, expected] of [
        ['/docs', 200],
        ['/docs/nothing', 404],
        ['/docs/search?q=refund', 200],
        ['/docs/start', 302],
      ] as const) {
        const { status, headers } = await rawRequest(api.url, { method: 'GET', path, headers: { host } })
        expect([path, status]).toEqual([path, expected])
        if (status === 302) expect(headers.get('location')).toBe('http://localhost/docs')
      }
    },
  )
})

describe('GET /', () => {
  test('redirects to the documentation, and lets caches keep the redirect', async () => {
    const { status, headers, text } = await open('/')
    expect([status, headers.get('location'), text]).toEqual([302, `${api.url}/docs`, ''])
    expect(headers.get('cache-control')).toBe('public, max-age=300')
  })
})

describe('GET /docs/search', () => {
  const find = (query: string, path = '/docs/search') => open(`${path}?q=${encodeURIComponent(query)}`)

  test('finds an error code, an event type, a field and an endpoint', async () => {
    expect((await find('card_expired')).text).toContain('href="/docs/errors#card_expired"')
    expect((await find('payment.captured')).text).toContain('href="/docs/events#payment.captured"')
    expect((await find('POST /payments')).text).toContain('href="/docs/reference/payments#post-payments"')
  })

  test('shows the query again, and no other text of the reader as markup', async () => {
    for (const query of ['"><script>alert(1)</script>', "' onfocus='alert(1)", '</title><b>', '&lt;b&gt;']) {
      const { status, text } = await find(query)
      expect(status).toBe(200)
      expect(text).not.toContain(query)
      expect(text.match(/<script\b/g)).toHaveLength(1)
    }
  })

  test.each(['', ' ', '\u0000', '.*', '(', '[', '\\', 'a'.repeat(5_000), '\ud800', '💳'])(
    'answers the query %j with a page',
    async (query) => {
      const { status, text } = await open(`/docs/search?q=${encodeURIComponent(query.toWellFormed())}`)
      expect(status).toBe(200)
      expect(text).toContain('<meta name="robots" content="noindex">')
    },
  )

  test.each([
    'a b c d e f g h i j k l m n o p q r s t u v w x y z',
    'の に を は が で と い う す る',
    '"'.repeat(3_000),
  ])('answers the query %j with a page of at most 60 KB in both languages', async (query) => {
    for (const path of ['/docs/search', '/docs/ja/search'])
      expect(Buffer.byteLength((await find(query, path)).text)).toBeLessThan(60 * 1024)
  })

  test('says so when nothing matches, and answers without a query', async () => {
    expect((await find('xyzzy')).text).toContain('Nothing matches “xyzzy”.')
    expect((await open('/docs/search')).text).toContain('Search for a field')
    expect((await find('xyzzy', '/docs/ja/search')).text).toContain('「xyzzy」に一致する項目はありません。')
  })
})

describe('the documentation under a stage of API Gateway', () => {
  const call = async (path: string, pathParameters: Record<string, string> | null) => {
    const event = {
      ...gatewayEvent({ method: 'GET', path }),
      pathParameters,
      requestContext: { requestId: 'request', path: `/prod${path}`, domainName: 'api.example.com' },
    }
    return (await handler(event as never, { platform: api.platform } as never)) as {
      headers: Record<string, string>
      body: string
    }
  }

  test('carries the stage in every link', async () => {
    const { body } = await call('/docs/events', { section: 'events' })
    const links = Array.from(body.matchAll(/(?:href|action)="([^"]*)"/g), ([, link]) => link!)
    expect(links.length).toBeGreaterThan(20)
    expect(links.filter((link) => !/^(#|\/prod\/|https:\/\/api\.example\.com\/prod\/)/.test(link))).toEqual([])
  })

  test('redirects to the stage', async () => {
    expect((await call('/', null)).headers.Location).toBe('https://api.example.com/prod/docs')
  })
})

async function hashOf(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))
  return `sha256-${Buffer.from(digest).toString('base64')}`
}
