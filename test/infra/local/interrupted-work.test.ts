import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { resumeInterruptedWork } from '#infra/local/interrupted-work.ts'
import { openLocalPlatform } from '#infra/local/local-platform.ts'
import { invoker } from '#infra/local/server.ts'
import { Workers } from '#infra/local/workers.ts'
import type { Item } from '#shared/platform/ports.ts'
import { CrashPoints, failingAt } from '#test/faults/crash-points.ts'
import { itemsOf, ledgerOf, refusalIn } from '#test/faults/witness.ts'
import { type Api, card, openApi } from '#test/fixtures/api.ts'
import { startLocally } from '#test/fixtures/local-run.ts'
import { type Arrival, openReceivers, type Receivers } from '#test/fixtures/receivers.ts'
import { turningUntil } from '#test/fixtures/turning-until.ts'

const order = { amount: 1000, currency: 'JPY', payment_details: card() }

describe('resumeInterruptedWork', () => {
  const crash = new CrashPoints()
  let api: Api
  beforeAll(async () => {
    api = await openApi({ around: crash.around })
  })
  afterEach(() => crash.disarm())
  afterAll(() => api.close())

  const pay = (key: string) => api.request('POST /payments', { json: order, headers: { 'idempotency-key': key } })

  /** Pays while every call of the platform fails from the `n`th on, as in a process that is killed there. */
  async function payAndCrash(key: string, n: number): Promise<boolean> {
    crash.arm(failingAt(n, 'fail_before', { is_killed: true }))
    const { status } = await pay(key)
    crash.disarm()
    return status === 200
  }

  const leasedKeys = () =>
    itemsOf(api, 'idempotency').filter(({ lease_until }) => Number(lease_until) > api.platform.clock.now()).length

  test('lets the next request with the key continue, and the acquirer charges once, at every crash point', async () => {
    let leased = 0
    for (let n = 1; !(await payAndCrash(`crash ${n}`, n)); n++) {
      const key = `crash ${n}`
      if (leasedKeys() > 0) {
        leased += 1
        expect(refusalIn(await pay(key))).toMatchObject({ status: 409, code: 'idempotency_in_flight' })
      }
      await resumeInterruptedWork(api.platform)
      expect(leasedKeys()).toBe(0)
      const { status, body } = await pay(key)
      expect([n, status, body.status]).toEqual([n, 200, 'captured'])
      expect(ledgerOf(api, body.id)).toEqual([{ operation: 'charge', amount: 1000, result: 'captured' }])
      expect((await pay(key)).body).toEqual(body)
    }
    expect(leased).toBeGreaterThan(1)
  })

  test('keeps stored responses', async () => {
    const { body } = await pay('answered')
    const before = itemsOf(api, 'idempotency')
    await resumeInterruptedWork(api.platform)
    expect(itemsOf(api, 'idempotency')).toEqual(before)
    expect((await pay('answered')).body).toEqual(body)
  })
})

describe('resumeInterruptedWork for events', () => {
  const crash = new CrashPoints()
  let api: Api
  let receivers: Receivers
  let arrivals: Arrival[]
  beforeEach(async () => {
    arrivals = []
    receivers = await openReceivers(['broken'], (arrival) => arrivals.push(arrival))
    api = await openApi({ around: crash.around })
    await api.request('POST /webhooks', { json: { url: receivers.urls[0], event_list: ['customer.created'] } })
    await api.request('POST /customers', { json: { email: 'a@example.com' } })
  })
  afterEach(async () => {
    crash.disarm()
    await api.close()
    await receivers.close()
  })

  const deliveryNow = async () => (await api.request('GET /deliveries')).body.data[0]

  /** Does all work that is due now, as a process that has just started. */
  async function startAgain(): Promise<void> {
    const workers = new Workers(api.platform, invoker(api.platform))
    await workers.forgetCursors()
    await resumeInterruptedWork(api.platform)
    await workers.advanceTo(api.platform.clock.now())
  }

  test('attempts a delivery at once whose attempt was interrupted', async () => {
    crash.arm((_n, operation) => (arrivals.length > 0 && operation === 'write' ? 'fail_before' : 'ok'))
    // The worker repeats its record for 20 s.
    await turningUntil(api.platform.clock, api.advance(0))
    crash.disarm()
    expect(arrivals).toHaveLength(1)
    expect(await deliveryNow()).toMatchObject({ status: 'pending' })
    receivers.become('well', 'broken')
    await startAgain()
    expect(arrivals).toHaveLength(2)
    expect(await deliveryNow()).toMatchObject({ status: 'delivered' })
  })

  test('creates the deliveries of an event at once whose fan-out was interrupted', async () => {
    while (!api.platform.stream.isEmpty) api.platform.stream.take()
    receivers.become('well', 'broken')
    await startAgain()
    expect(arrivals).toHaveLength(1)
  })

  test('leaves a delivery that waits for a retry as it is', async () => {
    await api.advance(0)
    const before = await deliveryNow()
    expect(before).toMatchObject({ status: 'pending', next_attempt_at: '2030-01-02T03:00:04Z' })
    await startAgain()
    expect([await deliveryNow(), arrivals.length]).toEqual([before, 1])
  })
})

describe('a local run that is started after kill -9', () => {
  let data_dir: string
  beforeAll(() => {
    data_dir = mkdtempSync(join(tmpdir(), 'interrupted-'))
  })
  afterAll(() => rmSync(data_dir, { recursive: true }))

  /** Waits until the table of the running process has a matching item. */
  async function stored(matches: (item: Item) => boolean): Promise<void> {
    const { table } = openLocalPlatform({ data_dir, unlocked: true })
    while (![...table.items()].some(matches)) await new Promise(setImmediate)
    table.close()
  }

  test('answers the key in flight with the payment and makes the delivery in flight, before any lease expires', async () => {
    const arrivals: Arrival[] = []
    let onArrival = () => {}
    const receivers = await openReceivers(['hanging'], (arrival) => {
      arrivals.push(arrival)
      onArrival()
    })
    const arrived = (count: number) =>
      new Promise<void>((done) => {
        onArrival = () => arrivals.length >= count && done()
        onArrival()
      })
    const first = await startLocally(data_dir)
    const key = first.key!
    const json = { url: receivers.urls[0], event_list: ['customer.created'] }
    expect((await first.send('POST /webhooks', { key, json }))?.status).toBe(200)
    await first.send('POST /customers', { key, json: { email: 'a@example.com' } })
    const headers = { 'idempotency-key': 'in flight' }
    const cut = first.send('POST /payments', {
      key,
      json: order,
      headers: { ...headers, 'x-service-scenario': 'slow' },
    })
    await Promise.all([arrived(1), stored(({ sk, lease_until }) => sk === 'idempotency' && Number(lease_until) > 0)])
    await first.kill()
    expect(await cut).toBeUndefined()

    receivers.become('well', 'hanging')
    const second = await startLocally(data_dir)
    const reply = (await second.send('POST /payments', { key, json: order, headers }))!
    expect([reply.status, reply.body.status]).toEqual([200, 'captured'])
    await arrived(2)
    expect(arrivals[1]!.id).toBe(arrivals[0]!.id)
    await second.kill()
    await receivers.close()
    const { table } = openLocalPlatform({ data_dir })
    const charges = [...table.items()].filter(({ pk }) => pk.startsWith('sandbox#'))
    table.close()
    expect(charges).toMatchObject([{ operation: 'charge', amount: 1000 }])
  }, 30_000)
})
