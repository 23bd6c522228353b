import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Key, Message, Platform } from '#shared/platform/ports.ts'
import { logFailure, workOn, workThrough } from '#shared/scheduling/worker-batch.ts'
import { changed } from '#shared/store/change.ts'
import { customers } from '#shared/store/customers.ts'
import { merchantKey, recordKey } from '#shared/store/keys.ts'
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

describe('a batch of messages', () => {
  test('is worked through for the merchant of each, and says nothing when all is done', async () => {
    const { merchants, writes } = newMerchants(platform.clock.now())
    await platform.table.write(writes)
    const live = { ...message('cus_2'), pk: `customer#${merchants.live.id}#cus_2` }
    const seen: unknown[] = []
    const result = await workThrough(platform, records([message('cus_1'), live]), async (work, { pk }) => {
      seen.push([work.merchant, work.mode, pk])
    })
    expect(result).toEqual({ batchItemFailures: [] })
    expect(seen).toEqual([
      [service.test.id, 'test', message('cus_1').pk],
      [merchants.live.id, 'live', live.pk],
    ])
  })

  test('names those that failed and them alone, and the log tells the class of the error and not its message', async () => {
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

  test('does messages about one record one after the other, also after one that failed, and others meanwhile', async () => {
    const order: string[] = []
    let let_go = () => {}
    const held = new Promise<void>((resolve) => {
      let_go = resolve
    })
    const batch = [message('cus_1', 'a'), message('cus_1', 'b'), message('cus_1', 'c'), message('cus_2', 'd')]
    const working_through = workThrough(platform, records(batch), async (_, { sk }) => {
      order.push(`${sk} begins`)
      if (sk === 'd') let_go()
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

describe('the work on what a message is about', () => {
  test('has its record read already, together with the merchant', async () => {
    const id = await keptCustomer()
    read = []
    const work = await workOn(platform, message(id))
    expect(await work.find(customers, id)).toMatchObject({ id })
    expect(read).toEqual([merchantKey(service.test.id), recordKey('customer', service.test.id, id)])
  })

  test('finds out by itself that there is none, or that one has come', async () => {
    const id = service.work().newId('customer')
    const work = await workOn(platform, message(id))
    expect(await work.find(customers, id)).toBeUndefined()
    const kept = await keptCustomer()
    const early = await workOn(platform, { ...message(kept), sk: 'something else' })
    expect(await early.find(customers, kept)).toMatchObject({ id: kept })
  })

  test('of a second message about a record sees what the first has left', async () => {
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

test('a failure that is no error, about what is no record, is told as well', () => {
  const since = service.logs.length
  logFailure(platform, { pk: '' }, 'cut off')
  expect(service.logs.slice(since)).toEqual([
    { level: 'error', event: 'work_failed', merchant: '', record: '', error: 'unknown' },
  ])
})
