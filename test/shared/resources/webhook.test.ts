import { describe, expect, test } from 'vitest'
import { event_list_types } from '#shared/domain/webhook.ts'
import { parse } from '#shared/resources/parse.ts'
import {
  CreateWebhook,
  ListWebhooks,
  RecoverWebhook,
  RotateSecret,
  UpdateWebhook,
  webhook,
} from '#shared/resources/webhook.ts'
import { refusalOf } from '#test/fixtures/refusals.ts'

const url = 'https://shop.example.com/hook'
const hook = { url, event_list: ['payment.captured'] }

describe('CreateWebhook', () => {
  test('requires a URL and events, is active by default, and accepts a secret', () => {
    expect(parse(CreateWebhook, hook)).toStrictEqual({ ...hook, active: true })
    const whole = { ...hook, active: false, secret_token: 'whsec_MQ==' }
    expect(parse(CreateWebhook, whole)).toStrictEqual(whole)
  })

  test.each([null, ''])('treats %j of an optional parameter as absent', (blank) => {
    const { active, secret_token } = parse(CreateWebhook, { ...hook, active: blank, secret_token: blank })
    expect([active, secret_token]).toEqual([true, undefined])
  })

  test('accepts every event type and payout.created, and keeps each once in the order of the request', () => {
    expect(event_list_types).toEqual([
      'ping',
      'payment.authorized',
      'payment.captured',
      'payment.updated',
      'payment.expired',
      'payment.cancelled',
      'payment.refund.created',
      'payment.refunded',
      'payment.failed',
      'payment.marked.as.fraud',
      'customer.created',
      'customer.updated',
      'customer.deleted',
      'subscription.created',
      'subscription.captured',
      'subscription.failed',
      'subscription.suspended',
      'subscription.deleted',
      'settlement.created',
      'payout.created',
    ])
    expect(parse(CreateWebhook, { url, event_list: [...event_list_types] }).event_list).toEqual(event_list_types)
    const twice = ['ping', 'customer.created', 'ping']
    expect(parse(CreateWebhook, { url, event_list: twice }).event_list).toEqual(['ping', 'customer.created'])
    expect(parse(CreateWebhook, { url, event_list: 'ping, customer.created' }).event_list).toEqual(twice.slice(0, 2))
  })

  test.each<[object, string, string]>([
    [{ url: undefined }, 'missing_parameter', 'url'],
    [{ url: null }, 'invalid_parameter', 'url'],
    [{ url: '' }, 'invalid_parameter', 'url'],
    [{ url: 5 }, 'invalid_parameter', 'url'],
    [{ url: ['https://a.example'] }, 'invalid_parameter', 'url'],
    [{ url: 'shop.example.com' }, 'invalid_parameter', 'url'],
    [{ url: 'ftp://shop.example.com' }, 'invalid_parameter', 'url'],
    [{ url: `https://a.example/${'x'.repeat(2_048)}` }, 'invalid_parameter', 'url'],
    [{ event_list: undefined }, 'missing_parameter', 'event_list'],
    [{ event_list: null }, 'invalid_parameter', 'event_list'],
    [{ event_list: [] }, 'invalid_parameter', 'event_list'],
    [{ event_list: {} }, 'invalid_parameter', 'event_list'],
    [{ event_list: 7 }, 'invalid_parameter', 'event_list'],
    [{ event_list: '' }, 'invalid_parameter', 'event_list[0]'],
    [{ event_list: ['ping', 'payment.lost'] }, 'invalid_parameter', 'event_list[1]'],
    [{ event_list: ['ping', null] }, 'invalid_parameter', 'event_list[1]'],
    [{ event_list: ['*'] }, 'invalid_parameter', 'event_list[0]'],
    [{ active: 'perhaps' }, 'invalid_parameter', 'active'],
    [{ active: 2 }, 'invalid_parameter', 'active'],
    [{ secret_token: 5 }, 'invalid_parameter', 'secret_token'],
    [{ secret_token: ['a'] }, 'invalid_parameter', 'secret_token'],
    [{ secret_token: 'x'.repeat(256) }, 'invalid_parameter', 'secret_token'],
  ])('refuses %j with %s for %s', (fields, code, param) => {
    expect(refusalOf(CreateWebhook, { ...hook, ...fields })).toMatchObject({ code, param })
  })
})

describe('UpdateWebhook', () => {
  test('changes only the given fields', () => {
    expect(parse(UpdateWebhook, {})).toStrictEqual({})
    expect(parse(UpdateWebhook, { active: 'false' })).toStrictEqual({ active: false })
    expect(parse(UpdateWebhook, { event_list: 'ping' })).toStrictEqual({ event_list: ['ping'] })
  })

  test.each([null, ''])('removes the secret with %j, and refuses that value for any other field', (blank) => {
    expect(parse(UpdateWebhook, { secret_token: blank })).toStrictEqual({ secret_token: null })
    for (const [name, param] of [
      ['url', 'url'],
      ['event_list', blank === null ? 'event_list' : 'event_list[0]'],
      ['active', 'active'],
    ])
      expect(refusalOf(UpdateWebhook, { [name!]: blank })).toMatchObject({ code: 'invalid_parameter', param })
  })
})

describe('RotateSecret', () => {
  test('requires the new secret, and keeps the previous one for a day or for the given time', () => {
    expect(parse(RotateSecret, { secret_token: 'b' })).toStrictEqual({ secret_token: 'b', grace_seconds: 86_400 })
    expect(parse(RotateSecret, { secret_token: 'b', grace_seconds: '0' }).grace_seconds).toBe(0)
    expect(parse(RotateSecret, { secret_token: 'b', grace_seconds: 2_592_000 }).grace_seconds).toBe(2_592_000)
  })

  test.each<[object, string, string]>([
    [{}, 'missing_parameter', 'secret_token'],
    [{ secret_token: null }, 'invalid_parameter', 'secret_token'],
    [{ secret_token: '' }, 'invalid_parameter', 'secret_token'],
    [{ secret_token: 'x'.repeat(256) }, 'invalid_parameter', 'secret_token'],
    [{ secret_token: 'b', grace_seconds: -1 }, 'invalid_parameter', 'grace_seconds'],
    [{ secret_token: 'b', grace_seconds: 2_592_001 }, 'invalid_parameter', 'grace_seconds'],
    [{ secret_token: 'b', grace_seconds: 0.5 }, 'invalid_parameter', 'grace_seconds'],
    [{ secret_token: 'b', grace_seconds: 'a day' }, 'invalid_parameter', 'grace_seconds'],
  ])('refuses %j with %s for %s', (fields, code, param) => {
    expect(refusalOf(RotateSecret, fields)).toMatchObject({ code, param })
  })
})

describe('RecoverWebhook', () => {
  test('requires a time', () => {
    expect(parse(RecoverWebhook, { since: '2030-01-02T03:00:00+09:00' })).toEqual({ since: Date.UTC(2030, 0, 1, 18) })
    expect(refusalOf(RecoverWebhook, {})).toMatchObject({ code: 'missing_parameter', param: 'since' })
    for (const since of [null, '', 'yesterday', 5, '2030-02-30', ['2030-01-02T03:00:00Z']])
      expect(refusalOf(RecoverWebhook, { since })).toMatchObject({ code: 'invalid_parameter', param: 'since' })
  })
})

test('ListWebhooks accepts a page and times', () => {
  expect(parse(ListWebhooks, { page: '2', end_time: '2030-01-01' })).toEqual({
    page: 2,
    per_page: 10,
    end_time: Date.UTC(2030, 0, 1),
  })
})

test('webhook returns the fields of the API reference in its order, and nothing of its secret', () => {
  const record = {
    id: 'whk_1',
    version: 3,
    url,
    active: true,
    event_list: ['ping'],
    secret: { sealed: 'sealed', previous: { sealed: 'before', until: '2030-01-02T00:00:00Z' } },
    recovery: { since: '2030-01-01T00:00:00Z', next: null, due_at: '2030-01-01T00:00:00Z' },
    created_at: '2030-01-01T00:00:00Z',
  } as const
  expect(Object.entries(webhook(record))).toEqual([
    ['id', 'whk_1'],
    ['resource', 'webhook'],
    ['url', url],
    ['active', true],
    ['event_list', ['ping']],
    ['created_at', '2030-01-01T00:00:00Z'],
  ])
})
