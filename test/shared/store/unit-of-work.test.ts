import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Customer } from '#shared/domain/customer.ts'
import { creationTimeOf } from '#shared/domain/ids.ts'
import { timestamp } from '#shared/domain/timestamp.ts'
import { type Item, WriteConflict } from '#shared/platform/ports.ts'
import { changed, removed, unchanged } from '#shared/store/change.ts'
import { cards, customerList, customers, findCard } from '#shared/store/customers.ts'
import { dueShard, recordKey } from '#shared/store/keys.ts'
import { hourLetters, lanesPk } from '#shared/store/list-keys.ts'
import { payments } from '#shared/store/payments.ts'
import { type Api, openApi } from '#test/fixtures/api.ts'
import { measured } from '#test/fixtures/measured-table.ts'
import { paymentRecord } from '#test/fixtures/records.ts'

let service: Api
beforeAll(async () => {
  service = await openApi()
})
afterAll(() => service.close())

const newCustomer = (fields: Partial<Customer> = {}): Customer => ({
  id: service.work().newId('customer'),
  version: 0,
  email: null,
  currency: null,
  source: null,
  metadata: {},
  created_at: '2030-01-02T03:00:00Z',
  updated_at: '2030-01-02T03:00:00Z',
  ...fields,
})

/** Stores a new customer. */
const kept = async (fields: Partial<Customer> = {}): Promise<Customer> => {
  const record = newCustomer(fields)
  await service.work().commit([changed(customers, record, ['customer.created'])])
  return { ...record, version: 1 }
}

const items = (pk: string): Item[] => [...service.platform.table.items()].filter((item) => item.pk.startsWith(pk))
const eventsAbout = (id: string) =>
  items('event#').filter(({ sk, about }) => sk === 'event' && (about as { id: string }).id === id)
const outboxOf = (events: readonly Item[]) =>
  items('event#').filter(({ pk, sk }) => sk === 'outbox' && events.some((event) => event.pk === pk))
const listed = (id: string) =>
  items('list#customer#')
    .filter(({ sk }) => sk === id)
    .map(({ pk }) => pk)

/** The platform with a clock that shows another time. */
const at = (time: number) => ({
  ...service.platform,
  clock: { now: () => time, wait: () => new Promise<void>(() => {}) },
})

describe('UnitOfWork reads', () => {
  test('return known items without a call, until they are forgotten', async () => {
    const { id } = await kept()
    const [item] = await service.platform.table.get([recordKey('customer', service.test.id, id)])
    const table = measured(service.platform.table)
    const work = service.work({
      platform: { ...service.platform, table },
      known: [{ ...item!, email: 'known@example.com' }],
    })
    expect(await work.find(customers, id)).toMatchObject({ id, email: 'known@example.com' })
    expect(table.measure.calls).toBe(0)
    work.forget()
    expect(await work.find(customers, id)).toMatchObject({ id, email: null })
  })

  test('of one turn are one call, and are not repeated', async () => {
    const [one, other] = [await kept(), await kept()]
    const table = measured(service.platform.table)
    const work = service.work({ platform: { ...service.platform, table } })
    const [a, b, c, d] = await Promise.all([one, other, one, { id: 'cus_0' }].map(({ id }) => work.find(customers, id)))
    expect([a, b, c, d]).toEqual([one, other, one, undefined])
    await work.find(customers, one.id)
    expect(table.measure.calls).toBe(1)
    work.forget()
    await work.find(customers, one.id)
    expect(table.measure.calls).toBe(2)
  })

  test('reject invalid ids before any call', async () => {
    const table = measured(service.platform.table)
    const work = service.work({ platform: { ...service.platform, table } })
    for (const id of ['', 'x#y', 'c'.repeat(5000)]) expect(await work.find(customers, id)).toBeUndefined()
    await expect(work.get(customers, '#')).rejects.toMatchObject({ code: 'not_found' })
    expect(table.measure.calls).toBe(0)
  })

  test('do not find a record of another merchant', async () => {
    const { id } = await kept()
    expect(await service.work({ merchant: 'mer_other' }).find(customers, id)).toBeUndefined()
  })

  test('fail together if their call fails, and succeed after a retry', async () => {
    const { id } = await kept()
    let fails = true
    const table = {
      ...measured(service.platform.table),
      get: async (keys: Parameters<typeof service.platform.table.get>[0]) => {
        if (fails) throw new Error('cut off')
        return service.platform.table.get(keys)
      },
    }
    const work = service.work({ platform: { ...service.platform, table } })
    const both = await Promise.allSettled([work.find(customers, id), work.find(customers, 'cus_0')])
    expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    fails = false
    work.forget()
    expect(await work.find(customers, id)).toMatchObject({ id })
  })
})

describe('UnitOfWork.commit', () => {
  test('writes the record with the next version, its list entries and its events in one transaction', async () => {
    const record = newCustomer({ email: 'A@example.com', metadata: { '': 1, 'a.b': true } })
    const work = service.work()
    await work.commit([changed(customers, record, ['customer.created', 'customer.updated'])])
    expect(await work.find(customers, record.id)).toEqual({ ...record, version: 1 })
    expect(await service.work().find(customers, record.id)).toEqual({ ...record, version: 1 })
    expect(listed(record.id)).toEqual([
      `list#customer#${service.test.id}`,
      `list#customer#${service.test.id}#email#a@example.com`,
    ])
    const emitted = eventsAbout(record.id)
    expect(emitted.map(({ type }) => type)).toEqual(['customer.created', 'customer.updated'])
    expect(emitted.map(({ about }) => about)).toEqual(Array(2).fill({ kind: 'customer', id: record.id, version: 1 }))
    expect(JSON.parse(emitted[0]!.data as string)).toMatchObject({ id: record.id, resource: 'customer' })
    expect(
      items(`list#event#${service.test.id}`).filter(({ sk }) => emitted.some(({ id }) => id === sk)),
    ).toMatchObject([{ facet: 'customer.created' }, { facet: 'customer.updated' }])
  })

  test('writes an outbox row for each event, due a minute later, and none without events', async () => {
    const { id } = await kept()
    const emitted = eventsAbout(id)
    expect(outboxOf(emitted)).toEqual(
      emitted.map(({ pk }) => ({
        pk,
        sk: 'outbox',
        version: 1,
        due_at: timestamp(service.platform.clock.now() + 60_000),
        due_shard: dueShard('outbox', pk),
      })),
    )
    const before = items('event#').length
    await service.work().commit([changed(customers, newCustomer())])
    expect(items('event#')).toHaveLength(before)
  })

  test('writes nothing if a version check fails', async () => {
    const [before, other] = [await kept(), newCustomer()]
    await service.work().commit([changed(customers, { ...before, email: 'winner@example.com' }, ['customer.updated'])])
    const work = service.work()
    const lost = work.commit([
      changed(customers, other, ['customer.created']),
      changed(customers, { ...before, email: 'loser@example.com' }, ['customer.updated']),
    ])
    await expect(lost).rejects.toThrow(WriteConflict)
    expect(await service.work().find(customers, other.id)).toBeUndefined()
    expect([eventsAbout(other.id).length, eventsAbout(before.id).length]).toEqual([0, 2])
    expect(items('event#').filter(({ sk }) => sk === 'outbox')).toHaveLength(
      items('event#').filter(({ sk }) => sk === 'event').length,
    )
    expect(listed(before.id)).toContain(`list#customer#${service.test.id}#email#winner@example.com`)
  })

  test('refuses to create a record that exists', async () => {
    const record = newCustomer()
    await service.work().commit([changed(customers, record)])
    await expect(service.work().commit([changed(customers, record)])).rejects.toThrow(WriteConflict)
  })

  test('gives the events of a repeated change the same ids, so that each event exists once', async () => {
    const ids: string[] = []
    const record = newCustomer()
    for (const _ of [1, 2]) {
      const table = {
        ...measured(service.platform.table),
        write: async (writes: readonly object[]) => {
          for (const write of writes)
            if ('put' in write) ids.push((write.put as Item).sk === 'event' ? (write.put as Item).pk : '')
        },
      }
      await service
        .work({ platform: { ...service.platform, table } })
        .commit([changed(customers, record, ['customer.created'])])
    }
    const [one, other, ...more] = ids.filter(Boolean)
    expect([one, more]).toEqual([other, []])
  })

  test('deletes the entries of lists that the record has left', async () => {
    const before = await kept({ email: 'old@example.com' })
    await service.work().commit([changed(customers, { ...before, email: null })])
    expect(listed(before.id)).toEqual([`list#customer#${service.test.id}`])
  })

  test('keeps only the event of a removed record', async () => {
    const before = await kept({ email: 'gone@example.com' })
    const work = service.work()
    await work.commit([removed(customers, before, ['customer.deleted'])])
    expect(await work.find(customers, before.id)).toBeUndefined()
    expect(listed(before.id)).toEqual([])
    expect(eventsAbout(before.id).map(({ type }) => type)).toEqual(['customer.created', 'customer.deleted'])
    await expect(service.work().commit([removed(customers, before)])).rejects.toThrow(WriteConflict)
  })

  test('checks that unchanged records have not changed, and does not write them', async () => {
    const shown = { type: 'paypay', email: null } as const
    const customer = newCustomer().id
    const card = { version: 0, customer, sealed: 'x', shown, expiry_days: null }
    await service.work().commit([changed(cards, card)])
    const read = (await findCard(service.work(), customer))!
    await service.work().commit([changed(customers, newCustomer()), unchanged(cards, read)])
    await service.work().commit([changed(cards, { ...read, sealed: 'y' })])
    await expect(service.work().commit([changed(customers, newCustomer()), unchanged(cards, read)])).rejects.toThrow(
      WriteConflict,
    )
  })

  test('writes other items in the same transaction, or nothing', async () => {
    const put = { pk: 'other#1', sk: 'other', version: 1 }
    const record = newCustomer()
    await service.work().commit([changed(customers, record)], [{ put, was: 0 }])
    expect(items('other#1')).toHaveLength(1)
    const again = service.work().commit([changed(customers, { ...record, version: 1 })], [{ put, was: 0 }])
    await expect(again).rejects.toThrow(WriteConflict)
    expect(await service.work().find(customers, record.id)).toMatchObject({ version: 1 })
  })

  test('makes no call without changes', async () => {
    const table = measured(service.platform.table)
    await service.work({ platform: { ...service.platform, table } }).commit([])
    expect(table.measure.calls).toBe(0)
  })

  test('refuses a new record a minute after its commit began, because its lane may be closed by then', async () => {
    const since = service.platform.clock.now()
    const sent = service.work({ platform: at(since) })
    service.platform.clock.turnTo(since + 60_001)
    await expect(sent.commit([changed(customers, newCustomer())])).rejects.toThrow(WriteConflict)
  })

  test('counts several new records in one lane, each in the hour of its creation', async () => {
    const list = customerList(service.test.id)
    const old = newCustomer()
    service.platform.clock.turnTo(service.platform.clock.now() + 2 * 3_600_000)
    const records = [old, newCustomer(), newCustomer()]
    await service.work().commit(records.map((record) => changed(customers, record)))
    const [hour, next] = [old, records[1]!].map(({ id }) => hourLetters(creationTimeOf(id)))
    expect(items(lanesPk(list)).at(-1)).toMatchObject({
      version: 1,
      added: { [`${hour}customer`]: 1, [`${next}customer`]: 2 },
      gone: {},
    })
    expect(records.map(({ id }) => listed(id))).toEqual(Array(3).fill([list.pk]))
  })

  test('keeps the stamp of the entries of a record, without showing it in the record', async () => {
    const { id } = await kept()
    const stampOf = (kind: string) => items(kind).find((item) => item.pk.includes(id) || item.sk === id)?.counted_in
    const stamp = stampOf('customer#')
    expect(stamp).toMatch(/^\w{13}\.\d+$/)
    const work = service.work()
    const read = await work.get(customers, id)
    expect(read).not.toHaveProperty('counted_in')
    await work.commit([changed(customers, { ...read, email: 'b@example.com' })])
    expect([stampOf('customer#'), stampOf(customerList(service.test.id).pk)]).toEqual([stamp, stamp])
  })
})

describe('order of events', () => {
  test('follows the changes, even if the clock of a later change is slow', async () => {
    const before = await kept()
    const slow = service.work({ platform: at(service.platform.clock.now() - 50_000) })
    const read = await slow.get(customers, before.id)
    await slow.commit([changed(customers, { ...read, email: 'b@example.com' }, ['customer.updated'])])
    const [created, updated] = eventsAbout(before.id).sort((one, other) => (one.id! < other.id! ? -1 : 1))
    expect([created!.type, updated!.type]).toEqual(['customer.created', 'customer.updated'])
    expect(updated!.created_at).toBe(created!.created_at)
  })

  test('within one change is the given order', async () => {
    const record = newCustomer()
    const types = ['customer.updated', 'customer.created', 'customer.deleted'] as const
    await service.work().commit([changed(customers, record, types)])
    const ids = eventsAbout(record.id).map(({ id, type }) => [id as string, type])
    expect(ids.sort().map(([, type]) => type)).toEqual(types)
  })
})

test('UnitOfWork.commit puts a due record into the due index, and removes it once nothing is due', async () => {
  const work = service.work()
  const id = work.newId('payment')
  const record = paymentRecord({ id, version: 0, status: 'authorized' })
  await work.commit([changed(payments, record, ['payment.authorized'])])
  const item = async () => (await service.platform.table.get([recordKey('payment', service.test.id, id)]))[0]!
  expect(await item()).toMatchObject({
    due_at: record.payment_deadline,
    due_shard: expect.stringMatching(/^due#payment#\d\d$/),
  })
  await work.commit([changed(payments, { ...record, version: 1, status: 'captured' }, ['payment.captured'])])
  expect(await item()).not.toHaveProperty('due_at')
  expect(await item()).not.toHaveProperty('due_shard')
})

describe('log line of a change', () => {
  const line = { level: 'info', event: 'changed' } as const

  test('is written once the change is committed, and not if it is refused', async () => {
    const record = newCustomer()
    const since = service.logs.length
    await service.work().commit([changed(customers, record, [], { log: line })])
    expect(service.logs.slice(since)).toEqual([line])
    const refused = service.work().commit([changed(customers, record, [], { log: line })])
    await expect(refused).rejects.toBeInstanceOf(WriteConflict)
    expect(service.logs.slice(since)).toEqual([line])
  })
})
