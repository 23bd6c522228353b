import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Event, type EventType, event_types } from '#shared/domain/event.ts'
import {
  continueRecovery,
  createWebhook,
  event_list_types,
  freeSlots,
  recoverWebhook,
  refuseFuture,
  rotateSecret,
  updateWebhook,
  WEBHOOKS_MAX,
  wants,
} from '#shared/domain/webhook.ts'
import { webhookRecord } from '#test/fixtures/records.ts'
import { refused } from '#test/fixtures/refusals.ts'

const NOW = Date.parse('2030-01-02T03:00:00.500Z')
const AT = '2030-01-02T03:00:00Z'

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

describe('createWebhook', () => {
  const fields = { id: 'whk_1', url: 'https://shop.example/', active: true, event_list: ['ping'], slot: 7 } as const

  test.each([
    ['a secret', 'sealed', { sealed: 'sealed', previous: null }],
    ['no secret', null, null],
  ])('makes a webhook with %s, and pings it', (_, sealed, secret) => {
    expect(createWebhook(fields, sealed, NOW)).toEqual({
      next: { ...fields, version: 0, secret, recovery: null, created_at: AT },
      events: ['ping'],
    })
  })
})

describe('updateWebhook', () => {
  const rotated = { sealed: 'b', previous: { sealed: 'a', until: '2030-01-03T03:00:00Z' } }
  const before = webhookRecord({ secret: rotated, recovery: { since: AT, next: 'dlv_1', due_at: AT } })

  test.each([
    ['keeps both secrets', undefined, rotated],
    ['replaces both secrets', 'c', { sealed: 'c', previous: null }],
    ['removes both secrets', null, null],
  ])('%s if the new secret is %j, without an event', (_, sealed, secret) => {
    expect(updateWebhook(before, {}, sealed)).toEqual({ next: { ...before, secret }, events: [] })
  })

  test('changes the named fields, and keeps the others', () => {
    const fields = { url: 'https://new.example/', active: false }
    expect(updateWebhook(before, fields, undefined).next).toEqual({ ...before, ...fields })
  })
})

describe('rotateSecret', () => {
  test('replaces the secret, and keeps everything else', () => {
    const before = webhookRecord({ secret: { sealed: 'a', previous: null }, active: false })
    expect(rotateSecret(before, 'b', 60, NOW)).toEqual({
      next: { ...before, secret: { sealed: 'b', previous: { sealed: 'a', until: '2030-01-02T03:01:01Z' } } },
      events: [],
    })
  })
})

describe('recoverWebhook', () => {
  test('accepts a time up to now', () => {
    expect(refused(() => refuseFuture(NOW + 1, NOW))).toEqual({ code: 'invalid_parameter', param: 'since' })
    refuseFuture(NOW, NOW)
  })

  test('begins at once, with the oldest delivery', () => {
    const webhook = webhookRecord()
    expect(recoverWebhook(webhook, NOW - 1_000, NOW)).toEqual({
      next: { ...webhook, recovery: { since: '2030-01-02T02:59:59Z', next: null, due_at: AT } },
      events: [],
    })
  })

  test.each([
    ['an earlier time', -3_600_000, -7_200_000],
    ['a later time', -7_200_000, -3_600_000],
  ])('since %s than a running recovery starts again since the earlier of both', (_, first, second) => {
    const { next: begun } = recoverWebhook(webhookRecord(), NOW + first, NOW - 60_000)
    const { next: halfway } = continueRecovery(begun, 'dlv_50', NOW - 30_000)
    expect(recoverWebhook(halfway, NOW + second, NOW).next.recovery).toEqual({
      since: '2030-01-02T01:00:00Z',
      next: null,
      due_at: AT,
    })
  })

  test('is refused for an inactive webhook, also while a recovery is running', () => {
    for (const recovery of [null, { since: AT, next: null, due_at: AT }])
      expect(refused(() => recoverWebhook(webhookRecord({ active: false, recovery }), NOW, NOW))).toEqual({
        code: 'unprocessable_entity',
        param: null,
      })
  })
})

describe('continueRecovery', () => {
  const running = webhookRecord({
    recovery: { since: '2030-01-01T00:00:00Z', next: null, due_at: '2030-01-02T02:00:00Z' },
  })

  test('is due again at once, behind the last delivery', () => {
    expect(continueRecovery(running, 'dlv_9', NOW)).toEqual({
      next: { ...running, recovery: { since: '2030-01-01T00:00:00Z', next: 'dlv_9', due_at: AT } },
      events: [],
    })
  })

  test('ends after the last delivery, and begins nothing that is not running', () => {
    expect(continueRecovery(running, undefined, NOW).next).toEqual({ ...running, recovery: null })
    expect(continueRecovery(webhookRecord(), 'dlv_9', NOW).next.recovery).toBeNull()
  })
})
