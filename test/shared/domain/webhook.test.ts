import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Event, type EventType, event_types } from '#shared/domain/event.ts'
import { event_list_types, freeSlots, WEBHOOKS_MAX, wants } from '#shared/domain/webhook.ts'
import { webhookRecord } from '#test/fixtures/delivery-record.ts'

const eventOf = (type: EventType, id = 'pay_1'): Event => ({
  id: 'evt_1',
  version: 1,
  type,
  about: { kind: type.split('.')[0]!, id, version: 1 },
  data: {},
  created_at: '2030-01-02T03:00:00Z',
})

test('wants accepts the events to which the webhook subscribes, and no others', () => {
  const webhook = webhookRecord({ event_list: ['payment.captured', 'customer.deleted', 'payout.created'] })
  expect(event_types.filter((type) => wants(webhook, eventOf(type)))).toEqual(['payment.captured', 'customer.deleted'])
})

test('wants rejects every event for an inactive webhook', () => {
  const webhook = webhookRecord({ event_list: event_types, active: false })
  expect(event_types.filter((type) => wants(webhook, eventOf(type)))).toEqual([])
})

test('wants accepts a ping only for its own webhook, even if that is inactive or not subscribed to pings', () => {
  for (const active of [true, false]) {
    const webhook = webhookRecord({ event_list: ['payment.captured'], active })
    expect(wants(webhook, eventOf('ping', webhook.id))).toBe(true)
    expect(wants({ ...webhook, event_list: ['ping'] }, eventOf('ping', 'whk_2'))).toBe(false)
  }
})

test('event_list_types holds every event type and payout.created', () => {
  expect(event_list_types).toEqual([...event_types, 'payout.created'])
})

describe('freeSlots', () => {
  const from = (first: number, last: number) => Array.from({ length: last - first + 1 }, (_, index) => first + index)
  const none = (count: number) => Array.from({ length: count }, () => undefined)

  test.each<[string, (number | undefined)[], number[]]>([
    ['no webhooks', [], from(1, 100)],
    ['three webhooks', [1, 50, 100], [...from(2, 49), ...from(51, 99)]],
    ['a hundred webhooks', from(1, 100), []],
    ['a hundred webhooks less one', from(2, 100), [1]],
    ['sixty webhooks without slots', none(60), from(1, 40)],
    ['sixty webhooks without slots, and two with', [...none(60), 7, 40], [...from(1, 6), ...from(8, 39)]],
    ['a hundred webhooks without slots', none(100), []],
    ['more webhooks than allowed', none(126), []],
    ['webhooks without slots that were made after those with slots', [...none(10), ...from(12, 100)], [1]],
  ])('returns the free slots with %s', (_, slots, free) => {
    expect(freeSlots(slots)).toEqual(free)
  })

  const slots = fc
    .tuple(fc.uniqueArray(fc.integer({ min: 1, max: WEBHOOKS_MAX }), { maxLength: WEBHOOKS_MAX }), fc.nat(130))
    .map(([taken, without]) => [...taken, ...none(without)])

  test('returns as many slots as the limit leaves', () => {
    fc.assert(
      fc.property(slots, (given) => {
        expect(freeSlots(given)).toHaveLength(Math.max(0, WEBHOOKS_MAX - given.length))
      }),
    )
  })

  test('never lets creates exceed the limit, even if they have read an older state', () => {
    const act = fc.record({ kind: fc.constantFrom('create', 'create', 'look', 'delete'), which: fc.nat() })
    fc.assert(
      fc.property(slots, fc.array(act, { maxLength: 200 }), (before, acts) => {
        const now = [...before]
        const seen = [[...now]]
        for (const { kind, which } of acts) {
          if (kind === 'look') seen.push([...now])
          if (kind === 'delete') now.splice(which % Math.max(1, now.length), 1)
          if (kind !== 'create') continue
          const free = freeSlots(seen[which % seen.length]!)
          const slot = free[which % free.length]
          // The transaction of a create fails if the slot has been taken meanwhile.
          if (slot !== undefined && !now.includes(slot)) now.push(slot)
          expect(now.length).toBeLessThanOrEqual(Math.max(WEBHOOKS_MAX, before.length))
        }
      }),
    )
  })
})
