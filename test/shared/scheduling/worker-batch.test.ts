import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Key, Message, Platform } from '#shared/platform/ports.ts'
import { logFailure, workOn, workThrough } from '#shared/scheduling/worker-batch.ts'
import { changed } from '#shared/store/change.ts'
import { customers } from '#shared/store/customers.ts'
import { merchantKey, recordKey, testClockKey } from '#shared/store/keys.ts'
import { newMerchants } from '#shared/store/merchants.ts'
import { type Api, openApi } from '#test/fixtures/api.ts'
import { measured } from '#test/fixtures/measured-table.ts'

let service: Api
let platform: Platform
let read: Key[]
beforeAll(async () => {
  service = await openApi()
  const { table } = service.platform
  const get = (keys: readonly Key[]) => {
    read.push(...keys)
    return table.get(keys)
  }
  platform = { ...service.platform, table: { ...measured(table), get } }
  read = []
})
afterAll(() => service.close())

const message = (id: string, sk = 'customer'): Message => ({
  kind: 'delivery',
  pk: `customer#${service.test.id}#${id}`,
  sk,
  due_at: '2030-01-02T03:00:00Z',
})
const records = (messages: readonly Message[]) =>
  messages.map((one, index) => ({ messageId: `m${index}`, body: JSON.stringify(one) }))

const keptCustomer = async () => {
  const work = service.work()
  const id = work.newId('customer')
  const at = '2030-01-02T03:00:00Z'
  const rest = { email: null, currency: null, source: null, metadata: {}, created_at: at, updated_at: at }
  const record = { id, version: 0, ...rest }
  await work.commit([changed(customers, record)])
  return id
}

describe('workThrough', () => {
  test('works on each message for its merchant, and returns no failures if all succeed', async () => {
    const { merchants, writes } = newMerchants(platform.clock.now())
    await platform.table.write(writes)
    const live = { ...message('cus_2'), pk: `customer#${merchants.live.id}#cus_2` }
    const seen: unknown[] = []
    const result = await workThrough(platform, records([message('cus_1'), live]), async (work, { pk }) => {
      seen.push([work.merchant, work.mode, pk])
    })
    expect(result).toEqual({ batchItemFailures: [] })
    expect(new Set(seen)).toEqual(
      new Set([
        [service.test.id, 'test', message('cus_1').pk],
        [merchants.live.id, 'live', live.pk],
      ]),
    )
  })

  test('returns the failed messages only, and logs the class of each error without its message', async () => {
    const since = service.logs.length
    const batch = [message('cus_1'), { ...message('cus_2'), pk: 'customer#mer_unknown#cus_2' }, message('cus_3')]
    const done: string[] = []
    const result = await workThrough(platform, records(batch), async (_, { pk }) => {
      if (pk.endsWith('cus_3')) throw new RangeError('a secret')
      done.push(pk)
    })
    expect(result).toEqual({ batchItemFailures: [{ itemIdentifier: 'm1' }, { itemIdentifier: 'm2' }] })
    expect(done).toEqual([batch[0]!.pk])
    const line = { level: 'error', event: 'work_failed' }
    expect(service.logs.slice(since)).toEqual([
      { ...line, merchant: 'mer_unknown', record: 'cus_2', error: 'TypeError' },
      { ...line, merchant: service.test.id, record: 'cus_3', error: 'RangeError' },
    ])
  })

  test('works on messages of one record in sequence, even after a failure, and on others concurrently', async () => {
    const order: string[] = []
    let release = () => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    const batch = [message('cus_1', 'a'), message('cus_1', 'b'), message('cus_1', 'c'), message('cus_2', 'd')]
    const working_through = workThrough(platform, records(batch), async (_, { sk }) => {
      order.push(`${sk} begins`)
      if (sk === 'd') release()
      if (sk === 'a') await held
      if (sk === 'b') throw new Error('cut off')
      order.push(`${sk} ends`)
    })
    expect(await working_through).toEqual({ batchItemFailures: [{ itemIdentifier: 'm1' }] })
    expect(order.filter((line) => !line.startsWith('d'))).toEqual([
      'a begins',
      'a ends',
      'b begins',
      'c begins',
      'c ends',
    ])
    expect(order.indexOf('d ends')).toBeLessThan(order.indexOf('a ends'))
  })
})

describe('workOn', () => {
  test('reads the record together with the merchant', async () => {
    const id = await keptCustomer()
    read = []
    const work = await workOn(platform, message(id))
    expect(await work.find(customers, id)).toMatchObject({ id })
    expect(read).toEqual([
      merchantKey(service.test.id),
      recordKey('customer', service.test.id, id),
      testClockKey(service.test.id),
    ])
  })

  test('reads no test clock in live mode', async () => {
    const { merchants, writes } = newMerchants(platform.clock.now())
    await platform.table.write(writes)
    read = []
    await workOn(platform, { pk: recordKey('customer', merchants.live.id, 'cus_1').pk, sk: 'customer' })
    expect(read).toEqual([merchantKey(merchants.live.id), recordKey('customer', merchants.live.id, 'cus_1')])
  })

  test('finds no record that does not exist, and one that it has not read ahead', async () => {
    const id = service.work().newId('customer')
    const work = await workOn(platform, message(id))
    expect(await work.find(customers, id)).toBeUndefined()
    const kept = await keptCustomer()
    const early = await workOn(platform, { ...message(kept), sk: 'something else' })
    expect(await early.find(customers, kept)).toMatchObject({ id: kept })
  })

  test('reads for a second message what the first has written', async () => {
    const id = await keptCustomer()
    const seen: number[] = []
    await workThrough(platform, records([message(id), message(id)]), async (work) => {
      const record = await work.get(customers, id)
      seen.push(record.version)
      await work.commit([changed(customers, record)])
    })
    expect(seen).toEqual([1, 2])
  })
})

test('logFailure logs a failure that is not an Error, for a key that is not of a record', () => {
  const since = service.logs.length
  logFailure(platform, { pk: '' }, 'cut off')
  expect(service.logs.slice(since)).toEqual([
    { level: 'error', event: 'work_failed', merchant: '', record: '', error: 'unknown' },
  ])
})
