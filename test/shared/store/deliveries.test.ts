import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { creationTimeOf, idOf } from '#shared/domain/ids.ts'
import { timestamp } from '#shared/domain/timestamp.ts'
import { changed } from '#shared/store/change.ts'
import {
  type DeliveryFilter,
  deliveries,
  deliveriesBy,
  deliveryAttempts,
  deliveryId,
  deliveryList,
} from '#shared/store/deliveries.ts'
import { isId } from '#shared/store/keys.ts'
import { itemOf } from '#shared/store/kind.ts'
import { pageOfRecords } from '#shared/store/list-query.ts'
import { type Api, openApi, START } from '#test/fixtures/api.ts'
import { deliveryRecord } from '#test/fixtures/records.ts'

const eventBorn = (at: number, entropy = 0) => idOf('event', at, new Uint8Array(16).fill(entropy))

describe('deliveryId', () => {
  const event = eventBorn(START)

  test('is the same for the same event and receiver, and differs for any other', () => {
    const ids = [
      deliveryId(event, 'webhook#whk_1'),
      deliveryId(event, 'webhook#whk_2'),
      deliveryId(event, 'url#0#https://shop.example/'),
      deliveryId(event, 'url#1#https://shop.example/'),
      deliveryId(eventBorn(START, 1), 'webhook#whk_1'),
      deliveryId(eventBorn(START + 1), 'webhook#whk_1'),
    ]
    expect(new Set(ids).size).toBe(ids.length)
    expect(deliveryId(event, 'webhook#whk_1')).toBe(ids[0])
  })

  test('is spelled as before, so that no stored delivery is created again under another id', () => {
    expect(deliveryId(event, 'webhook#whk_1')).toBe(`dlv_${event.slice(4)}q74f8ncawkn69xmq`)
  })

  test('is a valid id with the creation time of its event, and ends alike for all events of a receiver', () => {
    const [one, other] = [eventBorn(START, 1), eventBorn(START + 5_000, 2)].map((id) => deliveryId(id, 'webhook#whk_1'))
    expect([isId(one!), creationTimeOf(one!), creationTimeOf(other!)]).toEqual([true, START, START + 5_000])
    expect(one).toMatch(new RegExp(`^dlv_${eventBorn(START, 1).slice(4)}[0-9a-z]{16}$`))
    expect(one!.slice(-16)).toBe(other!.slice(-16))
  })
})

describe('deliveries', () => {
  const listsOf = (fields: Parameters<typeof deliveryRecord>[0]) =>
    deliveries.entries!('mer_1', deliveryRecord(fields)).map(({ list, id, facet }) => [
      list.pk,
      list.counted,
      id,
      facet,
    ])

  test.each([
    [
      { status: 'failed' },
      'failed/whk_1/pay_1',
      ['list#delivery#mer_1', 'list#delivery#mer_1#webhook#whk_1', 'list#delivery#mer_1#payment#pay_1'],
    ],
    [{ payment: null }, 'pending/whk_1/', ['list#delivery#mer_1', 'list#delivery#mer_1#webhook#whk_1']],
    [{ webhook: null, entry: 0 }, 'pending//pay_1', ['list#delivery#mer_1', 'list#delivery#mer_1#payment#pay_1']],
  ] as const)('a delivery with %j has the facet %s in the lists %j', (fields, facet, lists) => {
    expect(listsOf(fields)).toEqual(lists.map((pk) => [pk, !pk.includes('#payment#'), 'dlv_1', facet]))
  })

  test('falls due at its next attempt or at the end of its lease, and never after its end', () => {
    const due = (fields: Parameters<typeof deliveryRecord>[0]) => {
      const { due_at, due_shard } = itemOf(deliveries, 'mer_1', deliveryRecord(fields), START)
      return [due_at, due_shard?.replace(/\d+$/, '')]
    }
    const lease = { token: 't', until: timestamp(START + 60_000), outdated: false }
    expect(due({ next_attempt_at: timestamp(START) })).toEqual([timestamp(START), 'due#delivery#'])
    expect(due({ next_attempt_at: timestamp(START), lease })).toEqual([lease.until, 'due#delivery#'])
    expect(due({ status: 'failed', next_attempt_at: null })).toEqual([undefined, undefined])
  })

  test('stores attempts under their delivery, in their order', () => {
    const outcome = { status_code: 500, latency_ms: 1, response_body: '', error: null, attempted_at: timestamp(START) }
    const keys = [0, 9, 10, 104].map((number) =>
      deliveryAttempts.key('mer_1', { ...outcome, version: 0, delivery: 'dlv_1', number }),
    )
    expect(new Set(keys.map(({ pk }) => pk))).toEqual(new Set([deliveries.key('mer_1', deliveryRecord()).pk]))
    expect(keys.map(({ sk }) => sk).toSorted()).toEqual(keys.map(({ sk }) => sk))
  })
})

describe('deliveriesBy', () => {
  const HOUR = 3_600_000
  const events = [eventBorn(START), eventBorn(START + 1, 1), eventBorn(START + HOUR, 2)]
  const [first, second, third] = events as [string, string, string]
  let service: Api
  beforeAll(async () => {
    service = await openApi()
    const statuses = ['pending', 'delivered', 'failed'] as const
    for (const [n, event] of events.entries())
      for (const [m, webhook] of ['whk_1', 'whk_2', null].entries()) {
        const payment = n === 2 ? 'pay_2' : 'pay_1'
        const id = deliveryId(event, webhook ?? 'url')
        const fields = { id, version: 0, event, webhook, payment, entry: webhook ? null : 0, next_attempt_at: null }
        const record = deliveryRecord({ ...fields, status: statuses[(n + m) % 3]! })
        await service.work().commit([changed(deliveries, record)])
      }
    const id = deliveryId(third, 'customer')
    const fields = { id, version: 0, event: third, webhook: 'whk_1', payment: null, next_attempt_at: null }
    await service.work().commit([changed(deliveries, deliveryRecord({ ...fields, status: 'failed' }))])
  })
  afterAll(() => service.close())

  /** Event, receiver and status of each delivery that the filter returns. */
  async function found(filter: DeliveryFilter) {
    const { list, accepts, times } = deliveriesBy(service.test.id, filter)
    const { data, total } = await pageOfRecords(
      service.work(),
      deliveries,
      list,
      { page: 1, per_page: 100, ...times },
      accepts,
    )
    expect(total).toBe(data.length)
    return data
      .map(({ event, webhook, payment, status }) => `${events.indexOf(event)} ${webhook ?? 'url'} ${payment} ${status}`)
      .toSorted()
  }

  const all = [
    '0 url pay_1 failed',
    '0 whk_1 pay_1 pending',
    '0 whk_2 pay_1 delivered',
    '1 url pay_1 pending',
    '1 whk_1 pay_1 delivered',
    '1 whk_2 pay_1 failed',
    '2 url pay_2 delivered',
    '2 whk_1 null failed',
    '2 whk_1 pay_2 failed',
    '2 whk_2 pay_2 pending',
  ]
  const matching = (pattern: RegExp) => all.filter((line) => pattern.test(line))

  test.each<[DeliveryFilter, RegExp]>([
    [{}, /./],
    [{ status: ['failed'] }, /failed/],
    [{ status: ['failed', 'pending'] }, /failed|pending/],
    [{ webhook: 'whk_1' }, /whk_1/],
    [{ webhook: 'whk_1', status: ['failed'] }, /whk_1.*failed/],
    [{ webhook: 'whk_9' }, /never/],
    [{ payment: 'pay_1' }, /pay_1/],
    [{ payment: 'pay_1', status: ['delivered'] }, /pay_1 delivered/],
    [{ payment: 'pay_2', webhook: 'whk_1' }, /whk_1 pay_2/],
    [{ payment: 'pay_1', webhook: 'whk_2', status: ['failed', 'delivered'] }, /whk_2 pay_1 (failed|delivered)/],
    [{ event: first }, /^0/],
    [{ event: second }, /^1/],
    [{ event: third }, /^2/],
    [{ event: third, webhook: 'whk_1' }, /^2 whk_1/],
    [{ event: third, payment: 'pay_2' }, /^2.*pay_2/],
    [{ event: third, payment: 'pay_1' }, /never/],
    [{ event: third, webhook: 'whk_1', payment: 'pay_2', status: ['failed'] }, /^2 whk_1 pay_2 failed/],
    [{ event: third, status: ['pending'] }, /^2.*pending/],
    [{ event: eventBorn(START, 9) }, /never/],
    [{ start_time: START }, /^2/],
    [{ end_time: START + 1_000 }, /^[01]/],
    [{ webhook: 'whk_2', start_time: START }, /^2 whk_2/],
    [{ payment: 'pay_1', end_time: START + 1_000 }, /pay_1/],
    [{ payment: 'pay_1', start_time: START + 1_000 }, /never/],
    [{ event: second, start_time: START - 1_000, end_time: START + 1_000 }, /^1/],
    [{ event: second, start_time: START }, /never/],
    [{ event: second, end_time: START }, /never/],
    [{ event: third, start_time: START + 1_000, status: ['failed'] }, /^2.*failed/],
  ])('returns the matching deliveries for %j', async (filter, pattern) => {
    expect(await found(filter)).toEqual(matching(pattern))
  })

  test.each([
    'evt_',
    'evt_0',
    'dlv_1',
    first.slice(0, -1),
    `${first}0`,
    first.toUpperCase(),
    first.replace('evt_', 'dlv_'),
    `evt_${'u'.repeat(26)}`,
    `evt_${'#'.repeat(26)}`,
    `evt_${'~'.repeat(26)}`,
    '#'.repeat(255),
  ])('returns nothing for %j, which is not an event id', async (event) => {
    expect(await found({ event })).toEqual([])
    expect(await found({ event, webhook: 'whk_1', status: ['failed'] })).toEqual([])
  })

  test('never returns a delivery of another merchant', async () => {
    const other = service.work({ merchant: 'mer_other' })
    for (const filter of [{}, { event: first }, { webhook: 'whk_1' }, { payment: 'pay_1' }]) {
      const { list, accepts, times } = deliveriesBy('mer_other', filter)
      const { total } = await pageOfRecords(other, deliveries, list, { page: 1, per_page: 10, ...times }, accepts)
      expect(total).toBe(0)
    }
  })

  test('reads the shortest list, and uses the facet only if the list does not decide', () => {
    const of = (filter: DeliveryFilter) => {
      const { list, accepts } = deliveriesBy('mer_1', filter)
      return [list.pk.replace('list#delivery#mer_1', ''), list.counted, accepts !== undefined]
    }
    expect([{}, { webhook: 'w' }, { payment: 'p' }, { payment: 'p', webhook: 'w' }, { event: first }].map(of)).toEqual([
      ['', true, false],
      ['#webhook#w', true, false],
      ['#payment#p', false, false],
      ['#payment#p', false, true],
      ['', false, false],
    ])
    expect(deliveryList('mer_1').prefix).toBe('dlv_')
  })
})
