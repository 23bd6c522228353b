import { describe, expect, test } from 'vitest'
import { commentIn, documentedRefusals } from '#infra/openapi/handler-comments.ts'
import { type ErrorCode, Refusal } from '#shared/domain/errors.ts'
import { servedPages, servedRoutes } from '#shared/routes.ts'
import { forgetRefusals, recordRefusal, unseenRefusals } from '#test/fixtures/seen-refusals.ts'
import { textOf } from './source-files.ts'

describe('the doc comment of a handler', () => {
  test.each(servedRoutes())('of $route ends with @refuses and error codes', ({ file }) => {
    expect(documentedRefusals(file)).not.toContain('none')
  })

  test('of a page has no @refuses, because a page shows a problem in words', () => {
    for (const { file } of servedPages()) expect(textOf(`functions/${file}.ts`)).not.toContain('@refuses')
  })
})

const handler = 'export const handler = endpoint('

describe('the codes after @refuses', () => {
  test.each([
    [`/** Shows it. @refuses none */\n${handler}`, null],
    [`/**\n * Shows it.\n * @refuses none\n */\n${handler}`, []],
    [`/**\n * Shows it.\n * @refuses not_found\n */\n${handler}`, ['not_found']],
    [
      `/** Another comment. */\nconst a = 1\n\n/**\n * @refuses conflict,\n *   not_found\n */\n${handler}`,
      ['conflict', 'not_found'],
    ],
    [`/**\n * @refuses not_found\n */\nconst a = 1\n${handler}`, null],
    [`/**\n * Shows it.\n */\n${handler}`, null],
    [`/**\n * @refuses not_found\n * Shows it.\n */\n${handler}`, null],
    [`/**\n * @refuses not_found, conflict\n */\n${handler}`, null],
    [`/**\n * @refuses conflict, conflict\n */\n${handler}`, null],
    [`/**\n * @refuses no_such_code\n */\n${handler}`, null],
    [`/**\n * @refuses conflict not_found\n */\n${handler}`, null],
    [`/**\n * @refuses\n */\n${handler}`, null],
  ])('of %j are %j', (source, codes) => {
    if (codes) expect(commentIn(source).refuses).toEqual(codes)
    else expect(() => commentIn(source)).toThrow('@refuses')
  })
})

test('the summary of a handler is the first sentence of its doc comment', () => {
  const source = `/**\n * Shows it, in full. The rest\n * follows.\n * @refuses none\n */\n${handler}`
  expect(commentIn(source)).toEqual({
    summary: 'Shows it, in full',
    description: 'Shows it, in full. The rest follows.',
    refuses: [],
  })
})

describe('a recorded refusal', () => {
  const refusal = (code: string, param: string | null = null, own: object = {}) => ({
    error: { code, message: new Refusal(code as ErrorCode).message, param, details: null, ...own },
  })

  test.each([
    ['GET', '/api/v1/payments/pay_1', refusal('not_found')],
    ['GET', '/api/v1/payments?per_page=0', refusal('invalid_parameter', 'per_page')],
    ['GET', '/api/v1/payments', refusal('unauthorized')],
    ['GET', '/api/v1/payments?a=1&a[b]=2', refusal('bad_request', 'a')],
    ['POST', '/api/v1/webhooks/whk_1/ping', refusal('invalid_parameter', 'Idempotency-Key')],
    ['POST', '/api/v1/site_information', refusal('invalid_currency', 'site_annual_sales_currency')],
    ['DELETE', '/api/v1/webhooks/whk_1', refusal('conflict')],
    [
      'POST',
      '/api/v1/payments/pay_1/capture',
      refusal('conflict', null, { message: 'Another operation is in flight.' }),
    ],
    ['POST', '/api/v1/webhooks', refusal('forbidden', null, { message: 'The firewall refused.' })],
    ['GET', '/api/v1/nothing', refusal('not_found')],
    ['GET', '/pages/sessions/mer_1/ses_1', refusal('not_found')],
    ['POST', '/_local/clock', refusal('conflict')],
    ['GET', '/api/v1/payments', { data: [] }],
    ['GET', '/api/v1/payments', 'text'],
    ['GET', '/api/v1/payments', null],
  ])('%s %s %j is documented, or is no refusal of an endpoint', (method, path, body) => {
    expect(() => recordRefusal(method, path, body)).not.toThrow()
  })

  test.each([
    ['GET', '/api/v1/payments', refusal('not_found')],
    ['GET', '/api/v1/payments', refusal('conflict')],
    ['DELETE', '/api/v1/webhooks/whk_1', refusal('idempotency_mismatch')],
    ['POST', '/api/v1/webhooks/whk_1/ping', refusal('invalid_parameter', 'url')],
    ['POST', '/api/v1/payments', refusal('forbidden', 'customer')],
    ['POST', '/api/v1/webhooks', refusal('conflict', null, { message: 'Another operation is in flight.' })],
    ['POST', '/api/v1/webhooks', refusal('gateway_timeout', null, { details: { payment: 'pay_1' } })],
    ['GET', '/api/v1/payments', refusal('made_up')],
  ])('%s %s %j is not documented, and fails the test', (method, path, body) => {
    expect(() => recordRefusal(method, path, body)).toThrow(/refused with \w+ .* does not list/)
  })

  test('counts as seen until the next test file', () => {
    forgetRefusals()
    expect(unseenRefusals('GET /events/:id')).toEqual(['not_found'])
    recordRefusal('GET', '/api/v1/events/evt_1', refusal('not_found'))
    expect(unseenRefusals('GET /events/:id')).toEqual([])
    expect(unseenRefusals('GET /files/:id')).toEqual(['not_found'])
    recordRefusal('POST', '/api/v1/sessions/ses_1/cancel', refusal('conflict'))
    expect(unseenRefusals('POST /sessions/:id/cancel')).toContain('conflict')
    forgetRefusals()
    expect(unseenRefusals('GET /events/:id')).toEqual(['not_found'])
  })
})
