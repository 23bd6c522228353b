import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openText } from '#shared/crypto/sealed-text.ts'
import { event_list_types } from '#shared/domain/webhook.ts'
import type { WebhookSecret } from '#shared/domain/webhook-secret.ts'
import { UnitOfWork } from '#shared/store/unit-of-work.ts'
import { CrashPoints } from '#test/faults/crash-points.ts'
import { allKept, eventsOf, itemsOf, refusalIn } from '#test/faults/witness.ts'
import { type Api, openApi } from '#test/fixtures/api.ts'

const points = new CrashPoints()
let api: Api
beforeAll(async () => {
  api = await openApi({ around: points.around })
})
afterAll(() => api.close())

const url = 'https://shop.example.com/hook?shop=1'
const hook = { url, event_list: ['payment.captured', 'customer.created'] }

const create = (json: object, key = api.test.secret_key) => api.request('POST /webhooks', { json, key })

describe('POST /webhooks', () => {
  test('returns the webhook and emits a ping with it', async () => {
    const { status, text, body } = await create({ ...hook, secret_token: 'whsec_canary' })
    expect(status).toBe(200)
    expect(body.id).toMatch(/^whk_[0-9a-z]{26}$/)
    expect(text).toBe(
      JSON.stringify({
        id: body.id,
        resource: 'webhook',
        url,
        active: true,
        event_list: ['payment.captured', 'customer.created'],
        created_at: '2030-01-02T03:00:00Z',
      }),
    )
    expect(await eventsOf(api, body.id)).toMatchObject([{ type: 'ping', resource: 'event', data: body }])
    expect((await api.request('GET /events?type=ping')).body.total).toBe(1)
  })

  test('seals the secret for this webhook only, and never logs it', async () => {
    const secret_token = 'canary of a secret, さくら'
    const { body } = await create({ ...hook, secret_token })
    const item = itemsOf(api, 'webhook').find(({ pk }) => pk.endsWith(body.id))!
    const { sealed, previous } = item.secret as unknown as WebhookSecret
    expect(previous).toBeNull()
    const work = new UnitOfWork({ platform: api.platform, merchant: api.test.id, mode: 'test' })
    expect(await openText(work, 'webhook_secret', body.id, sealed)).toBe(secret_token)
    await expect(openText(work, 'webhook_secret', 'whk_other', sealed)).rejects.toThrow()
    for (const text of [allKept(api), JSON.stringify(api.logs)]) {
      expect(text).not.toContain('canary')
      expect(text).not.toContain(Buffer.from(secret_token).toString('base64').slice(0, 20))
    }
  })

  test.each([
    ['absent', {}],
    ['null', { secret_token: null }],
    ['empty', { secret_token: '' }],
  ])('creates a webhook without a secret if secret_token is %s', async (_, fields) => {
    const { body } = await create({ ...hook, ...fields })
    expect(itemsOf(api, 'webhook').find(({ pk }) => pk.endsWith(body.id))).toMatchObject({ secret: null })
  })

  test('accepts active, and treats null and empty text as absent', async () => {
    for (const [active, expected] of [
      [false, false],
      ['false', false],
      ['1', true],
      [null, true],
      ['', true],
    ])
      expect((await create({ ...hook, active })).body.active).toBe(expected)
  })

  test('accepts every event type and removes duplicates', async () => {
    const all = await create({ url, event_list: event_list_types })
    expect(all.body.event_list).toEqual(event_list_types)
    const twice = await create({ url, event_list: ['ping', 'customer.deleted', 'ping'] })
    expect(twice.body.event_list).toEqual(['ping', 'customer.deleted'])
  })

  test.each<[string, [string, string][]]>([
    [
      'a list',
      [
        ['event_list[]', 'ping'],
        ['event_list[]', 'payment.captured'],
      ],
    ],
    ['commas', [['event_list', 'ping,payment.captured']]],
  ])('accepts a form whose event types are %s', async (_, events) => {
    const { status, body } = await api.request('POST /webhooks', { form: [['url', url], ['active', '0'], ...events] })
    expect([status, body]).toMatchObject([200, { url, active: false, event_list: ['ping', 'payment.captured'] }])
  })

  test('creates one webhook and one ping for an Idempotency-Key, also under concurrent requests', async () => {
    const { secret_key: key } = (await api.newMerchants()).test
    const options = { key, json: { ...hook, secret_token: 's' }, headers: { 'idempotency-key': 'one' } }
    const replies = await Promise.all(Array.from({ length: 5 }, () => api.request('POST /webhooks', options)))
    replies.push(await api.request('POST /webhooks', options))
    expect(new Set(replies.map(({ status, text }) => `${status} ${text}`)).size).toBe(1)
    expect(replies.filter(({ headers }) => headers.get('idempotent-replayed') === 'true')).toHaveLength(5)
    await api.advance(0)
    expect((await api.request('GET /webhooks', { key })).body.total).toBe(1)
    expect((await api.request('GET /events?type=ping', { key })).body.total).toBe(1)
    expect((await api.request('GET /deliveries', { key })).body.total).toBe(1)
    const other = await api.request('POST /webhooks', { ...options, json: { ...hook, secret_token: 'other' } })
    expect(refusalIn(other)).toMatchObject({ status: 422, code: 'idempotency_mismatch' })
  })

  test('refuses more than a hundred webhooks of a merchant', async () => {
    const { secret_key } = (await api.newMerchants()).test
    const json = { url, event_list: ['payout.created'], active: false }
    for (let made = 0; made < 100; made++) expect((await create(json, secret_key)).status).toBe(200)
    expect(refusalIn(await create(json, secret_key))).toEqual({
      status: 422,
      code: 'unprocessable_entity',
      param: null,
    })
    const { body } = await api.request('GET /webhooks', { key: secret_key })
    expect(body.total).toBe(100)
    await api.request(`DELETE /webhooks/${body.data[0].id}`, { key: secret_key })
    expect((await create(json, secret_key)).status).toBe(200)
  })

  describe('under concurrent requests', () => {
    const json = { url, event_list: ['payout.created'], active: false }

    /** The largest number of webhooks that the merchant had after any transaction so far. */
    function largestCountOf(merchant: string): number {
      const ids = new Set<string>()
      let most = 0
      for (const write of points.journal.flat()) {
        const { pk } = 'put' in write ? write.put : 'delete' in write ? write.delete : write.check
        if (!pk.startsWith(`webhook#${merchant}#`)) continue
        if ('put' in write) ids.add(pk)
        if ('delete' in write) ids.delete(pk)
        most = Math.max(most, ids.size)
      }
      return most
    }

    const countOf = (replies: readonly { status: number }[], status: number) =>
      replies.filter((reply) => reply.status === status).length

    const totalOf = async (key: string) => (await api.request('GET /webhooks', { key })).body.total as number

    test('creates a hundred webhooks and refuses the other forty', async () => {
      const { id, secret_key: key } = (await api.newMerchants()).test
      const replies = await Promise.all(Array.from({ length: 140 }, () => create(json, key)))
      expect([countOf(replies, 200), countOf(replies, 422)]).toEqual([100, 40])
      expect([largestCountOf(id), await totalOf(key)]).toEqual([100, 100])
      const made = replies.find(({ status }) => status === 200)!
      expect((await api.request(`DELETE /webhooks/${made.body.id}`, { key })).status).toBe(200)
      expect([(await create(json, key)).status, (await create(json, key)).status]).toEqual([200, 422])
      expect(largestCountOf(id)).toBe(100)
    })

    test('never exceeds the limit beside deletes, and refuses only when the limit was reached', async () => {
      const { id, secret_key: key } = (await api.newMerchants()).test
      const before = await Promise.all(Array.from({ length: 60 }, () => create(json, key)))
      const deletes = before.map(
        ({ body }) =>
          () =>
            api.request(`DELETE /webhooks/${body.id}`, { key }),
      )
      const creates = Array.from({ length: 100 }, () => () => create(json, key))
      const both = creates.flatMap((make, index) => [make, ...deletes.slice(index, index + 1)])
      const replies = await Promise.all(both.map((send) => send()))
      expect(replies.filter(({ status }) => status !== 200 && status !== 422)).toEqual([])
      expect(largestCountOf(id)).toBeLessThanOrEqual(100)
      if (countOf(replies, 422) > 0) expect(largestCountOf(id)).toBe(100)
      // The 200 responses include those of the deletes.
      expect(await totalOf(key)).toBe(60 + countOf(replies, 200) - 2 * deletes.length)
      const more = 100 - (await totalOf(key))
      const rest = await Promise.all(Array.from({ length: more + 5 }, () => create(json, key)))
      expect([countOf(rest, 200), countOf(rest, 422), largestCountOf(id)]).toEqual([more, 5, 100])
    })
  })

  test.each<[string, object, string, string]>([
    ['no URL', { event_list: ['ping'] }, 'missing_parameter', 'url'],
    ['null as URL', { ...hook, url: null }, 'invalid_parameter', 'url'],
    ['an empty URL', { ...hook, url: '' }, 'invalid_parameter', 'url'],
    ['a URL with another scheme', { ...hook, url: 'ftp://shop.example.com' }, 'invalid_parameter', 'url'],
    ['a private address', { ...hook, url: 'https://10.0.0.1/hook' }, 'invalid_parameter', 'url'],
    ['an encoded private address', { ...hook, url: 'http://0xa9fea9fe/latest' }, 'invalid_parameter', 'url'],
    ['no events', { url }, 'missing_parameter', 'event_list'],
    ['null as events', { url, event_list: null }, 'invalid_parameter', 'event_list'],
    ['an empty list', { url, event_list: [] }, 'invalid_parameter', 'event_list'],
    ['an unknown event', { url, event_list: ['ping', 'payment.lost'] }, 'invalid_parameter', 'event_list[1]'],
    ['an invalid active', { ...hook, active: 'maybe' }, 'invalid_parameter', 'active'],
    ['a secret that is not text', { ...hook, secret_token: 7 }, 'invalid_parameter', 'secret_token'],
    ['a long secret', { ...hook, secret_token: 'x'.repeat(256) }, 'invalid_parameter', 'secret_token'],
  ])('refuses %s and stores nothing', async (_, json, code, param) => {
    const before = allKept(api)
    expect(refusalIn(await create(json))).toEqual({ status: 422, code, param })
    expect(allKept(api)).toBe(before)
  })

  test.each([
    ['http://shop.example.com/hook', [200, 422]],
    ['http://127.0.0.1:8080/hook', [200, 422]],
    ['https://localhost/hook', [200, 422]],
    ['https://shop.example.com/hook', [200, 200]],
  ])('answers a webhook for %s in test mode and in live mode with %j', async (to, expected) => {
    const replies = [await create({ ...hook, url: to }), await create({ ...hook, url: to }, api.live.secret_key)]
    expect(replies.map(({ status }) => status)).toEqual(expected)
    for (const refused of replies.filter(({ status }) => status !== 200)) expect(refusalIn(refused).param).toBe('url')
  })
})
