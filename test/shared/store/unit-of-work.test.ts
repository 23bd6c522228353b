import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Customer } from '#shared/domain/customer.ts'
import { creationTimeOf } from '#shared/domain/ids.ts'
import { timestamp } from '#shared/domain/timestamp.ts'
import { type Item, WriteConflict } from '#shared/platform/ports.ts'
import { changed, removed, unchanged } from '#shared/store/change.ts'
import { cards, customerList, customers, findCard } from '#shared/store/customers.ts'
import { dueShard, recordKey } from '#shared/store/keys.ts'
import { dayRow, hourRow } from '#shared/store/list-keys.ts'
import { payments } from '#shared/store/payments.ts'
import { measured } from '#test/fixtures/measured-table.ts'
import { paymentRecord } from '#test/fixtures/payment-record.ts'
import { openWorking, type Working } from '#test/fixtures/working.ts'

let working: Working
beforeAll(async () => {
  working = await openWorking()
})
afterAll(() => working.close())

const newCustomer = (fields: Partial<Customer> = {}): Customer => ({
  id: working.work().newId('customer'),
  version: 0,
  email: null,
  currency: null,
  source: null,
  metadata: {},
  created_at: '2030-01-02T03:00:00Z',
  updated_at: '2030-01-02T03:00:00Z',
  ...fields,
})

/** A customer that is kept. */
const kept = async (fields: Partial<Customer> = {}): Promise<Customer> => {
  const record = newCustomer(fields)
  await working.work().commit([changed(customers, record, ['customer.created'])])
  return { ...record, version: 1 }
}

const items = (pk: string): Item[] => [...working.platform.table.items()].filter((item) => item.pk.startsWith(pk))
const eventsAbout = (id: string) =>
  items('event#').filter(({ sk, about }) => sk === 'event' && (about as { id: string }).id === id)
const outboxOf = (events: readonly Item[]) =>
  items('event#').filter(({ pk, sk }) => sk === 'outbox' && events.some((event) => event.pk === pk))
const listed = (id: string) =>
  items('list#customer#')
    .filter(({ sk }) => sk === id)
    .map(({ pk }) => pk)

/** The platform, as it is when its clock says something else. */
const at = (time: number) => ({
  ...working.platform,
  clock: { now: () => time, wait: () => new Promise<void>(() => {}) },
})

describe('reading', () => {
  test('what is known already is not read, until it is forgotten', async () => {
    const { id } = await kept()
    const [item] = await working.platform.table.get([recordKey('customer', working.merchant, id)])
    const table = measured(working.platform.table)
    const work = working.work({
      platform: { ...working.platform, table },
      known: [{ ...item!, email: 'known@example.com' }],
    })
    expect(await work.find(customers, id)).toMatchObject({ id, email: 'known@example.com' })
    expect(table.measure.calls).toBe(0)
    work.forget()
    expect(await work.find(customers, id)).toMatchObject({ id, email: null })
  })

  test('what is asked for in one turn is one call, and what was read is not read again', async () => {
    const [one, other] = [await kept(), await kept()]
    const table = measured(working.platform.table)
    const work = working.work({ platform: { ...working.platform, table } })
    const [a, b, c, d] = await Promise.all([one, other, one, { id: 'cus_0' }].map(({ id }) => work.find(customers, id)))
    expect([a, b, c, d]).toEqual([one, other, one, undefined])
    await work.find(customers, one.id)
    expect(table.measure.calls).toBe(1)
    work.forget()
    await work.find(customers, one.id)
    expect(table.measure.calls).toBe(2)
  })

  test('what cannot be an id never reaches the table', async () => {
    const table = measured(working.platform.table)
    const work = working.work({ platform: { ...working.platform, table } })
    for (const id of ['', 'x#y', 'c'.repeat(5000)]) expect(await work.find(customers, id)).toBeUndefined()
    await expect(work.get(customers, '#')).rejects.toMatchObject({ code: 'not_found' })
    expect(table.measure.calls).toBe(0)
  })

  test("another merchant's record is absent", async () => {
    const { id } = await kept()
    expect(await working.work({ merchant: 'mer_other' }).find(customers, id)).toBeUndefined()
  })

  test('a read that fails fails for all who asked, and is not remembered for ever', async () => {
    const { id } = await kept()
    let fails = true
    const table = {
      ...measured(working.platform.table),
      get: async (keys: Parameters<typeof working.platform.table.get>[0]) => {
        if (fails) throw new Error('cut off')
        return working.platform.table.get(keys)
      },
    }
    const work = working.work({ platform: { ...working.platform, table } })
    const both = await Promise.allSettled([work.find(customers, id), work.find(customers, 'cus_0')])
    expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    fails = false
    work.forget()
    expect(await work.find(customers, id)).toMatchObject({ id })
  })
})

describe('a commit', () => {
  test('writes the record one version up, its entries and its events together', async () => {
    const record = newCustomer({ email: 'A@example.com', metadata: { '': 1, 'a.b': true } })
    const work = working.work()
    await work.commit([changed(customers, record, ['customer.created', 'customer.updated'])])
    expect(await work.find(customers, record.id)).toEqual({ ...record, version: 1 })
    expect(await working.work().find(customers, record.id)).toEqual({ ...record, version: 1 })
    expect(listed(record.id)).toEqual([
      `list#customer#${working.merchant}`,
      `list#customer#${working.merchant}#email#a@example.com`,
    ])
    const told = eventsAbout(record.id)
    expect(told.map(({ type }) => type)).toEqual(['customer.created', 'customer.updated'])
    expect(told.map(({ about }) => about)).toEqual(Array(2).fill({ kind: 'customer', id: record.id, version: 1 }))
    expect(JSON.parse(told[0]!.data as string)).toMatchObject({ id: record.id, resource: 'customer' })
    expect(items(`list#event#${working.merchant}`).filter(({ sk }) => told.some(({ id }) => id === sk))).toMatchObject([
      { facet: 'customer.created' },
      { facet: 'customer.updated' },
    ])
  })

  test('puts an outbox row beside each event, due a minute later, and none where nothing is told', async () => {
    const { id } = await kept()
    const told = eventsAbout(id)
    expect(outboxOf(told)).toEqual(
      told.map(({ pk }) => ({
        pk,
        sk: 'outbox',
        version: 1,
        due_at: timestamp(working.platform.clock.now() + 60_000),
        due_shard: dueShard('outbox', pk),
      })),
    )
    const before = items('event#').length
    await working.work().commit([changed(customers, newCustomer())])
    expect(items('event#')).toHaveLength(before)
  })

  test('with a version that is not so any more writes nothing of it', async () => {
    const [before, other] = [await kept(), newCustomer()]
    await working.work().commit([changed(customers, { ...before, email: 'winner@example.com' }, ['customer.updated'])])
    const work = working.work()
    const lost = work.commit([
      changed(customers, other, ['customer.created']),
      changed(customers, { ...before, email: 'loser@example.com' }, ['customer.updated']),
    ])
    await expect(lost).rejects.toThrow(WriteConflict)
    expect(await working.work().find(customers, other.id)).toBeUndefined()
    expect([eventsAbout(other.id).length, eventsAbout(before.id).length]).toEqual([0, 2])
    expect(items('event#').filter(({ sk }) => sk === 'outbox')).toHaveLength(
      items('event#').filter(({ sk }) => sk === 'event').length,
    )
    expect(listed(before.id)).toContain(`list#customer#${working.merchant}#email#winner@example.com`)
  })

  test('of a change that was made before is refused', async () => {
    const record = newCustomer()
    await working.work().commit([changed(customers, record)])
    await expect(working.work().commit([changed(customers, record)])).rejects.toThrow(WriteConflict)
  })

  test('of the same change has the same event ids, so that it is told once', async () => {
    const ids: string[] = []
    const record = newCustomer()
    for (const _ of [1, 2]) {
      const table = {
        ...measured(working.platform.table),
        write: async (writes: readonly object[]) => {
          for (const write of writes)
            if ('put' in write) ids.push((write.put as Item).sk === 'event' ? (write.put as Item).pk : '')
        },
      }
      await working
        .work({ platform: { ...working.platform, table } })
        .commit([changed(customers, record, ['customer.created'])])
    }
    const [one, other, ...more] = ids.filter(Boolean)
    expect([one, more]).toEqual([other, []])
  })

  test('takes entries out of the lists that the record has left', async () => {
    const before = await kept({ email: 'old@example.com' })
    await working.work().commit([changed(customers, { ...before, email: null })])
    expect(listed(before.id)).toEqual([`list#customer#${working.merchant}`])
  })

  test('of a removal leaves the event alone', async () => {
    const before = await kept({ email: 'gone@example.com' })
    const work = working.work()
    await work.commit([removed(customers, before, ['customer.deleted'])])
    expect(await work.find(customers, before.id)).toBeUndefined()
    expect(listed(before.id)).toEqual([])
    expect(eventsAbout(before.id).map(({ type }) => type)).toEqual(['customer.created', 'customer.deleted'])
    await expect(working.work().commit([removed(customers, before)])).rejects.toThrow(WriteConflict)
  })

  test('holds what must be unchanged, and changes nothing of it', async () => {
    const shown = { type: 'paypay', email: null } as const
    const customer = newCustomer().id
    const card = { version: 0, customer, sealed: 'x', shown, expiry_days: null }
    await working.work().commit([changed(cards, card)])
    const read = (await findCard(working.work(), customer))!
    await working.work().commit([changed(customers, newCustomer()), unchanged(cards, read)])
    await working.work().commit([changed(cards, { ...read, sealed: 'y' })])
    await expect(working.work().commit([changed(customers, newCustomer()), unchanged(cards, read)])).rejects.toThrow(
      WriteConflict,
    )
  })

  test('of other writes comes with them, or not at all', async () => {
    const put = { pk: 'other#1', sk: 'other', version: 1 }
    const record = newCustomer()
    await working.work().commit([changed(customers, record)], [{ put, was: 0 }])
    expect(items('other#1')).toHaveLength(1)
    const again = working.work().commit([changed(customers, { ...record, version: 1 })], [{ put, was: 0 }])
    await expect(again).rejects.toThrow(WriteConflict)
    expect(await working.work().find(customers, record.id)).toMatchObject({ version: 1 })
  })

  test('of nothing asks for nothing', async () => {
    const table = measured(working.platform.table)
    await working.work({ platform: { ...working.platform, table } }).commit([])
    expect(table.measure.calls).toBe(0)
  })

  test('of a record that is just born is refused once a minute has passed, since its hour may be counted by then', async () => {
    const record = newCustomer()
    const since = working.platform.clock.now()
    const sent = working.work({ platform: at(since + 30_000) })
    working.platform.clock.turnTo(since + 60_001)
    await expect(sent.commit([changed(customers, record)])).rejects.toThrow(WriteConflict)
  })

  test('of a record that was born long ago makes what was counted of its hour and day unknown', async () => {
    const record = newCustomer()
    const list = customerList(working.merchant)
    const rows = [hourRow(list, creationTimeOf(record.id)), dayRow(list, creationTimeOf(record.id))]
    await working.platform.table.write(rows.map((row) => ({ put: { ...row, version: 1, count: 0 } })))
    working.platform.clock.turnTo(working.platform.clock.now() + 2 * 3_600_000)
    await working.work().commit([changed(customers, record)])
    expect(listed(record.id)).toEqual([list.pk])
    for (const row of await working.platform.table.get(rows)) expect(row).not.toHaveProperty('count')
  })

  test('of many such records of one hour writes each of these rows once', async () => {
    const records = [newCustomer(), newCustomer(), newCustomer()]
    working.platform.clock.turnTo(working.platform.clock.now() + 31_000)
    await working.work().commit(records.map((record) => changed(customers, record)))
    expect(records.map(({ id }) => listed(id))).toEqual(Array(3).fill([customerList(working.merchant).pk]))
  })
})

describe('the order of events', () => {
  test('is that of the changes, also when the clock of a later one is slow', async () => {
    const before = await kept()
    const slow = working.work({ platform: at(working.platform.clock.now() - 50_000) })
    const read = await slow.get(customers, before.id)
    await slow.commit([changed(customers, { ...read, email: 'b@example.com' }, ['customer.updated'])])
    const [created, updated] = eventsAbout(before.id).sort((one, other) => (one.id! < other.id! ? -1 : 1))
    expect([created!.type, updated!.type]).toEqual(['customer.created', 'customer.updated'])
    expect(updated!.created_at).toBe(created!.created_at)
  })

  test('within one change is the order they were named in', async () => {
    const record = newCustomer()
    const types = ['customer.updated', 'customer.created', 'customer.deleted'] as const
    await working.work().commit([changed(customers, record, types)])
    const ids = eventsAbout(record.id).map(({ id, type }) => [id as string, type])
    expect(ids.sort().map(([, type]) => type)).toEqual(types)
  })
})

test('what falls due stands in the due index, and is out of it once nothing does', async () => {
  const work = working.work()
  const id = work.newId('payment')
  const record = paymentRecord({ id, version: 0, status: 'authorized' })
  await work.commit([changed(payments, record, ['payment.authorized'])])
  const item = async () => (await working.platform.table.get([recordKey('payment', working.merchant, id)]))[0]!
  expect(await item()).toMatchObject({
    due_at: record.payment_deadline,
    due_shard: expect.stringMatching(/^due#payment#\d\d$/),
  })
  await work.commit([changed(payments, { ...record, version: 1, status: 'captured' }, ['payment.captured'])])
  expect(await item()).not.toHaveProperty('due_at')
  expect(await item()).not.toHaveProperty('due_shard')
})

describe('the line that a change has for the log', () => {
  const line = { level: 'info', event: 'told' } as const

  test('is told once the change is committed, and not when it is refused', async () => {
    const record = newCustomer()
    const since = working.logs.length
    await working.work().commit([changed(customers, record, [], { log: line })])
    expect(working.logs.slice(since)).toEqual([line])
    const refused = working.work().commit([changed(customers, record, [], { log: line })])
    await expect(refused).rejects.toBeInstanceOf(WriteConflict)
    expect(working.logs.slice(since)).toEqual([line])
  })
})
