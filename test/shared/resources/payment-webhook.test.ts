import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { payment_events } from '#shared/domain/payment.ts'
import { parse } from '#shared/resources/parse.ts'
import { payment_webhooks } from '#shared/resources/payment-webhook.ts'
import { refusalOf } from '#test/fixtures/refusals.ts'

const Request = v.object({ webhooks: payment_webhooks })
const read = (webhooks: unknown) => parse(Request, { webhooks }).webhooks
const refused = (webhooks: unknown) => refusalOf(Request, { webhooks })
const hook = { url: 'https://example.com/hook', events: ['payment.captured'], secret_key: 'secret' }

describe('payment_webhooks', () => {
  test('accept a URL, events, and an optional secret', () => {
    expect(read([hook])).toEqual([hook])
    expect(read([{ ...hook, secret_key: '' }])[0]!.secret_key).toBeUndefined()
    expect(read([{ ...hook, events: [...payment_events] }])[0]!.events).toEqual(payment_events)
  })

  test('keep each event once', () => {
    expect(read([{ ...hook, events: Array(1_000).fill('payment.captured') }])[0]!.events).toEqual(['payment.captured'])
  })

  test('accept ten webhooks at most', () => {
    expect(read(Array(10).fill(hook))).toHaveLength(10)
    expect(refused(Array(11).fill(hook))).toMatchObject({ code: 'invalid_parameter', param: 'webhooks' })
  })

  test.each([
    [{ ...hook, url: undefined }, 'missing_parameter', 'webhooks[1][url]'],
    [{ ...hook, url: 'example.com' }, 'invalid_parameter', 'webhooks[1][url]'],
    [{ ...hook, events: undefined }, 'missing_parameter', 'webhooks[1][events]'],
    [{ ...hook, events: [] }, 'invalid_parameter', 'webhooks[1][events]'],
    [{ ...hook, events: 'payment.captured' }, 'invalid_parameter', 'webhooks[1][events]'],
    [{ ...hook, events: ['payment.captured', 'ping'] }, 'invalid_parameter', 'webhooks[1][events][1]'],
    [{ ...hook, secret_key: 'x'.repeat(256) }, 'invalid_parameter', 'webhooks[1][secret_key]'],
    ['https://example.com/hook', 'invalid_parameter', 'webhooks[1]'],
  ])('refuse %j with %s for %s', (second, code, param) => {
    expect(refused([hook, second])).toMatchObject({ code, param })
  })
})
