import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { refusalIn } from '#test/faults/witness.ts'
import { type Api, openApi } from '#test/fixtures/api.ts'
import { rawRequest } from '#test/fixtures/raw-request.ts'

let api: Api
beforeAll(async () => {
  api = await openApi()
})
afterAll(() => api.close())

/** The `Accept` header of a browser that opens a page. */
const accept = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'

const open = (headers: Readonly<Record<string, string>>, method = 'GET') =>
  fetch(`${api.url}/`, { method, headers, redirect: 'manual' })

describe('GET /', () => {
  test('shows a browser the base URL, commands and a button, with the headers of every page', async () => {
    const response = await open({ accept })
    const text = await response.text()
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
    expect(text).toContain(`${api.url}/api/v1`)
    expect(text).toContain(`curl -X POST ${api.url}/_local/merchants`)
    expect(text).toContain('<form method="post" action="/_local/sessions">')
    expect(text).toContain('<a href="/docs">')
    expect(text).not.toContain('<script')
    expect(response.headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; style-src 'nonce-.*form-action/,
    )
    expect(response.headers.get('referrer-policy')).toBe('same-origin')
  })

  test('contains no key', async () => {
    const text = await (await open({ accept })).text()
    for (const { secret_key, publishable_key } of [api.test, api.live]) {
      expect(text).not.toContain(secret_key)
      expect(text).not.toContain(publishable_key)
    }
  })

  test('shows the page that a link of another site leads to', async () => {
    const { status } = await rawRequest(api.url, {
      method: 'GET',
      path: '/',
      headers: { accept, 'sec-fetch-site': 'cross-site' },
    })
    expect(status).toBe(200)
  })

  test('is answered with 404 under a host that does not name this machine', async () => {
    const { status } = await rawRequest(api.url, { method: 'GET', path: '/', headers: { accept, host: 'example.com' } })
    expect(status).toBe(404)
  })

  test.each([
    ['GET', 'application/json'],
    ['GET', '*/*'],
    ['HEAD', accept],
  ])('%s with Accept %s leads to the documentation, as on AWS', async (method, accepted) => {
    const response = await open({ accept: accepted }, method)
    expect([response.status, response.headers.get('location')]).toEqual([302, `${api.url}/docs`])
  })

  test('POST is answered with 405', async () => {
    const response = await open({ accept }, 'POST')
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, HEAD'])
  })
})

describe('POST /_local/sessions', () => {
  const control = (headers: Readonly<Record<string, string>> = {}) =>
    api.request('POST /_local/sessions', { key: null, headers, redirect: 'manual' })

  test('creates a session of the oldest test merchant that a customer can pay', async () => {
    await api.advance(1)
    await api.newMerchants()
    const { status, body } = await control()
    expect(status).toBe(200)
    expect(Object.keys(body)).toEqual(['id', 'session_url'])
    const session = await api.request(`GET /sessions/${body.id}`)
    expect(session.body).toMatchObject({ ...body, amount: 1_000, currency: 'JPY', status: 'pending' })
    expect(session.body.return_url).toBe(`${api.url}/`)
    expect((await fetch(body.session_url)).status).toBe(200)
  })

  test('leads a browser to the page of the session', async () => {
    const { status, headers } = await control({ accept })
    expect(status).toBe(303)
    expect(headers.get('location')).toMatch(new RegExp(`^${api.url}/pages/sessions/${api.test.id}/ses_`))
  })

  test('is refused from a page of another origin', async () => {
    for (const [name, value] of [
      ['origin', 'https://example.com'],
      ['sec-fetch-site', 'cross-site'],
    ])
      expect(refusalIn(await control({ accept, [name!]: value! }))).toMatchObject({ status: 403, code: 'forbidden' })
  })
})
