import { describe, expect, test } from 'vitest'
import { isExpired, type Session, type SessionStatus } from '#shared/domain/session.ts'
import {
  cancelSession,
  completed,
  isBeingPaid,
  isExhausted,
  refusePayingEnded,
  session_transitions,
  tried,
} from '#shared/domain/session-states.ts'
import { inFlight, paymentRecord, sessionRecord } from '#test/fixtures/records.ts'
import { refused } from '#test/fixtures/refusals.ts'

const NOW = Date.parse('2030-01-02T03:00:00Z')
const EXPIRES = Date.parse('2030-01-03T03:00:00Z')
const statuses = ['pending', 'completed', 'cancelled'] as const

const in_status: Readonly<Record<SessionStatus, Partial<Session>>> = {
  pending: {},
  completed: { completed_at: '2030-01-02T02:00:00Z' },
  cancelled: { cancelled_at: '2030-01-02T02:00:00Z' },
}
const session = (status: SessionStatus) => sessionRecord({ status, ...in_status[status] })

/** Whether each status can change to each other status, cell by cell. */
// biome-ignore format: a table
const cells: Readonly<Record<SessionStatus, Readonly<Record<SessionStatus, boolean>>>> = {
  pending:   { pending: false, completed: true,  cancelled: true },
  completed: { pending: false, completed: false, cancelled: false },
  cancelled: { pending: false, completed: false, cancelled: false },
}
const every_cell = statuses.flatMap((from) => statuses.map((to) => ({ from, to, can: cells[from][to] })))

describe('session_transitions, completed and cancelSession', () => {
  test.each(every_cell)('session_transitions allows $from to $to: $can', ({ from, to, can }) => {
    expect(session_transitions[from].includes(to)).toBe(can)
  })

  test('completed sets the given fields and the time of a pending session', () => {
    expect(completed(session('pending'), NOW, { customer_id: 'cus_1' })).toEqual({
      ...session('pending'),
      status: 'completed',
      customer_id: 'cus_1',
      completed_at: '2030-01-02T03:00:00Z',
    })
  })

  test.each(['completed', 'cancelled'] as const)('completed throws for a %s session', (status) => {
    expect(() => completed(session(status), NOW)).toThrow(`cannot go from ${status} to completed`)
  })

  test('cancelSession sets the time of a pending session', () => {
    expect(cancelSession(session('pending'), NOW)).toEqual({
      ...session('pending'),
      status: 'cancelled',
      cancelled_at: '2030-01-02T03:00:00Z',
    })
  })

  test('cancelSession refuses a completed session, and leaves a cancelled session unchanged', () => {
    expect(refused(() => cancelSession(session('completed'), NOW))).toEqual({ code: 'not_cancellable', param: null })
    const cancelled = session('cancelled')
    expect(cancelSession(cancelled, NOW)).toBe(cancelled)
  })
})

describe('isExpired and refusePayingEnded', () => {
  test('isExpired is true for a pending session only, from the millisecond of its expiry on', () => {
    expect(isExpired(session('pending'), EXPIRES - 1)).toBe(false)
    expect(isExpired(session('pending'), EXPIRES)).toBe(true)
    expect(isExpired(session('completed'), EXPIRES)).toBe(false)
    expect(isExpired(session('cancelled'), EXPIRES)).toBe(false)
  })

  test.each([
    ['pending', EXPIRES - 1, null],
    ['pending', EXPIRES, 'unprocessable_entity'],
    ['cancelled', NOW, 'unprocessable_entity'],
    ['completed', EXPIRES, null],
  ] as const)('refusePayingEnded refuses a %s session at %i with %s', (status, now, code) => {
    if (code === null) expect(() => refusePayingEnded(session(status), now)).not.toThrow()
    else expect(refused(() => refusePayingEnded(session(status), now))).toEqual({ code, param: null })
  })
})

describe('isBeingPaid, tried and isExhausted', () => {
  const charging = [inFlight('charge')]

  test.each([
    ['a charge whose outcome is unknown', paymentRecord({ status: 'pending', in_flight: charging }), true],
    ['a customer who was redirected', paymentRecord({ status: 'pending' }), false],
    [
      'a payment that was cancelled during its charge',
      paymentRecord({ status: 'cancelled', in_flight: charging }),
      false,
    ],
    ['a payment that failed', paymentRecord({ status: 'failed' }), false],
    ['no payment', undefined, false],
  ])('isBeingPaid for %s (%#)', (_, payment, being_paid) => {
    expect(isBeingPaid(payment)).toBe(being_paid)
  })

  test('tried records the payment of the latest try and its secure token', () => {
    const first = tried(session('pending'), paymentRecord({ id: 'pay_1', verified_by: 'tok_1' }))
    expect(first).toEqual({ ...session('pending'), payment: 'pay_1', tries: 1, secure_token: 'tok_1' })
    expect(tried(first, paymentRecord({ id: 'pay_2' }))).toMatchObject({
      payment: 'pay_2',
      tries: 2,
      secure_token: null,
    })
  })

  test('isExhausted is true after twenty tries', () => {
    expect(isExhausted({ ...session('pending'), tries: 19 })).toBe(false)
    const last = { ...session('pending'), tries: 20 }
    expect(isExhausted(last)).toBe(true)
    expect(refused(() => refusePayingEnded(last, 0))).toEqual({ code: 'unprocessable_entity', param: null })
  })
})
