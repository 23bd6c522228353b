import { describe, expect, test } from 'vitest'
import { baseUrl, isFromOurPages } from '#shared/http/base-url.ts'

describe('baseUrl', () => {
  const of = (headers: Record<string, string>, path: string, whole?: string) =>
    baseUrl({ headers, path, requestContext: { path: whole } })

  test.each([
    [{ Host: 'api.example', 'X-Forwarded-Proto': 'https' }, '/pages/x', '/pages/x', 'https://api.example'],
    [{ Host: 'api.example', 'X-Forwarded-Proto': 'https' }, '/pages/x', '/prod/pages/x', 'https://api.example/prod'],
    [{ host: 'api.example', 'x-forwarded-proto': 'javascript' }, '/pages/x', undefined, 'http://api.example'],
    [{ host: 'localhost:3000' }, '/', '/', 'http://localhost:3000'],
    [{}, '/pages/x', '/pages/x', 'http://localhost'],
    [{ host: 'evil"><script>' }, '/', '/', 'http://localhost'],
    [{ host: 'evil.example/x?' }, '/', '/', 'http://localhost'],
    [{ host: '[::1]:3000' }, '/', '/', 'http://[::1]:3000'],
    [{ host: '[1:2]' }, '/', '/', 'http://localhost'],
    [{ host: '999.999.999.999' }, '/', '/', 'http://localhost'],
    [{ host: 'localhost:99999' }, '/', '/', 'http://localhost'],
    [{ host: `${'a'.repeat(253)}:3000` }, '/', '/', `http://${'a'.repeat(253)}:3000`],
    [{ host: 'a'.repeat(254) }, '/', '/', 'http://localhost'],
  ])('for %j, %s and %s is %s', (headers, path, whole, url) => {
    expect(of(headers, path, whole)).toBe(url)
  })
})

test('baseUrl and isFromOurPages prefer the host name of the gateway to every header', () => {
  const headers = { Host: 'evil.example', 'X-Forwarded-Proto': 'http', Origin: 'http://evil.example' }
  const requestContext = { path: '/prod/pages/x', domainName: 'abc.execute-api.example' }
  expect(baseUrl({ headers, path: '/pages/x', requestContext })).toBe('https://abc.execute-api.example/prod')
  expect(isFromOurPages({ headers, requestContext })).toBe(false)
  expect(isFromOurPages({ headers: { origin: 'https://abc.execute-api.example' }, requestContext })).toBe(true)
})

describe('isFromOurPages', () => {
  test.each([
    [{ host: 'localhost:3000', origin: 'http://localhost:3000' }, true],
    [{ host: 'localhost:3000', origin: 'http://localhost:3001' }, false],
    [{ host: 'a.example', 'x-forwarded-proto': 'https', origin: 'https://a.example' }, true],
    [{ host: 'a.example', 'x-forwarded-proto': 'https', origin: 'http://a.example' }, false],
    [{ host: 'a.example', 'sec-fetch-site': 'same-origin' }, true],
    [{ host: 'a.example', 'sec-fetch-site': 'same-site' }, false],
    [{ host: 'a.example' }, false],
  ])('for %j is %s', (headers, ours) => {
    expect(isFromOurPages({ headers: headers as Record<string, string>, requestContext: {} })).toBe(ours)
  })
})
