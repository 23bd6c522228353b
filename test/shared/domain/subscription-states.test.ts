import { describe, expect, test } from 'vitest'
import { intervalStart, periods } from '#shared/domain/calendar.ts'
import { type Subscription, type SubscriptionStatus, subscription_statuses } from '#shared/domain/subscription.ts'
import {
  begun,
  captureDue,
  captured,
  deleted,
  failed,
  nextCaptureAt,
  notArrived,
  type SubscriptionDecision,
  type Trigger,
  transitions,
} from '#shared/domain/subscription-states.ts'
import { timestamp } from '#shared/domain/timestamp.ts'
import { subscriptionRecord } from '#test/fixtures/records.ts'

const DAY_MS = 86_400_000
const ANCHOR = Date.parse('2030-01-31T03:00:00Z')
/** The time at which the second interval falls due. */
const NOW = Date.parse('2030-02-28T03:00:00Z')
const TOMORROW = '2030-03-01T03:00:00Z'

/** The fields of a subscription in each status. If it is not pending, its first interval has been captured. */
const captured_once = { interval: 1, payments: ['pay_1'] }
const ended_at = '2030-02-10T00:00:00Z'
const in_status: Readonly<Record<SubscriptionStatus, Partial<Subscription>>> = {
  pending: {},
  active: captured_once,
  retrying: { ...captured_once, tries: 1, retry_count: 1, retry_at: '2030-02-28T03:00:00Z' },
  suspended: { ...captured_once, tries: 4, retry_count: 4, ended_at },
  deleted: { ...captured_once, ended_at },
}
const subscription = (status: SubscriptionStatus, fields: Partial<Subscription> = {}) =>
  subscriptionRecord({ status, ...in_status[status], ...fields })

/** The failure of a try whose card was declined. */
const DECLINED = { code: 'card_declined', payment: 'pay_2' } as const

type Cell = readonly [to: SubscriptionStatus, ...events: string[]] | null

const captures: Cell = ['active', 'subscription.captured']
const retries: Cell = ['retrying', 'subscription.failed']
const suspends: Cell = ['suspended', 'subscription.failed', 'subscription.suspended']
const deletes: Cell = ['deleted', 'subscription.deleted']
const again: Cell = ['deleted']

/** The new status and the events of each cell. `null` means that the trigger cannot happen. */
// biome-ignore format: a table
const cells: Readonly<Record<SubscriptionStatus, Readonly<Record<Trigger, Cell>>>> = {
  pending:   { capture_succeeds: captures, capture_fails: suspends, capture_fails_too_often: null,     delete: deletes },
  active:    { capture_succeeds: captures, capture_fails: retries,  capture_fails_too_often: null,     delete: deletes },
  retrying:  { capture_succeeds: captures, capture_fails: retries,  capture_fails_too_often: suspends, delete: deletes },
  suspended: { capture_succeeds: null,     capture_fails: null,     capture_fails_too_often: null,     delete: deletes },
  deleted:   { capture_succeeds: null,     capture_fails: null,     capture_fails_too_often: null,     delete: again },
}

const every_cell = subscription_statuses.flatMap((status) =>
  (Object.keys(cells[status]) as Trigger[]).map((trigger) => ({ status, trigger, cell: cells[status][trigger] })),
)

/** The call that causes each trigger. */
const decisions: Readonly<Record<Trigger, (before: Subscription) => SubscriptionDecision>> = {
  capture_succeeds: (before) => captured(before, 'pay_2', NOW),
  capture_fails: (before) => failed({ ...before, retry_count: 0 }, DECLINED, NOW),
  capture_fails_too_often: (before) => failed({ ...before, retry_count: 3 }, DECLINED, NOW),
  delete: (before) => deleted(before, NOW),
}

describe('transitions', () => {
  test('has a cell for each status and trigger', () => {
    expect(Object.keys(transitions)).toEqual(subscription_statuses)
    expect(every_cell).toHaveLength(20)
  })

  test.each(every_cell.filter(({ cell }) => cell))(
    'on $trigger, a $status subscription changes to $cell',
    ({ status, trigger, cell }) => {
      const [to, ...events] = cell!
      expect(transitions[status][trigger]).toEqual({ to, events })
      const { next, events: emitted } = decisions[trigger](subscription(status))
      expect([next.status, ...emitted]).toEqual(cell)
    },
  )

  test.each(every_cell.filter(({ cell }) => !cell))(
    'rejects $trigger for a $status subscription',
    ({ status, trigger }) => {
      expect(transitions[status][trigger]).toBeUndefined()
      expect(() => decisions[trigger](subscription(status))).toThrow(
        `a ${status} subscription has no transition for ${trigger}`,
      )
    },
  )
})

describe('captured', () => {
  test.each(['pending', 'active', 'retrying'] as const)(
    'makes a %s subscription active, and moves it to the next interval',
    (status) => {
      const before = subscription(status, { in_flight: 'pay_2', tries: 2, not_before: '2030-02-28T00:00:00Z' })
      expect(captured(before, 'pay_2', NOW).next).toEqual({
        ...before,
        status: 'active',
        interval: before.interval + 1,
        payments: [...before.payments, 'pay_2'],
        tries: 0,
        retry_count: 0,
        retry_at: null,
        // The first interval is captured when the second is due, so the second counts as missed.
        not_before: status === 'pending' ? TOMORROW : null,
        in_flight: null,
      })
    },
  )

  test.each([0, 1, 2, 3])('keeps the original schedule after %i failures', (failures) => {
    let kept = subscription('active')
    let now = NOW
    for (let count = 0; count < failures; count++, now += DAY_MS) kept = failed(kept, DECLINED, now).next
    const { next } = captured(kept, 'pay_2', now)
    expect(next).toMatchObject({ status: 'active', retry_count: 0, retry_at: null, interval: 2 })
    expect([nextCaptureAt(next), captureDue(next)]).toEqual(Array(2).fill('2030-03-31T03:00:00Z'))
  })

  test.each(periods)('keeps the %s schedule although each capture is late by another time', (period) => {
    let kept = subscriptionRecord({ period, created_at: timestamp(ANCHOR) })
    for (let interval = 0; interval < 1_200; interval++) {
      const late = (interval * 7_919_000) % DAY_MS
      const next = captured(kept, 'pay_1', intervalStart(ANCHOR, period, interval) + late).next
      expect(next.not_before).toBeNull()
      expect(captureDue(next)).toBe(timestamp(intervalStart(ANCHOR, period, interval + 1)))
      kept = { ...next, payments: [] }
    }
  })
})

describe('failed', () => {
  test('schedules a retry 24 hours after each failure, and suspends at the fourth in a row', () => {
    let kept = subscription('active')
    const seen = [0, 1, 2, 3].map((day) => {
      const { next, events } = failed(begun(kept, `pay_${day}`), DECLINED, NOW + day * DAY_MS + day * 1_000)
      kept = next
      return [next.status, next.retry_count, next.retry_at, next.ended_at, next.tries, ...events]
    })
    expect(seen).toEqual([
      ['retrying', 1, '2030-03-01T03:00:00Z', null, 1, 'subscription.failed'],
      ['retrying', 2, '2030-03-02T03:00:01Z', null, 2, 'subscription.failed'],
      ['retrying', 3, '2030-03-03T03:00:02Z', null, 3, 'subscription.failed'],
      ['suspended', 4, null, '2030-03-03T03:00:03Z', 4, 'subscription.failed', 'subscription.suspended'],
    ])
    expect([nextCaptureAt(kept), captureDue(kept), kept.in_flight]).toEqual([null, undefined, null])
  })

  test('suspends at once if the first capture of the subscription fails', () => {
    const { next } = failed(begun(subscription('pending'), 'pay_1'), DECLINED, NOW)
    expect(next).toMatchObject({ status: 'suspended', retry_count: 1, retry_at: null, ended_at: timestamp(NOW) })
    expect([next.payments, next.in_flight, captureDue(next)]).toEqual([[], null, undefined])
  })

  test('counts the failures anew in each interval', () => {
    const recovered = captured(subscription('retrying', { retry_count: 3 }), 'pay_2', NOW).next
    expect(failed(recovered, DECLINED, NOW + 31 * DAY_MS).next).toMatchObject({ status: 'retrying', retry_count: 1 })
  })

  test('keeps the interval and the payments', () => {
    const before = subscription('active', { in_flight: 'pay_2', not_before: TOMORROW })
    const { next } = failed(before, DECLINED, NOW)
    expect(next).toEqual({
      ...before,
      status: 'retrying',
      retry_count: 1,
      retry_at: TOMORROW,
      not_before: null,
      in_flight: null,
      last_failure: { ...DECLINED, failed_at: timestamp(NOW) },
    })
  })
})

describe('begun and notArrived', () => {
  test('begun records the payment and counts the try, and nothing falls due meanwhile', () => {
    for (const status of ['pending', 'active', 'retrying'] as const) {
      const before = subscription(status)
      const next = begun(before, 'pay_2')
      expect(next).toEqual({ ...before, in_flight: 'pay_2', tries: before.tries + 1 })
      expect(captureDue(next)).toBeUndefined()
    }
  })

  test('notArrived counts no failure: another try with another number is due at the same time', () => {
    for (const status of ['pending', 'active', 'retrying'] as const) {
      const before = subscription(status)
      const { next, events } = notArrived(begun(before, 'pay_2'))
      expect(events).toEqual([])
      expect(next).toEqual({ ...before, tries: before.tries + 1 })
      expect(captureDue(next)).toBe(captureDue(before))
    }
  })
})

describe('deleted', () => {
  test.each(['pending', 'active', 'retrying', 'suspended'] as const)(
    'ends a %s subscription now, and nothing is due',
    (status) => {
      const before = subscription(status, { in_flight: 'pay_2', not_before: TOMORROW })
      const { next } = deleted(before, NOW)
      expect(next).toEqual({
        ...before,
        status: 'deleted',
        retry_at: null,
        not_before: null,
        in_flight: null,
        ended_at: timestamp(NOW),
      })
      expect([nextCaptureAt(next), captureDue(next)]).toEqual([null, undefined])
    },
  )

  test('returns a deleted subscription unchanged', () => {
    const before = subscription('deleted')
    expect(deleted(before, NOW)).toEqual({ next: before, events: [] })
    expect(deleted(before, NOW).next).toBe(before)
  })
})

describe('captureDue and nextCaptureAt', () => {
  test.each<[SubscriptionStatus, Partial<Subscription>, due: string | undefined, next: string | null]>([
    ['pending', {}, '2030-01-31T03:00:00Z', null],
    ['pending', { in_flight: 'pay_1' }, undefined, null],
    ['active', {}, '2030-02-28T03:00:00Z', '2030-02-28T03:00:00Z'],
    ['active', { in_flight: 'pay_1' }, undefined, '2030-02-28T03:00:00Z'],
    ['active', { interval: 13 }, '2031-02-28T03:00:00Z', '2031-02-28T03:00:00Z'],
    ['active', { not_before: '2030-03-05T10:00:00Z' }, '2030-03-05T10:00:00Z', '2030-02-28T03:00:00Z'],
    ['active', { not_before: '2030-02-01T10:00:00Z' }, '2030-02-28T03:00:00Z', '2030-02-28T03:00:00Z'],
    ['retrying', { retry_at: '2030-03-01T04:00:00Z' }, '2030-03-01T04:00:00Z', '2030-03-31T03:00:00Z'],
    ['retrying', { in_flight: 'pay_1' }, undefined, '2030-03-31T03:00:00Z'],
    ['suspended', {}, undefined, null],
    ['deleted', {}, undefined, null],
  ])('for %s %j, captureDue is %s and nextCaptureAt is %s', (status, fields, due, next) => {
    const kept = subscription(status, fields)
    expect([captureDue(kept), nextCaptureAt(kept)]).toEqual([due, next])
  })
})

describe('captured and failed after an outage', () => {
  test('capture each missed interval once, a day apart, and then return to the schedule', () => {
    let kept = subscription('active')
    let now = Date.parse('2030-07-10T09:30:00Z')
    const dates: string[] = []
    while (kept.interval < 8) {
      now = Math.max(now, Date.parse(captureDue(kept)!))
      dates.push(`${kept.interval} ${timestamp(now)}`)
      kept = captured(kept, `pay_${kept.interval}`, now).next
    }
    expect(dates).toEqual([
      '1 2030-07-10T09:30:00Z',
      '2 2030-07-11T09:30:00Z',
      '3 2030-07-12T09:30:00Z',
      '4 2030-07-13T09:30:00Z',
      '5 2030-07-14T09:30:00Z',
      '6 2030-07-31T03:00:00Z',
      '7 2030-08-31T03:00:00Z',
    ])
  })

  test('count an interval that begins at this moment as missed, and not one that begins a second later', () => {
    const march = intervalStart(ANCHOR, 'monthly', 2)
    const at = (now: number) => captured(subscription('active'), 'pay_2', now).next.not_before
    expect(at(march)).toBe(timestamp(march + DAY_MS))
    expect(at(march - 1_000)).toBeNull()
  })

  test('leave a day between a late retry and the next interval', () => {
    const weekly = subscription('retrying', { period: 'weekly' })
    const now = ANCHOR + 15 * DAY_MS
    const { next } = captured(weekly, 'pay_2', now)
    expect([nextCaptureAt(next), captureDue(next)]).toEqual(['2030-02-14T03:00:00Z', timestamp(now + DAY_MS)])
  })

  test('retry a missed interval a day after its failure', () => {
    const kept = subscription('active', { not_before: TOMORROW })
    const { next } = failed(kept, DECLINED, Date.parse(TOMORROW))
    expect(captureDue(next)).toBe('2030-03-02T03:00:00Z')
  })
})
