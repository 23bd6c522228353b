import { describe, expect, test } from 'vitest'
import { handler } from '#functions/background/not-found.ts'

const answer = async (httpMethod: string, path: string) => {
  const { statusCode, headers, body } = await handler({ httpMethod, path, requestContext: { requestId: 'req_1' } })
  return { statusCode, headers, error: body && JSON.parse(body).error }
}

describe('not-found', () => {
  test('answers an unknown path with 404, whatever the method', async () => {
    for (const method of ['GET', 'POST', 'OPTIONS', 'HEAD']) {
      expect(await answer(method, '/api/v1/nothing')).toMatchObject({
        statusCode: 404,
        headers: { 'X-Request-Id': 'req_1' },
        error: { code: 'not_found', request_id: 'req_1' },
      })
    }
  })

  test('answers a wrong method with 405 and the methods that are right', async () => {
    for (const method of ['PUT', 'HEAD']) {
      expect(await answer(method, '/api/v1/payments/pay_1')).toMatchObject({
        statusCode: 405,
        headers: { Allow: 'GET, PATCH', 'X-Request-Id': 'req_1' },
        error: { code: 'method_not_allowed', request_id: 'req_1' },
      })
    }
  })

  test('answers OPTIONS with 204 and lets browsers through to publishable rows alone', async () => {
    const payments = await answer('OPTIONS', '/api/v1/payments')
    expect(payments).toMatchObject({ statusCode: 204, headers: { Allow: 'GET, POST' }, error: '' })
    expect(Object.keys(payments.headers).filter((name) => name.startsWith('Access-Control'))).toEqual([])
    expect(await answer('OPTIONS', '/api/v1/tokens')).toMatchObject({
      statusCode: 204,
      headers: { Allow: 'POST', 'Access-Control-Allow-Origin': '*', 'Access-Control-Allow-Methods': 'POST' },
    })
  })
})
