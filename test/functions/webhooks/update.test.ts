import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { allKept, eventsOf, itemsOf, refusalIn } from '#test/faults/witness.ts'
import { type Api, openApi } from '#test/fixtures/api.ts'

let api: Api
beforeAll(async () => {
  api = await openApi()
})
afterAll(() => api.close())

const url = 'https://shop.example.com/hook'

const make = async (fields: object = {}) =>
  (await api.request('POST /webhooks', { json: { url, event_list: ['payment.captured'], ...fields } })).body

const patch = (id: string, json: object) => api.request(`PATCH /webhooks/${id}`, { json })

const secretOf = (id: string) => itemsOf(api, 'webhook').find(({ pk }) => pk.endsWith(id))!.secret

describe('PATCH /webhooks/:id', () => {
  test('changes the fields of the request, keeps the others, and sends no ping', async () => {
    const before = await make({ secret_token: 's' })
    await api.advance(60)
    const changes = { url: 'http://shop.example.com/other', event_list: ['ping', 'customer.created'], active: false }
    const { status, text } = await patch(before.id, changes)
    expect(status).toBe(200)
    const { id, resource, created_at } = before
    expect(text).toBe(
      JSON.stringify({ id, resource, url: changes.url, active: false, event_list: changes.event_list, created_at }),
    )
    expect((await api.request(`GET /webhooks/${id}`)).text).toBe(text)
    expect(await eventsOf(api, id)).toHaveLength(1)
  })

  test.each<[object, object]>([
    [{}, {}],
    [{ active: 'false' }, { active: false }],
    [{ url: 'https://other.example' }, { url: 'https://other.example' }],
    [{ event_list: 'ping,payout.created' }, { event_list: ['ping', 'payout.created'] }],
    [{ id: 'whk_2', created_at: 'x', secret: null, recovery: 1, unknown: 1 }, {}],
  ])('applies the update %j', async (json, expected) => {
    const before = await make()
    const { status, body } = await patch(before.id, json)
    expect([status, body]).toEqual([200, { ...before, ...expected }])
  })

  test('replaces the secret at once, removes it if it is null or empty, and keeps it if it is absent', async () => {
    const { id } = await make({ secret_token: 'first' })
    const first = secretOf(id)
    await patch(id, { active: true })
    expect(secretOf(id)).toEqual(first)
    await api.request(`POST /webhooks/${id}/rotate`, { json: { secret_token: 'second' } })
    await patch(id, { secret_token: 'canary of a third' })
    expect(secretOf(id)).toMatchObject({ previous: null })
    expect(secretOf(id)).not.toEqual(first)
    expect(allKept(api)).not.toContain('canary')
    await patch(id, { secret_token: null })
    expect(secretOf(id)).toBeNull()
    await patch(id, { secret_token: 'fourth' })
    expect(secretOf(id)).not.toBeNull()
    await api.request(`PATCH /webhooks/${id}`, { form: { secret_token: '' } })
    expect(secretOf(id)).toBeNull()
  })

  test('accepts a form', async () => {
    const { id } = await make()
    const form = [
      ['active', 'False'],
      ['event_list[0]', 'ping'],
      ['event_list[1]', 'payment.refunded'],
    ] as const
    const { body } = await api.request(`PATCH /webhooks/${id}`, { form })
    expect(body).toMatchObject({ url, active: false, event_list: ['ping', 'payment.refunded'] })
  })

  test('applies both of two concurrent updates', async () => {
    const { id } = await make()
    const replies = await Promise.all([patch(id, { active: false }), patch(id, { event_list: ['ping'] })])
    expect(replies.map(({ status }) => status)).toEqual([200, 200])
    expect((await api.request(`GET /webhooks/${id}`)).body).toMatchObject({ active: false, event_list: ['ping'] })
  })

  test.each<[object, string]>([
    [{ url: null }, 'url'],
    [{ url: '' }, 'url'],
    [{ url: 'shop.example.com' }, 'url'],
    [{ url: 'http://169.254.169.254/latest' }, 'url'],
    [{ event_list: null }, 'event_list'],
    [{ event_list: [] }, 'event_list'],
    [{ event_list: ['payment.captured', 'charge.succeeded'] }, 'event_list[1]'],
    [{ active: null }, 'active'],
    [{ active: 'maybe' }, 'active'],
    [{ secret_token: {} }, 'secret_token'],
    [{ secret_token: 'x'.repeat(256) }, 'secret_token'],
  ])('refuses %j and changes nothing', async (json, param) => {
    const { id } = await make()
    const before = allKept(api)
    expect(refusalIn(await patch(id, json))).toEqual({ status: 422, code: 'invalid_parameter', param })
    expect(refusalIn(await patch('whk_1', json)).status, 'the body is checked first').toBe(422)
    expect(allKept(api)).toBe(before)
  })

  test('requires https and a public address in live mode', async () => {
    const key = api.live.secret_key
    const json = { url, event_list: ['ping'] }
    const { id } = (await api.request('POST /webhooks', { key, json })).body
    for (const [to, status] of [
      ['http://shop.example.com', 422],
      ['https://127.0.0.1', 422],
      ['https://other.example', 200],
    ] as const)
      expect((await api.request(`PATCH /webhooks/${id}`, { key, json: { url: to } })).status).toBe(status)
  })

  test('answers 404 for an unknown id and for a webhook of another mode', async () => {
    const { id } = await make()
    for (const reply of [
      await patch('whk_1', {}),
      await api.request(`PATCH /webhooks/${id}`, { key: api.live.secret_key, json: { active: false } }),
    ])
      expect(refusalIn(reply)).toEqual({ status: 404, code: 'not_found', param: null })
    expect((await api.request(`GET /webhooks/${id}`)).body.active).toBe(true)
  })
})
