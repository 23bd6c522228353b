import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { itemsOf, refusalIn } from '#test/faults/witness.ts'
import { type Api, card, openApi, START } from '#test/fixtures/api.ts'
import { openReceiver, type Receiver } from '#test/fixtures/receiver.ts'

let api: Api
let receiver: Receiver
beforeEach(async () => {
  api = await openApi()
  receiver = await openReceiver(() => api.platform.clock.now())
})
afterEach(async () => {
  await api.close()
  await receiver.close()
})

/** Creates a webhook and delivers its ping, a second before anything else happens. */
const make = async (path = '/hook', fields: object = {}) => {
  const json = { url: receiver.origin + path, event_list: ['customer.created'], ...fields }
  const { body } = await api.request('POST /webhooks', { json })
  await api.advance(1)
  receiver.received.splice(0)
  return body
}
const emitEvent = async () => {
  expect((await api.request('POST /customers', { json: { payment_details: card() } })).status).toBe(200)
}
/** Makes the pending deliveries of a webhook fail for good. */
const giveUp = async (id: string) => {
  await api.request(`PATCH /webhooks/${id}`, { json: { active: false } })
  await api.advance(300)
  await api.request(`PATCH /webhooks/${id}`, { json: { active: true } })
}
const recover = (id: string, json: object) => api.request(`POST /webhooks/${id}/recover`, { json })
const listed = async (query: string) => (await api.request(`GET /deliveries?per_page=100&${query}`)).body
const at = (seconds: number) => new Date(START + seconds * 1000).toISOString()
/** Takes the ids of the deliveries that arrived since the last call, without duplicates, in order of arrival. */
const takeArrived = () => [
  ...new Set(receiver.received.splice(0).map(({ headers }) => String(headers['x-service-id']))),
]

describe('POST /webhooks/:id/recover', () => {
  test('returns the webhook, and delivers failed and retried deliveries again, but no delivered ones', async () => {
    const made = await make()
    receiver.says = () => 500
    await emitEvent()
    await api.advance(1)
    await giveUp(made.id)
    await emitEvent()
    await api.advance(600)
    receiver.says = () => 200
    await emitEvent()
    await api.advance(0)
    const [delivered, retried, failed] = (await listed(`webhook=${made.id}`)).data
    expect([failed.status, retried.status, delivered.status]).toEqual(['failed', 'pending', 'delivered'])
    takeArrived()

    const { status, body } = await recover(made.id, { since: at(0) })
    expect([status, body]).toEqual([200, made])
    await api.advance(0)
    expect(takeArrived().sort()).toEqual([failed.id, retried.id])
    for (const before of [failed, retried]) {
      const { body: after } = await api.request(`GET /deliveries/${before.id}`)
      expect(after).toMatchObject({ status: 'delivered', next_attempt_at: null })
      expect(after.attempts).toHaveLength(before.attempts.length + 1)
      expect(after.attempts.slice(0, -1)).toEqual(before.attempts)
    }
    expect((await api.request(`GET /deliveries/${delivered.id}`)).body).toEqual(delivered)
  })

  test('selects deliveries by the time of their last attempt', async () => {
    const { id } = await make()
    receiver.says = () => 500
    await emitEvent()
    await api.advance(1)
    await giveUp(id)
    const old = (await listed(`webhook=${id}&status=failed`)).data[0]
    expect(old.attempts.at(-1)).toMatchObject({ attempted_at: '2030-01-02T03:00:05Z', error: 'webhook_inactive' })
    receiver.says = () => 200
    takeArrived()
    await recover(id, { since: at(6) })
    await api.advance(0)
    expect(takeArrived()).toEqual([])
    await recover(id, { since: at(5) })
    await api.advance(0)
    expect(takeArrived()).toEqual([old.id])
  })

  test('starts the retry schedule again, with the first retry after four seconds', async () => {
    const { id } = await make()
    receiver.says = () => 500
    await emitEvent()
    await api.advance(3_600)
    receiver.received.splice(0)
    const since = api.platform.clock.now()
    await recover(id, { since: at(0) })
    await api.advance(60)
    expect(receiver.received.map((request) => (request.at - since) / 1000)).toEqual([0, 4, 49])
  })

  test('delivers nothing to other webhooks', async () => {
    const [one, other] = [await make('/one'), await make('/other')]
    receiver.says = () => 500
    await emitEvent()
    await api.advance(0)
    receiver.received.splice(0)
    receiver.says = () => 200
    await recover(one.id, { since: at(0) })
    await api.advance(0)
    expect(receiver.received.map(({ path }) => path)).toEqual(['/one'])
    expect((await listed(`webhook=${other.id}&status=pending`)).total).toBe(1)
  })

  test('delivers each of hundreds of deliveries once, the oldest first', async () => {
    const { id } = await make()
    receiver.says = () => 500
    for (let made = 0; made < 253; made++) await emitEvent()
    await api.advance(0)
    expect((await listed(`webhook=${id}&status=pending`)).total).toBe(253)
    receiver.says = () => 200
    takeArrived()
    await recover(id, { since: at(0) })
    await api.advance(0)
    expect(receiver.received).toHaveLength(253)
    const ids = takeArrived()
    expect(ids).toHaveLength(253)
    // A batch of a hundred is delivered concurrently, in any order.
    for (const [place, each] of ids.toSorted().entries())
      expect(Math.abs(ids.indexOf(each) - place), 'distance from its place in order').toBeLessThan(100)
    expect((await listed(`webhook=${id}&status=delivered`)).total).toBe(254)
    expect(itemsOf(api, 'webhook')).toMatchObject([{ recovery: null }])
  })

  test('delivers everything of a first recovery if a second one starts before it ends', async () => {
    const { id } = await make()
    receiver.says = () => 500
    await emitEvent()
    await api.advance(1)
    await giveUp(id)
    await emitEvent()
    await api.advance(100)
    const [late, early] = (await listed(`webhook=${id}`)).data
    expect([early.status, late.status]).toEqual(['failed', 'pending'])
    receiver.says = () => 200
    takeArrived()
    await recover(id, { since: at(0) })
    await recover(id, { since: at(301) })
    await api.advance(0)
    expect(takeArrived()).toEqual([early.id, late.id])
  })

  test('delivers nothing if nothing failed, also when it is repeated and with an Idempotency-Key', async () => {
    const { id } = await make()
    await api.advance(0)
    takeArrived()
    const options = { json: { since: at(0) }, headers: { 'idempotency-key': 'a recovery' } }
    for (let time = 0; time < 2; time++)
      expect((await api.request(`POST /webhooks/${id}/recover`, options)).status).toBe(200)
    expect((await recover(id, { since: at(0) })).status).toBe(200)
    await api.advance(60)
    expect(takeArrived()).toEqual([])
    expect(itemsOf(api, 'webhook')).toMatchObject([{ recovery: null }])
  })

  test('accepts a time with any UTC offset, and a form', async () => {
    const { id } = await make()
    for (const since of ['2030-01-02T12:00:00+09:00', '2030-01-02', '1969-12-31T00:00:00Z'])
      expect((await api.request(`POST /webhooks/${id}/recover`, { form: { since } })).status).toBe(200)
  })

  test.each<[object, string]>([
    [{}, 'missing_parameter'],
    [{ since: null }, 'invalid_parameter'],
    [{ since: '' }, 'invalid_parameter'],
    [{ since: 'yesterday' }, 'invalid_parameter'],
    [{ since: 1_893_553_200 }, 'invalid_parameter'],
    [{ since: '2029-02-29T00:00:00Z' }, 'invalid_parameter'],
    [{ since: '2030-01-02T03:00:02Z' }, 'invalid_parameter'],
    [{ since: '2030-01-02T12:00:00+08:59' }, 'invalid_parameter'],
  ])('refuses %j with %s of since', async (json, code) => {
    const { id } = await make()
    expect(refusalIn(await recover(id, json))).toEqual({ status: 422, code, param: 'since' })
    expect(refusalIn(await recover('whk_1', json)).status, 'the body is checked first').toBe(422)
    expect(itemsOf(api, 'webhook')).toMatchObject([{ recovery: null }])
  })

  test('refuses an inactive webhook', async () => {
    const { id } = await make('/hook', { active: false })
    expect(refusalIn(await recover(id, { since: at(0) }))).toEqual({
      status: 422,
      code: 'unprocessable_entity',
      param: null,
    })
  })

  test('answers 404 for an unknown id and for a webhook of another mode', async () => {
    const { id } = await make()
    for (const reply of [
      await recover('whk_1', { since: at(0) }),
      await api.request(`POST /webhooks/${id}/recover`, { json: { since: at(0) }, key: api.live.secret_key }),
    ])
      expect(refusalIn(reply)).toEqual({ status: 404, code: 'not_found', param: null })
  })
})
