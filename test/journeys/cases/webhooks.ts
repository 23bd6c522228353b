import { beforeAll, describe, expect, test } from 'vitest'
import { card, type Service } from '#test/fixtures/api.ts'

/**
 * Journeys of the management of webhooks. Deliveries are tested elsewhere, because they need workers, which some
 * platforms do not have here.
 */
export function webhookJourneys(service: () => Service): void {
  describe('webhooks', () => {
    let key: string
    let live: string
    beforeAll(async () => {
      const merchants = await service().newMerchants()
      key = merchants.test.secret_key
      live = merchants.live.secret_key
    })
    const request: Service['request'] = (route, options) => service().request(route, { key, ...options })
    const hook = { url: 'https://shop.example.com/hook', event_list: ['payment.captured'], secret_token: 's3cret' }
    const typesSeen = async () => {
      const { data } = (await request('GET /events?per_page=100')).body
      return data.map(({ type }: { type: string }) => type)
    }

    test('a webhook is created, shown, changed, rotated, pinged and deleted, and each ping is an event', async () => {
      const made = await request('POST /webhooks', { json: hook })
      const { id, created_at } = made.body
      const shown = { id, resource: 'webhook', url: hook.url, active: true, event_list: hook.event_list, created_at }
      expect([made.status, made.body]).toEqual([200, shown])
      expect((await request(`GET /webhooks/${id}`)).body).toEqual(shown)
      expect((await request('GET /webhooks')).body).toMatchObject({ total: 1, data: [shown] })

      const form = { active: 'false', 'event_list[]': 'customer.created' }
      const changed = { ...shown, active: false, event_list: ['customer.created'] }
      expect((await request(`PATCH /webhooks/${id}`, { form })).body).toEqual(changed)
      const rotation = { secret_token: 'another', grace_seconds: 3_600 }
      expect((await request(`POST /webhooks/${id}/rotate`, { json: rotation })).body).toEqual(changed)
      expect((await request(`POST /webhooks/${id}/ping`)).body).toEqual(changed)
      const since = new Date(service().platform.clock.now() - 60_000).toISOString()
      expect((await request(`POST /webhooks/${id}/recover`, { json: { since } })).status).toBe(422)
      await request(`PATCH /webhooks/${id}`, { json: { active: true } })
      expect((await request(`POST /webhooks/${id}/recover`, { json: { since } })).status).toBe(200)

      const pings = (await request('GET /events?type=ping')).body.data
      expect(pings.map(({ data }: { data: object }) => data)).toEqual([changed, shown])
      expect((await request(`DELETE /webhooks/${id}`)).body).toEqual({ ...changed, active: true })
      expect((await request(`GET /webhooks/${id}`)).status).toBe(404)
      expect((await request('GET /webhooks')).body.total).toBe(0)
      expect(await typesSeen()).toEqual(['ping', 'ping'])
    })

    test('the same Idempotency-Key creates one webhook and one ping', async () => {
      const before = (await typesSeen()).length
      const options = { json: hook, headers: { 'idempotency-key': 'a webhook' } }
      const replies = [await request('POST /webhooks', options), await request('POST /webhooks', options)]
      expect(replies[1]!.text).toBe(replies[0]!.text)
      expect((await request('GET /webhooks')).body.total).toBe(1)
      expect(await typesSeen()).toHaveLength(before + 1)
    })

    test('a secret that begins with whsec_ is accepted and not shown, and refused if the rest is not base64', async () => {
      const [secret_token, unreadable] = ['whsec_b2xkIHNlY3JldA==', 'whsec_*']
      const made = await request('POST /webhooks', { json: { ...hook, secret_token } })
      expect([made.status, made.text.includes('whsec_')]).toEqual([200, false])
      const rotate = (json: object) => request(`POST /webhooks/${made.body.id}/rotate`, { json })
      const rotated = await rotate({ secret_token: 'whsec_bmV3IHNlY3JldCE=' })
      expect([rotated.status, rotated.text.includes('whsec_')]).toEqual([200, false])
      const refused = [
        await request('POST /webhooks', { json: { ...hook, secret_token: unreadable } }),
        await rotate({ secret_token: unreadable }),
      ]
      for (const { status, body } of refused) expect([status, body.error.param]).toEqual([422, 'secret_token'])
    })

    test('webhooks require https in live mode, and are hidden from the other mode and from publishable keys', async () => {
      const { id } = (await request('POST /webhooks', { json: hook })).body
      const refused = await request('POST /webhooks', { key: live, json: { ...hook, url: 'http://shop.example.com' } })
      expect([refused.status, refused.body.error.param]).toEqual([422, 'url'])
      for (const route of [`GET /webhooks/${id}`, `POST /webhooks/${id}/ping`, `DELETE /webhooks/${id}`])
        expect((await request(route, { key: live })).status, route).toBe(404)
      const { publishable_key } = service().test
      expect((await request('GET /webhooks', { key: publishable_key })).status).toBe(403)
      expect((await request(`GET /webhooks/${id}`)).status).toBe(200)
    })

    test('the webhooks of a payment are accepted and not shown', async () => {
      const webhooks = [{ url: hook.url, events: ['payment.captured'], secret_key: 'own s3cret' }]
      const json = { amount: 100, currency: 'JPY', payment_details: card(), webhooks }
      const { status, body, text } = await request('POST /payments', { json })
      expect([status, body.webhooks]).toEqual([200, undefined])
      expect(text).not.toContain('s3cret')
    })
  })
}
