import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { handler as sweep } from '#functions/background/sweep.ts'
import { invoker } from '#infra/local/server.ts'
import { Workers } from '#infra/local/workers.ts'
import { timestamp } from '#shared/domain/timestamp.ts'
import type { Item } from '#shared/platform/ports.ts'
import { cursorKey, due_kinds, merchantAndId } from '#shared/store/keys.ts'
import { eventTypesOf, itemsOf } from '#test/faults/witness.ts'
import { type Api, card, konbini, openApi } from '#test/fixtures/api.ts'

let api: Api
beforeAll(async () => {
  api = await openApi()
})
afterAll(() => api.close())

const DAY = 86_400_000
const now = () => api.platform.clock.now()

/** Workers of a separate process, with the file and time of each call. The first `drops` calls of chores are lost. */
function newWorkers(drops = 0) {
  const calls: { file: string; at: string }[] = []
  const invoke = invoker(api.platform)
  let lost = drops
  const workers = new Workers(api.platform, async (file, event) => {
    calls.push({ file, at: timestamp(now()) })
    if (file === 'background/chores' && lost-- > 0) return undefined
    return invoke(file, event)
  })
  const choresAt = () => calls.filter(({ file }) => file === 'background/chores').map(({ at }) => at)
  return { workers, calls, choresAt }
}

const pay = async (payment_details: object, fields: object = {}, headers: Record<string, string> = {}) => {
  const json = { amount: 1000, currency: 'JPY', payment_details, ...fields }
  const { body } = await api.request('POST /payments', { json, headers })
  return (body.id ?? body.error.details.payment) as string
}
const unknown = () => pay(card(), {}, { 'x-service-scenario': 'timeout_after_charge' })
const statusOf = async (id: string) => (await api.request(`GET /payments/${id}`)).body.status
const dueOf = (id: string) =>
  Date.parse(itemsOf(api, 'payment').find(({ pk, due_at }) => pk.endsWith(id) && due_at)!.due_at!)

describe('Workers.advanceTo', () => {
  test('does all work at its due time, in order', async () => {
    const since = now()
    const made = [
      await pay(konbini),
      await pay(card(), { capture: false }),
      await pay({ type: 'paypay' }),
      await pay({ ...konbini, expiry_days: 45 }),
      await unknown(),
      await pay({ ...konbini, expiry_days: 0 }),
    ]
    await api.workers.advanceTo(since + 60 * DAY)
    const { body } = await api.request('GET /events?per_page=100&type=payment.expired,payment.captured')
    const ended = body.data
      .filter(({ data }: { data: { id: string } }) => made.includes(data.id))
      .map(({ data, created_at }: { data: { id: string }; created_at: string }) => [made.indexOf(data.id), created_at])
    expect(ended.reverse()).toEqual([
      [4, '2030-01-02T03:01:00Z'],
      [5, '2030-01-02T14:59:59Z'],
      [2, '2030-01-03T14:59:59Z'],
      [0, '2030-01-05T14:59:59Z'],
      [1, '2030-02-01T14:59:59Z'],
      [3, '2030-02-16T14:59:59Z'],
    ])
    expect(now()).toBe(since + 60 * DAY)
  })

  test('calls no function if nothing is due', async () => {
    const { workers, calls } = newWorkers()
    await workers.advanceTo(now() + 365 * DAY)
    expect(calls).toEqual([])
  })

  test('does no work that is due after the given time', async () => {
    const id = await unknown()
    await api.workers.advanceTo(dueOf(id) - 1)
    expect(await statusOf(id)).toBe('pending')
    await api.workers.advanceTo(now() + 1)
    expect(await statusOf(id)).toBe('captured')
  })

  test('does not turn the clock back for a time in the past, and does no work that is due later', async () => {
    const id = await unknown()
    const at = now() + 60_000
    api.platform.clock.turnTo(at)
    await api.workers.advanceTo(at - 30_000)
    expect([await statusOf(id), now()]).toEqual(['pending', at])
    await api.workers.work()
    expect(await statusOf(id)).toBe('captured')
  })

  test('runs concurrent calls one after the other', async () => {
    const since = now()
    const [one, other] = [await unknown(), await pay(konbini)]
    await Promise.all([api.workers.advanceTo(since + 10 * DAY), api.workers.advanceTo(since + DAY)])
    expect([await statusOf(one), await statusOf(other), now()]).toEqual(['captured', 'expired', since + 10 * DAY])
    expect(await eventTypesOf(api, other)).toEqual(['payment.authorized', 'payment.expired'])
  })

  test('repeats lost calls at growing intervals', async () => {
    const id = await unknown()
    const due = dueOf(id)
    const { workers, choresAt } = newWorkers(5)
    await workers.advanceTo(due + 3 * DAY)
    expect(await statusOf(id)).toBe('captured')
    const minutes = choresAt().map((at) => (Date.parse(at) - due) / 60_000)
    expect(minutes.slice(0, 5)).toEqual([0, 5, 15, 60, 240])
    expect(minutes).toHaveLength(6)
    expect(minutes[5]).toBeLessThanOrEqual(48 * 60)
  })

  test('continues after a failed call', async () => {
    const id = await unknown()
    let fails = true
    const invoke = invoker(api.platform)
    const workers = new Workers(api.platform, async (file, event) => {
      if (fails) throw new Error('cut off')
      return invoke(file, event)
    })
    await expect(workers.advanceTo(now() + 60_000)).rejects.toThrow('cut off')
    fails = false
    await workers.advanceTo(now() + 10 * 60_000)
    expect(await statusOf(id)).toBe('captured')
  })
})

describe('Workers.forgetCursors', () => {
  test('lets a new process send the messages that an earlier one had queued', async () => {
    const id = await unknown()
    const due = dueOf(id)
    api.platform.clock.turnTo(due - 30_000)
    await sweep({}, { platform: api.platform } as never)
    api.platform.queues.chores.due(Number.POSITIVE_INFINITY)
    const { workers, choresAt } = newWorkers()
    await workers.forgetCursors()
    expect(new Set(await api.platform.table.get(due_kinds.map(cursorKey)))).toEqual(new Set([undefined]))
    await workers.advanceTo(due)
    expect(await statusOf(id)).toBe('captured')
    expect(choresAt()).toEqual([timestamp(due)])
  })
})

describe('deliveries by Workers', () => {
  beforeEach(async () => {
    await api.close()
    api = await openApi()
  })

  /** Workers whose deliveries wait until `release` is called. Other functions are called at once. */
  function holdingWorkers() {
    const calls: string[] = []
    const held: string[] = []
    let release = () => {}
    const gate = new Promise<void>((open) => {
      release = open
    })
    const invoke = invoker(api.platform)
    const workers = new Workers(api.platform, async (file, event) => {
      calls.push(file)
      if (file === 'background/deliver') {
        const { body } = (event as { Records: [{ body: string }] }).Records[0]
        held.push(merchantAndId(JSON.parse(body).pk).id)
        await gate
      }
      return invoke(file, event)
    })
    return { workers, calls, held, release }
  }

  const newHook = async (key: string): Promise<string> =>
    (
      await api.request('POST /webhooks', {
        key,
        json: { url: 'https://shop.example/', event_list: ['payment.captured'] },
      })
    ).body.id
  const deliveriesOf = async (key: string) => (await api.request('GET /deliveries?per_page=100', { key })).body.data
  /** A merchant with `count` webhooks, whose pings are not delivered yet. */
  const withHooks = async (count: number) => {
    const key = (await api.newMerchants()).test.secret_key
    const hooks: string[] = []
    for (let n = 0; n < count; n++) hooks.push(await newHook(key))
    return { key, hooks }
  }
  const settled = () => new Promise((resolve) => setImmediate(resolve))

  test('are started by work, which does not wait for receivers, and awaited by advanceTo', async () => {
    const { key } = await withHooks(2)
    const { workers, held, release } = holdingWorkers()
    await workers.work()
    expect(held).toHaveLength(2)
    await workers.work()
    const since = now()
    let is_over = false
    const advancing = workers.advanceTo(since + 2_000).then(() => {
      is_over = true
    })
    await settled()
    expect([is_over, now()]).toEqual([false, since])
    release()
    await advancing
    expect(now()).toBe(since + 2_000)
    expect((await deliveriesOf(key)).map(({ attempts }: { attempts: unknown[] }) => attempts.length)).toEqual([1, 1])
  })

  test('delay neither other deliveries nor other work while their receiver hangs', async () => {
    const { key, hooks } = await withHooks(1)
    const { workers, held, release } = holdingWorkers()
    for (let n = 0; n < 6; n++) await api.request(`POST /webhooks/${hooks[0]}/ping`, { key })
    await workers.work()
    expect(held).toHaveLength(4)
    const other = await newHook(key)
    await workers.work()
    const deliveries = await deliveriesOf(key)
    expect(held.map((held_id) => deliveries.find(({ id }: { id: string }) => id === held_id).webhook)).toEqual([
      ...Array(4).fill(hooks[0]),
      other,
    ])
    const id = await unknown()
    api.platform.clock.turnTo(dueOf(id))
    await workers.work()
    expect(await statusOf(id)).toBe('captured')
    release()
    await workers.advanceTo(now())
    const ended = await deliveriesOf(key)
    expect(ended.map(({ attempts }: { attempts: unknown[] }) => attempts.length)).toEqual(Array(8).fill(1))
  })

  test('are made by fanOut right after their events are written, without other due work', async () => {
    const id = await unknown()
    const { key } = await withHooks(1)
    api.platform.clock.turnTo(dueOf(id))
    const { workers, calls, release } = holdingWorkers()
    await workers.fanOut()
    expect(calls).toEqual(['background/fan-out', 'background/deliver'])
    expect(await statusOf(id)).toBe('pending')
    release()
    await workers.advanceTo(now())
    expect((await deliveriesOf(key))[0].attempts).toHaveLength(1)
  })

  test('are made while a chore is running', async () => {
    const id = await unknown()
    const { key } = await withHooks(1)
    api.platform.clock.turnTo(dueOf(id))
    while (!api.platform.stream.isEmpty) api.platform.stream.take()
    const invoke = invoker(api.platform)
    let release = () => {}
    const gate = new Promise<void>((open) => {
      release = open
    })
    const { promise: begun, resolve: begins } = Promise.withResolvers<void>()
    const workers = new Workers(api.platform, async (file, event) => {
      if (file === 'background/chores') begins()
      if (file === 'background/chores') await gate
      return invoke(file, event)
    })
    const service = workers.work()
    await begun
    const hook = await newHook(key)
    await workers.fanOut()
    const attemptsMade = async () =>
      (await deliveriesOf(key)).find(({ webhook }: { webhook: string }) => webhook === hook).attempts.length
    while ((await attemptsMade()) === 0) await settled()
    expect(await statusOf(id)).toBe('pending')
    release()
    await service
    expect(await statusOf(id)).toBe('captured')
  })

  test('that wait in the queue are started by deliver, which calls no other function', async () => {
    const { key } = await withHooks(1)
    const lost = new Workers(api.platform, async (file, event) =>
      file === 'background/fan-out' ? invoker(api.platform)(file, event) : undefined,
    )
    await lost.advanceTo(now())
    const [{ pk, sk, due_at }] = [...api.platform.table.items()].filter((item) => item.sk === 'delivery') as [Item]
    await api.platform.queues.deliveries.send([{ message: { kind: 'delivery', pk, sk, due_at: due_at! } }])
    const { workers, calls, release } = holdingWorkers()
    workers.deliver()
    expect(calls).toEqual(['background/deliver'])
    release()
    await workers.advanceTo(now())
    expect((await deliveriesOf(key))[0].attempts).toHaveLength(1)
  })

  test('are made a minute later if the stream record of their event was lost', async () => {
    const { key } = await withHooks(1)
    const since = now()
    while (!api.platform.stream.isEmpty) api.platform.stream.take()
    const { workers, calls } = newWorkers()
    await workers.advanceTo(since + 59_000)
    expect([calls, await deliveriesOf(key)]).toEqual([[], []])
    await workers.advanceTo(since + 60_000)
    const [{ attempts }] = await deliveriesOf(key)
    expect(attempts.map(({ attempted_at }: { attempted_at: string }) => attempted_at)).toEqual([
      timestamp(since + 60_000),
    ])
  })

  test('are made by the next process if they were queued when a process ended', async () => {
    const { key } = await withHooks(1)
    const since = now()
    const earlier = new Workers(api.platform, async (file, event) =>
      file === 'background/deliver' ? undefined : invoker(api.platform)(file, event),
    )
    await earlier.advanceTo(now())
    expect((await deliveriesOf(key))[0].attempts).toEqual([])
    const { workers } = newWorkers()
    await workers.forgetCursors()
    await workers.work()
    await workers.advanceTo(since)
    expect((await deliveriesOf(key))[0].attempts).toHaveLength(1)
  })

  test('are retried at their scheduled times while the clock advances', async () => {
    const { key } = await withHooks(1)
    const since = now()
    await api.advance(300)
    const [{ attempts, next_attempt_at }] = await deliveriesOf(key)
    const seconds = (at: string) => (Date.parse(at) - Math.floor(since / 1000) * 1000) / 1000
    expect(attempts.map(({ attempted_at }: { attempted_at: string }) => seconds(attempted_at))).toEqual([0, 4, 49, 241])
    expect(seconds(next_attempt_at)).toBe(774)
  })
})
