import type { IncomingMessage } from 'node:http'
import { describe, expect, test } from 'vitest'
import { gatewayEvent } from '#infra/local/gateway-event.ts'

const event = (url: string, body = '', headers: Record<string, string> = {}) =>
  gatewayEvent({ url, method: 'POST', headers } as IncomingMessage, Buffer.from(body))

describe('gatewayEvent', () => {
  test('returns an event of API Gateway, with the body in base64 and the path without the query', () => {
    const made = event('/api/v1/payments?page=2', '{"a":"ä"}', { 'content-type': 'application/json' })
    expect(made).toEqual({
      httpMethod: 'POST',
      path: '/api/v1/payments',
      headers: { 'content-type': 'application/json' },
      multiValueQueryStringParameters: { page: ['2'] },
      pathParameters: null,
      body: Buffer.from('{"a":"ä"}').toString('base64'),
      isBase64Encoded: true,
      requestContext: { requestId: expect.stringMatching(/^[0-9a-f-]{36}$/), path: '/api/v1/payments' },
    })
  })

  test('sets null for a missing body and a missing query', () => {
    for (const url of ['/a', '/a?'])
      expect(event(url)).toMatchObject({ body: null, isBase64Encoded: false, multiValueQueryStringParameters: null })
  })

  test.each<[string, Record<string, string[]>]>([
    ['/a?x=1&x=2&y=', { x: ['1', '2'], y: [''] }],
    ['/a?x=a+b%2Bc&y=%E3%82%AB', { x: ['a b+c'], y: ['カ'] }],
    ['/a?x=?&y==', { x: ['?'], y: ['='] }],
    ['/a?x', { x: [''] }],
    ['/a?x=%', { x: ['%'] }],
    ['/a?toString=1', { toString: ['1'] }],
  ])('parses the query of %s', (url, parameters) => {
    expect({ ...event(url).multiValueQueryStringParameters }).toEqual(parameters)
  })

  test('has only the parameters that were sent', () => {
    const { multiValueQueryStringParameters } = event('/a?__proto__=1')
    expect(Object.getPrototypeOf(multiValueQueryStringParameters)).toBeNull()
    expect(Object.entries(multiValueQueryStringParameters!)).toEqual([['__proto__', ['1']]])
  })

  test('gives every event its own request id', () => {
    expect(event('/a').requestContext.requestId).not.toBe(event('/a').requestContext.requestId)
  })
})
