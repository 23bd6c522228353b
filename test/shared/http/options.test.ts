import { describe, expect, test } from 'vitest'
import { optionsAnswer } from '#shared/http/options.ts'

describe('optionsAnswer', () => {
  test('allows browsers the publishable methods of the path only', () => {
    expect(optionsAnswer('/api/v1/tokens', ['POST'], 'r')).toEqual({
      statusCode: 204,
      headers: {
        'X-Request-Id': 'r',
        Allow: 'POST',
        'Access-Control-Allow-Origin': '*',
        'Access-Control-Expose-Headers': 'X-Request-Id, Idempotent-Replayed, Retry-After, X-Service-Ignored-Parameters',
        'Access-Control-Allow-Methods': 'POST',
        'Access-Control-Allow-Headers': 'authorization, content-type, idempotency-key, x-service-scenario, *',
        'Access-Control-Max-Age': '7200',
      },
      body: '',
      isBase64Encoded: false,
    })
    expect(optionsAnswer('/api/v1/tokens', ['GET', 'POST'], 'r').headers).toMatchObject({
      Allow: 'GET, HEAD, POST',
      'Access-Control-Allow-Methods': 'POST',
    })
  })

  test('sends no CORS headers if no method of the path is publishable', () => {
    expect(optionsAnswer('/api/v1/payments', ['GET', 'POST'], 'r')).toEqual({
      statusCode: 204,
      headers: { 'X-Request-Id': 'r', Allow: 'GET, HEAD, POST' },
      body: '',
      isBase64Encoded: false,
    })
  })
})
