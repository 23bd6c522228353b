import { describe, expect, test } from 'vitest'
import {
  type AttemptError,
  attempted,
  type Delivery,
  deliveryDue,
  isSuccess,
  type Lease,
  leased,
  leaseEnded,
  redelivered,
} from '#shared/domain/delivery.ts'
import { ATTEMPTS_MAX, RETRY_WAITS } from '#shared/domain/retry-schedule.ts'
import { timestamp } from '#shared/domain/timestamp.ts'
import { attemptOutcome, deliveryRecord } from '#test/fixtures/records.ts'

const now = Date.parse('2030-01-02T03:00:00Z')
const at = (seconds: number) => timestamp(now + seconds * 1000)
const lease = (fields: Partial<Lease> = {}): Lease => ({ token: 'mine', until: at(50), outdated: false, ...fields })

/** A delivery whose third attempt fell due 10 s ago. If it is leased, the attempt began then. */
const third = { attempts_made: 2, tries: 2, first_attempt_at: at(-60), failed_at: at(-15), next_attempt_at: at(-10) }

const states = {
  new: deliveryRecord({ next_attempt_at: at(-10) }),
  pending: deliveryRecord(third),
  leased: deliveryRecord({ ...third, lease: lease() }),
  'leased first': deliveryRecord({ next_attempt_at: at(-10), lease: lease() }),
  'leased last': deliveryRecord({ ...third, attempts_made: 30, tries: 25, lease: lease() }),
  'leased too long': deliveryRecord({ ...third, lease: lease({ until: at(0) }) }),
  'leased and outdated': deliveryRecord({
    attempts_made: 2,
    next_attempt_at: at(-5),
    lease: lease({ outdated: true }),
  }),
  delivered: deliveryRecord({ ...third, status: 'delivered', next_attempt_at: null, failed_at: null }),
  failed: deliveryRecord({ ...third, status: 'failed', next_attempt_at: null, attempts_made: 26, tries: 26 }),
} satisfies Record<string, Delivery>

const ends = (answered: number | AttemptError) => (delivery: Delivery) =>
  attempted(delivery, attemptOutcome(answered), at(-10), now)

const acts = {
  'is leased': (delivery: Delivery) => leased(delivery, 'new', now),
  'is answered with 200': ends(200),
  'is answered with 500': ends(500),
  'gets no answer': ends('timeout'),
  'finds its webhook deleted': ends('webhook_deleted'),
  'finds its webhook switched off': ends('webhook_inactive'),
  'is redelivered': (delivery: Delivery) => redelivered(delivery, now),
}

const held = { lease: lease({ token: 'new', until: at(60) }) }
const after = (attempts: number, tries = attempts) => ({ attempts_made: attempts, tries, lease: null })
const delivered = { status: 'delivered', next_attempt_at: null, failed_at: null } as const
const failed = { status: 'failed', next_attempt_at: null, failed_at: at(0) } as const
const retried = (seconds: number) => ({ next_attempt_at: at(seconds), failed_at: at(0) })
const ignored = { ...after(3, 0), next_attempt_at: at(0) }
const anew = { status: 'pending', tries: 0, first_attempt_at: null, failed_at: null, next_attempt_at: at(0) } as const

/** The fields that each act changes in a delivery, and when the delivery falls due afterwards. */
// biome-ignore format: a table
const cells: [keyof typeof states, keyof typeof acts, Partial<Delivery>, string | undefined][] = [
  ['new',                 'is leased',                      held,                                                      at(60)],
  ['pending',             'is leased',                      held,                                                      at(60)],
  ['leased too long',     'is leased',                      held,                                                      at(60)],

  ['leased first',        'is answered with 200',           { ...after(1), ...delivered, first_attempt_at: at(-10) },  undefined],
  ['leased first',        'is answered with 500',           { ...after(1), ...retried(0), first_attempt_at: at(-10) }, at(0)],
  ['leased first',        'finds its webhook deleted',      { ...after(1), ...failed, first_attempt_at: at(-10) },     undefined],
  ['leased',              'is answered with 200',           { ...after(3), ...delivered },                             undefined],
  ['leased',              'is answered with 500',           { ...after(3), ...retried(-60 + 4 + 45 + 192) },           at(181)],
  ['leased',              'gets no answer',                 { ...after(3), ...retried(-60 + 4 + 45 + 192) },           at(181)],
  ['leased',              'finds its webhook deleted',      { ...after(3), ...failed },                                undefined],
  ['leased',              'finds its webhook switched off', { ...after(3), ...failed },                                undefined],
  ['leased last',         'is answered with 200',           { ...after(31, 26), ...delivered },                        undefined],
  ['leased last',         'is answered with 500',           { ...after(31, 26), ...failed },                           undefined],
  ['leased last',         'gets no answer',                 { ...after(31, 26), ...failed },                           undefined],
  ['leased and outdated', 'is answered with 200',           ignored,                                                   at(0)],
  ['leased and outdated', 'is answered with 500',           ignored,                                                   at(0)],
  ['leased and outdated', 'finds its webhook deleted',      ignored,                                                   at(0)],

  ['new',                 'is redelivered',                 anew,                                                      at(0)],
  ['pending',             'is redelivered',                 anew,                                                      at(0)],
  ['leased',              'is redelivered',                 { ...anew, lease: lease({ outdated: true }) },             at(50)],
  ['leased last',         'is redelivered',                 { ...anew, lease: lease({ outdated: true }) },             at(50)],
  ['leased too long',     'is redelivered',                 { ...anew, lease: null },                                  at(0)],
  ['leased and outdated', 'is redelivered',                 anew,                                                      at(50)],
  ['delivered',           'is redelivered',                 anew,                                                      at(0)],
  ['failed',              'is redelivered',                 anew,                                                      at(0)],
]

describe('Delivery', () => {
  test.each(cells)('a delivery that is %s moves to its next state when it %s', (state, act, changes, due) => {
    const next = acts[act](states[state])
    expect(next).toEqual({ ...states[state], ...changes })
    expect(deliveryDue(next)).toBe(due)
  })

  test.each([
    ['new', at(-10)],
    ['pending', at(-10)],
    ['leased', at(50)],
    ['leased too long', at(0)],
    ['delivered', undefined],
    ['failed', undefined],
  ] as const)('a delivery that is %s falls due at %s', (state, due) => {
    expect(deliveryDue(states[state])).toBe(due)
  })

  test.each([
    [199, false],
    [200, true],
    [299, true],
    [300, false],
    [404, false],
    [500, false],
    ['timeout', false],
  ] as const)('an attempt that is answered with %s is a success: %s', (answered, is_success) => {
    expect(isSuccess(attemptOutcome(answered))).toBe(is_success)
  })
})

describe('attempted', () => {
  /** When each attempt began, in seconds after the first, if the receiver fails after `latency_ms`. */
  function attemptsOf(delivery: Delivery, latency_ms: number): { began: number[]; last: Delivery } {
    const began: number[] = []
    let current = delivery
    while (current.status === 'pending') {
      const began_at = Date.parse(current.next_attempt_at!)
      began.push((began_at - now) / 1000)
      current = attempted(
        leased(current, 'token', began_at),
        attemptOutcome(500),
        timestamp(began_at),
        began_at + latency_ms,
      )
    }
    return { began, last: current }
  }

  const offsets = [
    0,
    ...RETRY_WAITS.map((_, index) => RETRY_WAITS.slice(0, index + 1).reduce((sum, one) => sum + one, 0)),
  ]

  test('schedules retries at fixed times after the first attempt, and fails the delivery after the last', () => {
    const { began, last } = attemptsOf(deliveryRecord({ next_attempt_at: at(0) }), 900)
    expect(began).toEqual(offsets)
    expect(last).toMatchObject({ status: 'failed', attempts_made: ATTEMPTS_MAX, failed_at: at(25 * 86_400) })
  })

  test('schedules no retry before the previous attempt has ended, and then returns to the fixed times', () => {
    const { began } = attemptsOf(deliveryRecord({ next_attempt_at: at(0) }), 30_000)
    expect(began).toEqual([0, 30, 60, ...offsets.slice(3)])
  })

  test('spreads retries that an outage delayed: each waits as long as in the schedule, an hour at most', () => {
    let delivery = attempted(deliveryRecord(), attemptOutcome(500), at(0), now)
    let began = 30 * 86_400
    const waits = RETRY_WAITS.slice(1).map((wait) => {
      delivery = attempted(delivery, attemptOutcome(500), at(began), now + began * 1000)
      const waited = (Date.parse(delivery.next_attempt_at!) - now) / 1000 - began
      began += waited
      return [waited, Math.min(wait, 3_600)]
    })
    for (const [waited, expected] of waits) expect(waited).toBe(expected)
    expect(attempted(delivery, attemptOutcome(500), at(began), now + began * 1000).status).toBe('failed')
  })

  test('starts the schedule again after a redelivery, and goes on counting the attempts', () => {
    const { last } = attemptsOf(deliveryRecord({ next_attempt_at: at(-30 * 86_400) }), 0)
    const { began, last: in_the_end } = attemptsOf(redelivered(last, now), 0)
    expect(began).toEqual(offsets)
    expect(in_the_end.attempts_made).toBe(2 * ATTEMPTS_MAX)
  })

  test('does not count an attempt that a redelivery overtook', () => {
    const anew = redelivered(states['leased last'], now)
    const { began } = attemptsOf(attempted(anew, attemptOutcome(500), at(-10), now), 0)
    expect(began).toEqual(offsets)
  })
})

describe('leaseEnded', () => {
  test('makes a delivery due at once for another worker', () => {
    const ended = leaseEnded(states.leased, now)
    expect([deliveryDue(states.leased), deliveryDue(ended)]).toEqual([at(50), at(0)])
    expect(ended).toEqual({ ...states.leased, lease: lease({ until: at(0) }) })
    expect(leased(ended, 'new', now)).toMatchObject(held)
  })

  test('changes no delivery without a lease', () => {
    expect(leaseEnded(states.pending, now)).toBe(states.pending)
  })
})
