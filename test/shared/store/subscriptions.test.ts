import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type SubscriptionStatus, subscription_statuses } from '#shared/domain/subscription.ts'
import { WriteConflict } from '#shared/platform/ports.ts'
import { changed, removed } from '#shared/store/change.ts'
import { kindOf, merchantAndId } from '#shared/store/keys.ts'
import { itemOf, recordOf } from '#shared/store/kind.ts'
import { additions, subscriptionList, subscriptions, subscriptionsBy } from '#shared/store/subscriptions.ts'
import { type Api, openApi } from '#test/fixtures/api.ts'
import { subscriptionRecord } from '#test/fixtures/records.ts'

const NOW = Date.parse('2030-01-31T03:00:00Z')
const item = (...[fields]: Parameters<typeof subscriptionRecord>) =>
  itemOf(subscriptions, 'mer_1', subscriptionRecord(fields), NOW)

describe('subscriptions', () => {
  test('are read as they were stored, whatever names their metadata has', () => {
    const metadata = { pk: 'a', version: 1.5, due_at: true, '': 'empty', __proto__x: 'ü' }
    const { customer, ...record } = subscriptionRecord({ metadata, interval: 3, tries: 1, in_flight: 'pay_1' })
    const kept = { ...record, customer: { ...customer, metadata } }
    const stored = itemOf(subscriptions, 'mer_1', kept, NOW)
    expect(recordOf(subscriptions, stored)).toEqual({ ...kept, version: 1 })
    expect([stored.pk, stored.sk]).toEqual(['subscription#mer_1#sub_1', 'subscription'])
    expect(merchantAndId(stored.pk)).toEqual({ merchant: 'mer_1', id: 'sub_1' })
  })

  test('are in the list of all and in that of their customer, with their status as the facet', () => {
    for (const status of subscription_statuses)
      expect(subscriptions.entries!('mer_1', subscriptionRecord({ status }))).toEqual([
        { list: subscriptionList('mer_1'), id: 'sub_1', facet: status },
        { list: subscriptionList('mer_1', 'cus_1'), id: 'sub_1', facet: status },
      ])
    expect([subscriptionList('mer_1').counted, subscriptionList('mer_1', 'cus_1').counted]).toEqual([true, false])
  })
})

describe('due time of a subscription', () => {
  test.each<[SubscriptionStatus, Parameters<typeof subscriptionRecord>[0], string]>([
    ['pending', {}, '2030-01-31T03:00:00Z'],
    ['active', { interval: 1 }, '2030-02-28T03:00:00Z'],
    ['active', { interval: 1, not_before: '2030-03-02T00:00:00Z' }, '2030-03-02T00:00:00Z'],
    ['retrying', { interval: 1, retry_at: '2030-03-01T03:00:00Z' }, '2030-03-01T03:00:00Z'],
  ])('a subscription that is %s with %j falls due at %s', (status, fields, due_at) => {
    const stored = item({ ...fields, status })
    expect(stored.due_at).toBe(due_at)
    expect(kindOf(stored.due_shard!)).toBe('subscription')
  })

  test.each([
    ['while a capture is in flight', { status: 'active', in_flight: 'pay_1' }],
    ['when it is suspended', { status: 'suspended', ended_at: '2030-01-31T03:00:00Z' }],
    ['when it is deleted', { status: 'deleted', ended_at: '2030-01-31T03:00:00Z' }],
  ] as const)('a subscription never falls due %s', (_, fields) => {
    const stored = item(fields)
    expect([stored.due_at, stored.due_shard]).toEqual([undefined, undefined])
  })
})

describe('subscriptionsBy', () => {
  test('reads the list of a customer, and filters statuses by the facet', () => {
    expect(subscriptionsBy('mer_1', {})).toEqual({ list: subscriptionList('mer_1'), accepts: undefined })
    const { list, accepts } = subscriptionsBy('mer_1', { customer: 'cus_1', status: ['active', 'retrying'] })
    expect(list).toEqual(subscriptionList('mer_1', 'cus_1'))
    expect(subscription_statuses.filter((status) => accepts!(status))).toEqual(['active', 'retrying'])
  })
})

describe('additions', () => {
  let service: Api
  beforeAll(async () => {
    service = await openApi()
  })
  afterAll(() => service.close())

  const none = { version: 0, customer: 'cus_1' }
  const read = () => service.work().at(additions, additions.key(service.test.id, none))
  const add = async (id: string) => {
    const work = service.work()
    await work.commit([changed(subscriptions, subscriptionRecord({ id }))])
    return work
  }
  const remove = (read_before: typeof none) => service.work().commit([removed(additions, read_before)])

  test('make a delete fail if a subscription was added since it read them, and no other delete', async () => {
    expect(await read()).toBeUndefined()
    await remove(none)
    const first = await add('sub_1')
    await expect(remove(none)).rejects.toThrow(WriteConflict)
    const read_before = (await read())!
    await first.commit([changed(subscriptions, { ...subscriptionRecord({ id: 'sub_1', version: 1 }), interval: 1 })])
    expect(await read()).toEqual(read_before)
    await add('sub_2')
    await expect(remove(read_before)).rejects.toThrow(WriteConflict)
    await remove((await read())!)
    expect(await read()).toBeUndefined()
  })

  test('do not conflict if several subscriptions are added concurrently', async () => {
    const all = Array.from({ length: 30 }, (_, index) => add(`sub_x${index}`))
    await expect(Promise.all(all)).resolves.toHaveLength(30)
  })
})
