import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type Listing, newTestClock } from '#shared/domain/test-clock.ts'
import type { Item } from '#shared/platform/ports.ts'
import { listDueRecords } from '#shared/scheduling/list-due-records.ts'
import { dueEntries } from '#shared/store/due-entries.ts'
import { listPk, recordKey } from '#shared/store/keys.ts'
import { CrashPoints } from '#test/faults/crash-points.ts'
import { itemsOf } from '#test/faults/witness.ts'
import { type Api, card, konbini, openApi } from '#test/fixtures/api.ts'

const points = new CrashPoints()
let api: Api
beforeEach(async () => {
  api = await openApi({ around: points.around })
})
afterEach(async () => {
  points.disarm()
  await api.close()
})

const first = (): Listing => newTestClock(api.test.id, api.platform.clock.now()).listing!
const entries = () => dueEntries(api.platform.table, api.test.id, { limit: 10_000 })

/** Lists all due records. Returns the number of calls. */
async function listAll(): Promise<number> {
  let calls = 0
  for (let listing: Listing | null = first(); listing; calls++)
    listing = await listDueRecords(api.work({ platform: api.injected }), listing)
  return calls
}

const pay = async (fields: object) => (await api.request('POST /payments', { json: fields })).body
const reserve = () => pay({ amount: 100, currency: 'JPY', payment_details: konbini })

/** Stores copies of a payment under other ids, with their entries in the list of all payments. */
async function copies(payment: Item, count: number): Promise<void> {
  for (let from = 0; from < count; from += 50) {
    const writes = Array.from({ length: Math.min(50, count - from) }, (_, index) => {
      const id = `${payment.id}${String(from + index).padStart(5, '0')}`
      const entry = { pk: listPk('payment', api.test.id), sk: id, version: 1, facet: 'authorized/JPY' }
      return [{ put: { ...payment, ...recordKey('payment', api.test.id, id), id } }, { put: entry }]
    })
    await api.platform.table.write(writes.flat())
  }
}

describe('listDueRecords', () => {
  test('lists subscriptions, open payments, pending deliveries and the settlement, and nothing that has ended', async () => {
    await api.request('POST /webhooks', { json: { url: 'https://shop.example/', event_list: ['customer.created'] } })
    const json = { payment_details: card(), email: 'a@b.example' }
    const customer = (await api.request('POST /customers', { json })).body.id
    const subscribe = async () =>
      (
        await api.request('POST /subscriptions', {
          json: { amount: 1000, currency: 'JPY', period: 'monthly', customer },
        })
      ).body.id
    const [kept, deleted] = [await subscribe(), await subscribe()]
    await api.request(`DELETE /subscriptions/${deleted}`)
    const open = (await reserve()).id
    await pay({ amount: 100, currency: 'JPY', payment_details: card() })
    await api.advance(1)
    expect(await entries()).toEqual([])
    expect(await listAll()).toBe(1)
    const due = (await entries()).map(({ kind, pk }) => `${kind} ${pk.split('#')[2]}`)
    const deliveries: { id: string }[] = (await api.request('GET /deliveries?status=pending')).body.data
    const expected = [`subscription ${kept}`, `payment ${open}`, `settling ${api.test.id}`]
    expect(due.sort()).toEqual([...expected, ...deliveries.map(({ id }) => `delivery ${id}`)].sort())
    expect(deliveries).not.toEqual([])
  })

  test('continues where it stopped with thousands of due records, and a repetition changes nothing', async () => {
    const { id } = await reserve()
    await copies(itemsOf(api, 'payment').find((item) => item.id === id)!, 2_500)
    expect(await listAll()).toBe(3)
    const listed = await entries()
    expect(listed).toHaveLength(2_501)
    await listAll()
    expect((await entries()).map(({ pk }) => pk)).toEqual(listed.map(({ pk }) => pk))
  })

  test('lists inquiries about a charge whose outcome is unknown', async () => {
    const json = { amount: 700, currency: 'JPY', payment_details: card() }
    await api.request('POST /payments', { json, headers: { 'x-service-scenario': 'timeout_after_charge' } })
    await listAll()
    expect((await entries()).map(({ kind }) => kind)).toContain('attempt')
  })

  test('lists no outdated time of a record that changes meanwhile', async () => {
    const { id } = await reserve()
    points.armMeanwhile(6, () => api.request(`POST /payments/${id}/cancel`))
    await expect(listAll()).rejects.toThrow('a version has changed')
    points.disarm()
    await listAll()
    expect(await entries()).toEqual([])
  })
})
