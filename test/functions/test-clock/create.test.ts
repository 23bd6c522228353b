import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { ADVANCE_SECONDS_MAX } from '#shared/domain/test-clock.ts'
import { timestamp } from '#shared/domain/timestamp.ts'
import { CrashPoints } from '#test/faults/crash-points.ts'
import { itemsOf } from '#test/faults/witness.ts'
import { type Api, card, konbini, openApi, START } from '#test/fixtures/api.ts'
import { openReceiver } from '#test/fixtures/receiver.ts'
import { advanceTestClock, openStageApi, reach } from '#test/fixtures/stage-clock.ts'

const DAY = 86_400
const fates = ['fail_before', 'fail_after'] as const
const YEAR = 365 * DAY

const points = new CrashPoints()
let api: Api
beforeEach(async () => {
  points.journal.splice(0)
  api = await openStageApi({ around: points.around })
})
afterEach(async () => {
  points.disarm()
  await api.close()
})

const clock = (json: object, key = api.test.secret_key) => api.request('POST /test_clock', { key, json })
const subscribe = async (key = api.test.secret_key, fields: object = {}) => {
  const customer = await api.request('POST /customers', {
    key,
    json: { payment_details: card(), email: 'a@b.example' },
  })
  const json = { amount: 1000, currency: 'JPY', period: 'monthly', customer: customer.body.id, ...fields }
  return (await api.request('POST /subscriptions', { key, json })).body.id as string
}
const paymentsOf = async (key = api.test.secret_key) =>
  (await api.request('GET /payments?per_page=100', { key })).body.data as { created_at: string; status: string }[]
const captureTimes = async (key = api.test.secret_key) =>
  (await paymentsOf(key)).map(({ created_at }) => created_at).toReversed()
/** The `pk` of every due entry that was written or deleted since the service was opened. */
const listed = () =>
  points.journal
    .flat()
    .map((write) => ('put' in write ? write.put.pk : 'delete' in write ? write.delete.pk : ''))
    .filter((pk) => pk.startsWith('due_entry#'))
/** The first capture and those of the following months. */
const months = (count: number) =>
  Array.from({ length: count }, (_, month) => timestamp(Date.UTC(2030, month, 2, 3, 0, 0)))

describe('POST /test_clock', () => {
  test('captures a subscription on twelve monthly dates, and moves no other merchant', async () => {
    const other = (await api.newMerchants()).test.secret_key
    await subscribe()
    await subscribe(other)
    const { status, body } = await clock({ advance: YEAR })
    expect([status, body]).toEqual([200, { now: timestamp(START + YEAR * 1000) }])
    await reach(api, body.now)
    expect(await captureTimes()).toEqual(months(13))
    expect((await paymentsOf()).every(({ status }) => status === 'captured')).toBe(true)
    expect(await captureTimes(other)).toEqual(months(1))
    expect(Date.parse((await clock({ advance: 0 }, other)).body.now)).toBeLessThan(START + DAY * 1000)
  })

  test('goes on with real time after the advance', async () => {
    await subscribe()
    await advanceTestClock(api, 31 * DAY - 3600)
    expect(await captureTimes()).toHaveLength(1)
    await api.advance(2 * 3600)
    const times = await captureTimes()
    expect(times).toHaveLength(2)
    expect(Date.parse(times[1]!) - Date.parse(months(2)[1]!)).toBeLessThan(60_000)
  })

  test('expires payments, and dates what merchants see by the clock', async () => {
    const json = { amount: 100, currency: 'JPY', payment_details: { ...konbini, expiry_days: 3 } }
    const { id } = (await api.request('POST /payments', { json })).body
    await advanceTestClock(api, 10 * DAY)
    expect((await api.request(`GET /payments/${id}`)).body.status).toBe('expired')
    const customer = await api.request('POST /customers', { json: { payment_details: card(), email: 'a@b.example' } })
    const [event] = (await api.request('GET /events?type=customer.created')).body.data
    expect([customer.status, event.created_at.slice(0, 10)]).toEqual([200, '2030-01-12'])
  })

  test('refuses a second advance with 409 until the first has ended, and shows the time reached', async () => {
    const { body } = await clock({ advance: DAY })
    const second = await clock({ advance: 1 })
    expect([second.status, second.body.error.code]).toEqual([409, 'conflict'])
    expect((await clock({ advance: 0 })).body.now).toBe(timestamp(START))
    await reach(api, body.now)
    expect((await clock({ advance: 1 })).status).toBe(200)
  })

  test('lets only one of two crossing calls advance the clock', async () => {
    const replies = await Promise.all([clock({ advance: DAY }), clock({ advance: DAY })])
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 409])
    await reach(api, timestamp(START + DAY * 1000))
    expect(Date.parse((await clock({ advance: 0 })).body.now)).toBeLessThan(START + DAY * 1000 + 60_000)
  })

  test.each([[-1], [1.5], [ADVANCE_SECONDS_MAX + 1], ['a day'], [''], [null], [{}], [true]])(
    'refuses an advance of %j',
    async (advance) => {
      const { status, body } = await clock({ advance })
      expect([status, body.error.param]).toEqual([422, 'advance'])
    },
  )

  test('refuses a missing advance, and takes a form', async () => {
    expect((await clock({})).body.error).toMatchObject({ code: 'missing_parameter', param: 'advance' })
    const { status, body } = await api.request('POST /test_clock', { form: { advance: `${ADVANCE_SECONDS_MAX}` } })
    expect([status, body.now]).toEqual([200, timestamp(START + ADVANCE_SECONDS_MAX * 1000)])
  })

  test('does not exist for a live key, and refuses a publishable key', async () => {
    for (const json of [{ advance: 1 }, {}])
      expect((await clock(json, api.live.secret_key)).body.error.message).toContain('There is no such endpoint.')
    expect((await clock({ advance: 1 }, api.test.publishable_key)).status).toBe(403)
  })

  test('keeps API keys, idempotency keys and leases on real time', async () => {
    const headers = { 'idempotency-key': 'one' }
    const json = { email: 'a@b.example' }
    const first = await api.request('POST /customers', { json, headers })
    await advanceTestClock(api, YEAR)
    const again = await api.request('POST /customers', { json, headers })
    expect(again.body.id).toBe(first.body.id)
    const [item] = itemsOf(api, 'idempotency')
    expect(item!.ttl! * 1000).toBeLessThan(api.platform.clock.now() + 2 * DAY * 1000)
  })

  test('costs no write in live mode and before the first advance', async () => {
    await subscribe()
    await subscribe(api.live.secret_key)
    await api.advance(60)
    expect(listed()).toEqual([])
    await advanceTestClock(api, DAY)
    expect(listed()).not.toEqual([])
    await subscribe(api.live.secret_key)
    await api.advance(60)
    expect(listed().filter((pk) => pk.includes(api.live.id))).toEqual([])
  })

  test('lists no work before all requests that began earlier have ended', async () => {
    await subscribe()
    await clock({ advance: 62 * DAY })
    await api.advance(60)
    expect(itemsOf(api, 'due_entry').filter(({ kind }) => kind === 'subscription')).toEqual([])
    await subscribe()
    await reach(api, timestamp(START + 62 * DAY * 1000))
    expect(await paymentsOf()).toHaveLength(6)
  })

  test('retries a webhook at the times of the clock', async () => {
    const receiver = await openReceiver()
    try {
      receiver.says = (_, nth) => (nth < 4 ? 500 : 200)
      await api.request('POST /webhooks', { json: { url: receiver.origin, event_list: ['customer.created'] } })
      await advanceTestClock(api, 1)
      await api.request('POST /customers', { json: { email: 'a@b.example' } })
      await advanceTestClock(api, 5 * DAY)
      const [delivery] = (await api.request('GET /deliveries')).body.data
      const { body } = await api.request(`GET /deliveries/${delivery.id}`)
      expect([body.status, body.attempts.length, receiver.received.length]).toEqual(['delivered', 4, 4])
    } finally {
      await receiver.close()
    }
  })

  test('goes on by the sweep after the message of its worker was lost', async () => {
    await subscribe()
    const { body } = await clock({ advance: 62 * DAY })
    for (let lost = 0; lost < 3; ) {
      lost += api.platform.queues.clocks.due(Number.POSITIVE_INFINITY).length
      await api.advance(1)
    }
    expect((await clock({ advance: 1 })).status).toBe(409)
    await reach(api, body.now)
    expect(await captureTimes()).toEqual(months(3))
  })

  test('goes on after a message of its work was lost', async () => {
    await subscribe()
    await advanceTestClock(api, 1)
    const { body } = await clock({ advance: 62 * DAY })
    let lost = 0
    for (let second = 0; second < 30 && lost < 2; second++) {
      lost += api.platform.queues.captures.due(Number.POSITIVE_INFINITY).length
      await api.advance(1)
    }
    await reach(api, body.now)
    expect(await captureTimes()).toEqual(months(3))
  })

  test('loses and doubles nothing when the worker crashes at any write', { timeout: 60_000 }, async () => {
    await subscribe()
    const { body } = await clock({ advance: 62 * DAY })
    for (let at = 1; at <= 6; at++) {
      points.arm((call, operation) => (operation === 'write' && call >= at * 2 ? fates[at % 2]! : 'ok'))
      await api.advance(2).catch(() => undefined)
      points.disarm()
    }
    await api.advance(600)
    await reach(api, body.now)
    expect(await captureTimes()).toEqual(months(3))
    const { data } = (await api.request('GET /events?type=subscription.captured')).body
    expect(data).toHaveLength(3)
  })
})

describe('POST /test_clock on a local run', () => {
  test('moves the clock of the run and responds when the work on the way is done', async () => {
    const local = await openApi()
    try {
      const customer = await local.request('POST /customers', {
        json: { payment_details: card(), email: 'a@b.example' },
      })
      const json = { amount: 1000, currency: 'JPY', period: 'monthly', customer: customer.body.id }
      await local.request('POST /subscriptions', { json })
      const { body } = await local.request('POST /test_clock', { json: { advance: YEAR } })
      expect(body).toEqual({ now: timestamp(START + YEAR * 1000) })
      expect((await local.request('GET /payments?per_page=100')).body.total).toBe(13)
    } finally {
      await local.close()
    }
  })
})
