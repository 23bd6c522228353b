import { describe, expect, test } from 'vitest'
import { type ErrorCode, Refusal } from '#shared/domain/errors.ts'
import { errorAnswer, fromUnknown, okAnswer, statusOf } from '#shared/http/answers.ts'
import { PlatformUnavailable, WriteConflict } from '#shared/platform/ports.ts'

const codes = Object.keys(statusOf) as ErrorCode[]

/** A request to the stage dev. */
const asked = {
  headers: null as never,
  path: '/api/v1/payments',
  requestContext: { requestId: 'r', path: '/dev/api/v1/payments', domainName: 'api.example' },
}

const doc_url = (code: string) => `https://api.example/dev/docs/errors#${code}`

describe('errorAnswer', () => {
  test.each([
    [400, 'bad_request'],
    [401, 'unauthorized'],
    [402, 'card_declined insufficient_funds exceeds_limit bad_verification_value card_expired invalid_number'],
    [402, 'invalid_account restricted_account used_number other_error'],
    [403, 'forbidden'],
    [404, 'not_found'],
    [405, 'method_not_allowed'],
    [409, 'conflict idempotency_in_flight'],
    [413, 'payload_too_large'],
    [415, 'unsupported_media_type'],
    [422, 'missing_parameter invalid_parameter invalid_token invalid_currency invalid_payment_type not_capturable'],
    [422, 'not_refundable not_cancellable unprocessable_entity fraudulent idempotency_mismatch'],
    [429, 'rate_limited'],
    [500, 'internal_server_error'],
    [503, 'service_unavailable'],
    [504, 'gateway_timeout'],
  ])('%i is the status of %s', (status, named) => {
    for (const code of named.split(' ') as ErrorCode[]) {
      expect(errorAnswer(new Refusal(code), asked).statusCode, code).toBe(status)
    }
  })

  test('returns the envelope and nothing else', () => {
    const refusal = new Refusal('card_declined', { param: 'a[b]', details: { payment: 'pay_1' }, message: 'No.' })
    expect(errorAnswer(refusal, asked)).toEqual({
      statusCode: 402,
      headers: {
        'Content-Type': 'application/json; charset=utf-8',
        'Cache-Control': 'no-store',
        'X-Request-Id': 'r',
      },
      body: `{"error":{"code":"card_declined","message":"No.","param":"a[b]","details":{"payment":"pay_1"},"request_id":"r","doc_url":"${doc_url('card_declined')}"}}`,
      isBase64Encoded: false,
    })
  })

  test('has null for absent fields, and a sentence as the message of every code', () => {
    for (const code of codes) {
      expect(JSON.parse(errorAnswer(new Refusal(code), asked).body)).toEqual({
        error: {
          ...{ code, message: expect.stringMatching(/^[A-Z].*\.$/), param: null, details: null },
          ...{ request_id: 'r', doc_url: doc_url(code) },
        },
      })
    }
  })

  test('lists the fault of a 422 that names a parameter', () => {
    const fault = { code: 'invalid_parameter', message: 'No.', param: 'amount' } as const
    const errorOf = (refusal: Refusal) => JSON.parse(errorAnswer(refusal, asked).body).error
    expect(errorOf(new Refusal(fault.code, fault)).details).toEqual({ errors: [fault] })
    expect(errorOf(new Refusal('forbidden', fault)).details).toBeNull()
    expect(errorOf(new Refusal(fault.code, { ...fault, details: { payment: 'pay_1' } })).details).toEqual({
      payment: 'pay_1',
    })
  })

  test('sends WWW-Authenticate with 401 only, and Retry-After with 429 and 503 only', () => {
    for (const code of codes) {
      const { statusCode, headers } = errorAnswer(new Refusal(code), asked)
      expect(/^Basic realm="[^"]+"/.test(headers['WWW-Authenticate'] ?? ''), code).toBe(statusCode === 401)
      expect(Number(headers['Retry-After']) > 0, code).toBe(statusCode === 429 || statusCode === 503)
    }
  })

  test('adds the given headers, which replace those of the code', () => {
    expect(errorAnswer(new Refusal('rate_limited'), asked, { 'Retry-After': '7', Allow: 'GET' }).headers).toMatchObject(
      {
        'Retry-After': '7',
        Allow: 'GET',
        'X-Request-Id': 'r',
      },
    )
  })
})

describe('okAnswer', () => {
  test('returns status 200 and JSON that no cache stores', () => {
    expect(okAnswer({ id: 'é' }, 'req_1')).toEqual({
      statusCode: 200,
      headers: {
        'Content-Type': 'application/json; charset=utf-8',
        'Cache-Control': 'no-store',
        'X-Request-Id': 'req_1',
      },
      body: '{"id":"é"}',
      isBase64Encoded: false,
    })
  })
})

describe('fromUnknown', () => {
  test('returns a refusal unchanged', () => {
    const refusal = new Refusal('not_found')
    expect(fromUnknown(refusal)).toBe(refusal)
  })

  test.each([
    [new PlatformUnavailable('throttled: 4111111111111111'), 'service_unavailable'],
    [new WriteConflict([0]), 'conflict'],
    [new TypeError('4111111111111111'), 'internal_server_error'],
    ['4111111111111111', 'internal_server_error'],
    [undefined, 'internal_server_error'],
  ])('turns %s into a refusal that contains nothing but the code', (error, code) => {
    const refusal = fromUnknown(error)
    expect(refusal).toEqual(new Refusal(code as ErrorCode))
    expect(errorAnswer(refusal, asked).body).not.toContain('4111')
  })
})
