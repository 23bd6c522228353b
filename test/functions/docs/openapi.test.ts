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
    const { servers, ...rest } = (await reply.json()) as { servers: object[] }
    const { servers: own, ...file } = JSON.parse(textOf('shared/openapi.json'))
    expect(rest).toEqual(file)
    expect(servers).toEqual([{ url: `${api.url}/api/v1`, description: expect.any(String) }, ...own])
  })

  test('names the address of the request as the first server, to each reader its own', async () => {
    const urlFor = async (headers: Record<string, string>) => {
      const { headers: sent, text } = await rawRequest(api.url, {
        method: 'GET',
        path: '/api/v1/openapi.json',
        headers,
      })
      expect(sent.get('vary')).toBe('X-Forwarded-Proto')
      return JSON.parse(text).servers[0].url
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
