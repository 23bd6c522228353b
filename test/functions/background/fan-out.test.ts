import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { handler } from '#functions/background/fan-out.ts'
import type { Item } from '#shared/platform/ports.ts'
import { CrashPoints } from '#test/faults/crash-points.ts'
import { itemsOf } from '#test/faults/witness.ts'
import { type Api, card, openApi } from '#test/fixtures/api.ts'

const crash = new CrashPoints()
let api: Api
beforeAll(async () => {
  api = await openApi({ around: crash.around })
})
afterEach(() => crash.disarm())
afterAll(() => api.close())

const recordOf = ({ pk, sk }: { pk: string; sk: string }) => ({
  eventName: 'INSERT',
  dynamodb: { Keys: { pk: { S: pk }, sk: { S: sk } } },
})
const fanOut = (...rows: { pk: string; sk: string }[]) =>
  handler({ Records: rows.map(recordOf) }, { platform: api.injected } as never)

/** A merchant with `count` webhooks for new customers, whose outbox rows so far are processed. */
async function withHooks(count: number) {
  const { test: merchant } = await api.newMerchants()
  const key = merchant.secret_key
  for (let n = 0; n < count; n++)
    await api.request('POST /webhooks', {
      key,
      json: { url: `https://shop.example/${n}`, event_list: ['customer.created'] },
    })
  await fanOut(...outboxOf(merchant.id))
  return { merchant, key }
}
const outboxOf = (merchant: string): Item[] =>
  itemsOf(api, 'event').filter(({ pk, sk }) => sk === 'outbox' && pk.includes(merchant))
const newCustomer = (key: string) => api.request('POST /customers', { key, json: { payment_details: card() } })
const deliveriesOf = async (key: string, pages = 1) => {
  const all = []
  for (let page = 1; page <= pages; page++)
    all.push(...(await api.request(`GET /deliveries?per_page=100&page=${page}`, { key })).body.data)
  return all.filter(({ event_type }) => event_type === 'customer.created')
}

describe('the fan-out', () => {
  test('creates the deliveries of each event once, also if the stream repeats its record', async () => {
    const { merchant, key } = await withHooks(2)
    const other = await withHooks(1)
    await newCustomer(key)
    await newCustomer(other.key)
    const rows = [...outboxOf(merchant.id), ...outboxOf(other.merchant.id)]
    expect(rows).toHaveLength(2)
    expect(await fanOut(...rows, ...rows)).toBeUndefined()
    await fanOut(...rows)
    expect((await deliveriesOf(key)).map(({ url }) => url).toSorted()).toEqual([
      'https://shop.example/0',
      'https://shop.example/1',
    ])
    expect(await deliveriesOf(other.key)).toHaveLength(1)
    expect([...outboxOf(merchant.id), ...outboxOf(other.merchant.id)]).toEqual([])
  })

  test('queues each delivery in the group of its receiver', async () => {
    const { merchant, key } = await withHooks(2)
    api.platform.queues.deliveries.due(Number.POSITIVE_INFINITY)
    for (let n = 0; n < 2; n++) await newCustomer(key)
    await fanOut(...outboxOf(merchant.id))
    const queued = api.platform.queues.deliveries.due(api.platform.clock.now())
    const receivers = queued.map(({ pk }) => pk.slice(-16))
    expect([receivers.length, new Set(receivers).size]).toEqual([4, 2])
    expect(receivers[0]).toBe(receivers[2])
  })

  test('logs a failed event, leaves it to the sweep, and processes the other events', async () => {
    const [bad, good] = [await withHooks(1), await withHooks(1)]
    for (const { key } of [bad, good]) await newCustomer(key)
    const [row] = outboxOf(bad.merchant.id) as [Item]
    const unknown = { pk: row.pk.replace(bad.merchant.id, 'mer_unknown'), sk: row.sk }
    const since = api.logs.length
    await fanOut(unknown, { pk: '', sk: '' }, ...outboxOf(good.merchant.id))
    expect(api.logs.slice(since).map(({ level, event, merchant }) => [level, event, merchant])).toEqual(
      expect.arrayContaining([
        ['error', 'work_failed', 'mer_unknown'],
        ['error', 'work_failed', ''],
      ]),
    )
    expect(api.logs.slice(since)).toHaveLength(2)
    expect(await deliveriesOf(good.key)).toHaveLength(1)
    crash.arm((_, operation) => (operation === 'write' ? 'fail_before' : 'ok'))
    await fanOut(row)
    crash.disarm()
    expect(api.logs.at(-1)).toMatchObject({ event: 'work_failed', error: 'PlatformUnavailable' })
    expect([await deliveriesOf(bad.key), outboxOf(bad.merchant.id)]).toMatchObject([[], [row]])
    await api.advance(60)
    expect([(await deliveriesOf(bad.key)).length, outboxOf(bad.merchant.id)]).toEqual([1, []])
  })

  test('retries after a conflict', async () => {
    const { merchant, key } = await withHooks(1)
    await newCustomer(key)
    let writes = 0
    crash.arm((_, operation) => (operation === 'write' && ++writes < 3 ? 'conflict' : 'ok'))
    await fanOut(...outboxOf(merchant.id))
    crash.disarm()
    expect([writes, (await deliveriesOf(key)).length]).toEqual([3, 1])
  })

  test('creates each delivery to a hundred webhooks once, however often it is interrupted, also an hour late', async () => {
    const { merchant, key } = await withHooks(100)
    for (const late of [0, 3_600]) {
      await newCustomer(key)
      const rows = outboxOf(merchant.id)
      api.platform.clock.turnTo(api.platform.clock.now() + late * 1000)
      for (let at = 1; outboxOf(merchant.id).length > 0; at++) {
        let writes = 0
        crash.arm((_, operation) =>
          operation === 'write' && ++writes === 2 ? (at % 2 ? 'fail_before' : 'fail_after') : 'ok',
        )
        await fanOut(...rows)
        crash.disarm()
        expect(at).toBeLessThan(20)
      }
      const ids = (await deliveriesOf(key, 4)).map(({ id }) => id)
      expect(ids).toHaveLength(late ? 200 : 100)
      expect(new Set(ids).size).toBe(ids.length)
    }
  })

  test('only reads when the event is already processed or the batch is empty', async () => {
    const { merchant, key } = await withHooks(1)
    await newCustomer(key)
    const [row] = outboxOf(merchant.id) as [Item]
    await fanOut(row)
    const since = api.logs.length
    crash.arm()
    await fanOut(row)
    await handler({ Records: [] }, { platform: api.injected } as never)
    expect([new Set(crash.operations), api.logs.length]).toEqual([new Set(['get']), since])
  })
})
