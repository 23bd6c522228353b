import { afterAll, beforeAll, expect, test } from 'vitest'
import { changed, removed } from '#shared/store/change.ts'
import { itemOf } from '#shared/store/kind.ts'
import { pageOfRecords } from '#shared/store/list-query.ts'
import { slotsOf, webhookList, webhooks } from '#shared/store/webhooks.ts'
import { type Api, openApi, START } from '#test/fixtures/api.ts'
import { webhookRecord } from '#test/fixtures/records.ts'

let service: Api
beforeAll(async () => {
  service = await openApi()
})
afterAll(() => service.close())

test('webhookList holds the webhooks of a merchant, newest first, until they are deleted', async () => {
  const made = []
  for (let n = 0; n < 3; n++) {
    service.platform.clock.turnTo(START + n)
    const record = webhookRecord({ id: service.work().newId('webhook'), version: 0 })
    await service.work().commit([changed(webhooks, record, ['ping'])])
    made.unshift({ ...record, version: 1 })
  }
  const listed = async (merchant = service.test.id) =>
    (await pageOfRecords(service.work({ merchant }), webhooks, webhookList(merchant), { page: 1, per_page: 10 })).data
  expect(await listed()).toEqual(made)
  expect(await listed('mer_other')).toEqual([])
  await service.work().commit([removed(webhooks, made[1]!)])
  expect(await listed()).toEqual([made[0], made[2]])
})

test('slotsOf returns the slot of each webhook, if it has one', async () => {
  const merchant = 'mer_slots'
  const make = (slot?: number) => webhookRecord({ id: service.work().newId('webhook'), version: 0, slot })
  for (const slot of [7, undefined, 100]) await service.work({ merchant }).commit([changed(webhooks, make(slot))])
  const slots = await slotsOf(service.work({ merchant }))
  expect(slots).toHaveLength(3)
  expect(new Set(slots)).toEqual(new Set([7, undefined, 100]))
})

test('webhookList is not counted', () => {
  expect(webhookList('mer_1')).toEqual({ pk: 'list#webhook#mer_1', prefix: 'whk_', counted: false })
})

test('webhooks fall due only during a recovery', () => {
  const due = (recovery: Parameters<typeof webhookRecord>[0]) => {
    const { due_at, due_shard } = itemOf(webhooks, 'mer_1', webhookRecord(recovery), START)
    return [due_at, due_shard?.replace(/\d+$/, '')]
  }
  const due_at = '2030-01-02T03:00:00Z'
  expect(due({ recovery: { since: '2030-01-01T00:00:00Z', next: null, due_at } })).toEqual([due_at, 'due#webhook#'])
  expect(due({})).toEqual([undefined, undefined])
})

test('webhooks.view returns the documented fields, and no secret', () => {
  const secret = { sealed: 'sealed', previous: { sealed: 'before', until: '2030-01-03T00:00:00Z' } }
  const recovery = { since: '2030-01-01T00:00:00Z', next: null, due_at: '2030-01-02T03:00:00Z' }
  expect(webhooks.view!(webhookRecord({ secret, recovery }))).toEqual({
    id: 'whk_1',
    resource: 'webhook',
    url: 'https://shop.example/hook',
    active: true,
    event_list: ['payment.captured'],
    created_at: '2030-01-02T03:00:00Z',
  })
})
