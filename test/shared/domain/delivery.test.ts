import { describe, expect, test } from 'vitest'
import {
  type AttemptError,
  attempted,
  type Delivery,
  deliveryDue,
  isSuccess,
  type Lease,
  leased,
  redelivered,
} from '#shared/domain/delivery.ts'
import { ATTEMPTS_MAX, RETRY_WAITS } from '#shared/domain/retry-schedule.ts'
import { timestamp } from '#shared/domain/timestamp.ts'
import { attemptOutcome, deliveryRecord } from '#test/fixtures/records.ts'

const now = Date.parse('2030-01-02T03:00:00Z')
const at = (seconds: number) => timestamp(now + seconds * 1000)
const lease = (fields: Partial<Lease> = {}): Lease => ({ token: 'mine', until: at(50), outdated: false, ...fields })

/** Its third attempt is due or being made; it began 10 s ago. */
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
  'is asked for anew': (delivery: Delivery) => redelivered(delivery, now),
}

const held = { lease: lease({ token: 'new', until: at(60) }) }
const after = (attempts: number, tries = attempts) => ({ attempts_made: attempts, tries, lease: null })
const delivered = { status: 'delivered', next_attempt_at: null, failed_at: null } as const
const failed = { status: 'failed', next_attempt_at: null, failed_at: at(0) } as const
const retried = (seconds: number) => ({ next_attempt_at: at(seconds), failed_at: at(0) })
const ignored = { ...after(3, 0), next_attempt_at: at(0) }
const anew = { status: 'pending', tries: 0, first_attempt_at: null, failed_at: null, next_attempt_at: at(0) } as const

/** What changes of a delivery by each act, and when it is due then. */
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

  ['new',                 'is asked for anew',              anew,                                                      at(0)],
  ['pending',             'is asked for anew',              anew,                                                      at(0)],
  ['leased',              'is asked for anew',              { ...anew, lease: lease({ outdated: true }) },             at(50)],
  ['leased last',         'is asked for anew',              { ...anew, lease: lease({ outdated: true }) },             at(50)],
  ['leased too long',     'is asked for anew',              { ...anew, lease: null },                                  at(0)],
  ['leased and outdated', 'is asked for anew',              anew,                                                      at(50)],
  ['delivered',           'is asked for anew',              anew,                                                      at(0)],
  ['failed',              'is asked for anew',              anew,                                                      at(0)],
]

describe('a delivery', () => {
  test.each(cells)('that is %s %s', (state, act, changes, due) => {
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
  ] as const)('that is %s is due at %s', (state, due) => {
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
  ] as const)('answered with %s is delivered: %s', (answered, is_success) => {
    expect(isSuccess(attemptOutcome(answered))).toBe(is_success)
  })
})

describe('the retries of a delivery', () => {
  /** When each attempt began, in seconds after the first, for a receiver that fails after so many milliseconds. */
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

  test('come at fixed times after the first attempt, and after the last the delivery has failed', () => {
    const { began, last } = attemptsOf(deliveryRecord({ next_attempt_at: at(0) }), 900)
    expect(began).toEqual(offsets)
    expect(last).toMatchObject({ status: 'failed', attempts_made: ATTEMPTS_MAX, failed_at: at(25 * 86_400) })
  })

  test('never come before the attempt before them has ended, and then are at their times again', () => {
    const { began } = attemptsOf(deliveryRecord({ next_attempt_at: at(0) }), 30_000)
    expect(began).toEqual([0, 30, 60, ...offsets.slice(3)])
  })

  test('that were missed in an outage are spread: each waits as its schedule says, an hour at most', () => {
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

  test('begin anew when the delivery is asked for anew, and its attempts are counted on', () => {
    const { last } = attemptsOf(deliveryRecord({ next_attempt_at: at(-30 * 86_400) }), 0)
    const { began, last: in_the_end } = attemptsOf(redelivered(last, now), 0)
    expect(began).toEqual(offsets)
    expect(in_the_end.attempts_made).toBe(2 * ATTEMPTS_MAX)
  })

  test('count no attempt of a schedule that was given up while it was made', () => {
    const anew = redelivered(states['leased last'], now)
    const { began } = attemptsOf(attempted(anew, attemptOutcome(500), at(-10), now), 0)
    expect(began).toEqual(offsets)
  })
})
