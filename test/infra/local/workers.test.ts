import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { handler as chores } from '#functions/background/chores.ts'
import { handler as sweep } from '#functions/background/sweep.ts'
import { Workers } from '#infra/local/workers.ts'
import { timestamp } from '#shared/domain/timestamp.ts'
import { cursorKey, due_kinds, SHARDS, shardName } from '#shared/store/keys.ts'
import { type Api, card, konbini, openApi } from '#test/support/api.ts'
import { eventTypesOf, itemsOf } from '#test/support/witness.ts'

let api: Api
beforeAll(async () => {
  api = await openApi()
})
afterAll(() => api.close())

const DAY = 86_400_000
const now = () => api.platform.clock.now()

/** The workers of a process of its own, with what each call did and when; `drops` calls of the chores get lost. */
function newWorkers(drops = 0) {
  const calls: { file: string; at: string }[] = []
  let lost = drops
  const workers = new Workers(api.platform, async (file, event) => {
    calls.push({ file, at: timestamp(now()) })
    if (file === 'background/sweep') return sweep(event, { platform: api.platform } as never)
    if (lost-- > 0) return undefined
    return chores(event as never, { platform: api.platform } as never)
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

describe('advanceTo', () => {
  test('does each thing at its own moment, in their order', async () => {
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
    const told = body.data
      .filter(({ data }: { data: { id: string } }) => made.includes(data.id))
      .map(({ data, created_at }: { data: { id: string }; created_at: string }) => [made.indexOf(data.id), created_at])
    expect(told.reverse()).toEqual([
      [4, '2030-01-02T03:01:00Z'],
      [5, '2030-01-02T14:59:59Z'],
      [2, '2030-01-03T14:59:59Z'],
      [0, '2030-01-05T14:59:59Z'],
      [1, '2030-02-01T14:59:59Z'],
      [3, '2030-02-16T14:59:59Z'],
    ])
    expect(now()).toBe(since + 60 * DAY)
  })

  test('calls nobody when there is nothing to do', async () => {
    const { workers, calls } = newWorkers()
    await workers.advanceTo(now() + 365 * DAY)
    expect(calls).toEqual([])
  })

  test('does not reach beyond its moment', async () => {
    const id = await unknown()
    await api.workers.advanceTo(dueOf(id) - 1)
    expect(await statusOf(id)).toBe('pending')
    await api.workers.advanceTo(now() + 1)
    expect(await statusOf(id)).toBe('captured')
  })

  test('to what is past already does what is due, and does not turn back', async () => {
    const id = await unknown()
    const at = now() + 60_000
    api.platform.clock.turnTo(at)
    await api.workers.advanceTo(at - 30_000)
    expect([await statusOf(id), now()]).toEqual(['pending', at])
    await api.workers.work()
    expect(await statusOf(id)).toBe('captured')
  })

  test('called twice at once goes one way after the other', async () => {
    const since = now()
    const [one, other] = [await unknown(), await pay(konbini)]
    await Promise.all([api.workers.advanceTo(since + 10 * DAY), api.workers.advanceTo(since + DAY)])
    expect([await statusOf(one), await statusOf(other), now()]).toEqual(['captured', 'expired', since + 10 * DAY])
    expect(await eventTypesOf(api, other)).toEqual(['payment.authorized', 'payment.expired'])
  })

  test('does again, at growing distances, what got lost', async () => {
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

  test('goes on after a failure', async () => {
    const id = await unknown()
    let fails = true
    const workers = new Workers(api.platform, async (file, event) => {
      if (fails) throw new Error('cut off')
      const handler = file === 'background/sweep' ? sweep : chores
      return handler(event as never, { platform: api.platform } as never)
    })
    await expect(workers.advanceTo(now() + 60_000)).rejects.toThrow('cut off')
    fails = false
    await workers.advanceTo(now() + 10 * 60_000)
    expect(await statusOf(id)).toBe('captured')
  })
})

describe('forgetCursors', () => {
  test('lets a new process send what an earlier one had queued', async () => {
    const id = await unknown()
    const due = dueOf(id)
    api.platform.clock.turnTo(due - 30_000)
    await sweep({}, { platform: api.platform } as never)
    api.platform.queues.chores.due(Number.POSITIVE_INFINITY)
    const { workers, choresAt } = newWorkers()
    await workers.forgetCursors()
    const keys = due_kinds.flatMap((kind) => Array.from({ length: SHARDS }, (_, n) => cursorKey(shardName(kind, n))))
    for (const some of [keys.slice(0, 64), keys.slice(64)])
      expect(new Set(await api.platform.table.get(some))).toEqual(new Set([undefined]))
    await workers.advanceTo(due)
    expect(await statusOf(id)).toBe('captured')
    expect(choresAt()).toEqual([timestamp(due)])
  })
})
