import { describe, expect, test } from 'vitest'
import { handler } from '#functions/background/not-found.ts'

const ask = (httpMethod: string, path: string, headers: Record<string, string> = {}) =>
  handler({
    ...{
      httpMethod,
      headers,
      multiValueQueryStringParameters: path.includes('?') ? { locale: [path.slice(-2)] } : null,
    },
    path: path.split('?')[0]!,
    requestContext: { requestId: 'req_1' },
  })

const answer = async (httpMethod: string, path: string) => {
  const { statusCode, headers, body } = await ask(httpMethod, path)
  return { statusCode, headers, error: body && JSON.parse(body).error }
}

describe('the endpoint for unknown paths', () => {
  test('answers an unknown path with 404 for every method', async () => {
    for (const method of ['GET', 'POST', 'OPTIONS', 'HEAD']) {
      expect(await answer(method, '/api/v1/nothing')).toMatchObject({
        statusCode: 404,
        headers: { 'X-Request-Id': 'req_1' },
        error: { code: 'not_found', request_id: 'req_1' },
      })
    }
  })

  test('answers a wrong method with 405 and the allowed methods', async () => {
    for (const method of ['PUT', 'DELETE']) {
      expect(await answer(method, '/api/v1/payments/pay_1')).toMatchObject({
        statusCode: 405,
        headers: { Allow: 'GET, HEAD, PATCH', 'X-Request-Id': 'req_1' },
        error: { code: 'method_not_allowed', request_id: 'req_1' },
      })
    }
  })

  test('answers OPTIONS with 204, and sends CORS headers only for publishable endpoints', async () => {
    const payments = await answer('OPTIONS', '/api/v1/payments')
    expect(payments).toMatchObject({ statusCode: 204, headers: { Allow: 'GET, HEAD, POST' }, error: '' })
    expect(Object.keys(payments.headers).filter((name) => name.startsWith('Access-Control'))).toEqual([])
    expect(await answer('OPTIONS', '/api/v1/tokens')).toMatchObject({
      statusCode: 204,
      headers: { Allow: 'POST', 'Access-Control-Allow-Origin': '*', 'Access-Control-Allow-Methods': 'POST' },
    })
  })

  test("answers an unknown page with a page in the customer's language", async () => {
    for (const [language, locale] of [
      ['en-GB,en;q=0.9', 'en'],
      ['ko', 'ko'],
      ['fr', 'ja'],
    ] as const) {
      const { statusCode, headers, body } = await ask('GET', '/pages/nothing', { 'Accept-Language': language })
      expect([statusCode, headers['Content-Type']]).toEqual([404, 'text/html; charset=utf-8'])
      expect(headers).toMatchObject({
        'X-Request-Id': 'req_1',
        'Content-Security-Policy': expect.stringContaining("default-src 'none'"),
        'X-Frame-Options': 'DENY',
      })
      expect(body).toMatch(new RegExp(`<html[^>]* lang="${locale}"`))
    }
  })

  test('names the methods of a page, and sends no CORS headers for it', async () => {
    const path = '/pages/sessions/mer_1/ses_1'
    const wrong = await ask('PUT', path)
    expect([wrong.statusCode, wrong.headers.Allow]).toEqual([405, 'GET, HEAD, POST'])
    expect(wrong.headers['Content-Type']).toBe('text/html; charset=utf-8')
    const options = await ask('OPTIONS', path)
    expect([options.statusCode, options.headers.Allow]).toEqual([204, 'GET, HEAD, POST'])
    expect(Object.keys(options.headers).filter((name) => name.startsWith('Access-Control'))).toEqual([])
  })
})
