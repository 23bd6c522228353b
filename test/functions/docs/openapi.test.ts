import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Api, openApi } from '#test/fixtures/api.ts'
import { expectEnvelope } from '#test/fixtures/envelope.ts'
import { rawRequest } from '#test/fixtures/raw-request.ts'
import { textOf } from '#test/house/source-files.ts'

let api: Api
beforeAll(async () => {
  api = await openApi()
})
afterAll(() => api.close())

/** The part of the API description that depends on the reader. */
interface Description {
  readonly servers: readonly [{ readonly variables: { readonly base_url: { readonly default: string } } }]
}

const open = (init?: RequestInit) => fetch(`${api.url}/api/v1/openapi.json`, init)

describe('GET /api/v1/openapi.json', () => {
  test('shows the API description without a key, to caches and to pages of any site', async () => {
    const reply = await open()
    expect(reply.status).toBe(200)
    expect(Object.fromEntries(reply.headers)).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'public, max-age=300',
      'access-control-allow-origin': '*',
      'cross-origin-resource-policy': 'cross-origin',
      'x-content-type-options': 'nosniff',
    })
    expect(reply.headers.get('etag')).toBeNull()
    const { servers, ...rest } = (await reply.json()) as Description
    const { servers: written, ...description } = JSON.parse(textOf('shared/openapi.json')) as Description
    expect(rest).toEqual(description)
    expect(servers).toMatchObject([{ url: '{base_url}', variables: { base_url: { default: `${api.url}/api/v1` } } }])
    expect(Object.keys(servers[0])).toEqual(Object.keys(written[0]))
  })

  test('names the address that the reader used as its server', async () => {
    const other = new URL(api.url)
    other.hostname = 'localhost'
    for (const origin of [api.url, other.origin, api.url]) {
      const { servers } = (await (await fetch(`${origin}/api/v1/openapi.json`)).json()) as Description
      expect(servers[0].variables.base_url.default).toBe(`${origin}/api/v1`)
    }
  })

  test('tells caches that the server depends on the scheme, and names no forged host', async () => {
    const urlFor = async (headers: Record<string, string>) => {
      const { headers: sent, text } = await rawRequest(api.url, {
        method: 'GET',
        path: '/api/v1/openapi.json',
        headers,
      })
      expect(sent.get('vary')).toBe('X-Forwarded-Proto')
      return JSON.parse(text).servers[0].variables.base_url.default
    }
    expect(await urlFor({ host: 'pay.example', 'x-forwarded-proto': 'https' })).toBe('https://pay.example/api/v1')
    expect(await urlFor({ host: 'localhost:8080' })).toBe('http://localhost:8080/api/v1')
    expect(await urlFor({ host: 'evil"><script>' })).toBe('http://localhost/api/v1')
  })

  test('answers HEAD without a body', async () => {
    const reply = await open({ method: 'HEAD' })
    expect([reply.status, await reply.text()]).toEqual([200, ''])
  })

  test('answers 405 for other methods', async () => {
    const reply = await open({ method: 'POST' })
    expect([reply.status, reply.headers.get('allow')]).toEqual([405, 'GET, HEAD'])
  })

  test('answers 403 for a request that the firewall marks', async () => {
    const reply = await open({ headers: { 'x-amzn-waf-request': 'suspicious' } })
    const text = await reply.text()
    expectEnvelope({ status: reply.status, headers: reply.headers, body: JSON.parse(text), text } as never, 'forbidden')
  })
})
