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

/** Where each status can go, cell by cell. */
// biome-ignore format: a table
const cells: Readonly<Record<SessionStatus, Readonly<Record<SessionStatus, boolean>>>> = {
  pending:   { pending: false, completed: true,  cancelled: true },
  completed: { pending: false, completed: false, cancelled: false },
  cancelled: { pending: false, completed: false, cancelled: false },
}
const every_cell = statuses.flatMap((from) => statuses.map((to) => ({ from, to, can: cells[from][to] })))

describe('the table of states', () => {
  test.each(every_cell)('$from to $to: $can', ({ from, to, can }) => {
    expect(session_transitions[from].includes(to)).toBe(can)
  })

  test('a pending one completes with what it is told, at that time', () => {
    expect(completed(session('pending'), NOW, { customer_id: 'cus_1' })).toEqual({
      ...session('pending'),
      status: 'completed',
      customer_id: 'cus_1',
      completed_at: '2030-01-02T03:00:00Z',
    })
  })

  test.each(['completed', 'cancelled'] as const)('a %s one cannot complete', (status) => {
    expect(() => completed(session(status), NOW)).toThrow(`cannot go from ${status} to completed`)
  })

  test('a pending one is cancelled at that time', () => {
    expect(cancelSession(session('pending'), NOW)).toEqual({
      ...session('pending'),
      status: 'cancelled',
      cancelled_at: '2030-01-02T03:00:00Z',
    })
  })

  test('a completed one cannot be cancelled, a cancelled one stays as it is', () => {
    expect(refused(() => cancelSession(session('completed'), NOW))).toEqual({ code: 'not_cancellable', param: null })
    const cancelled = session('cancelled')
    expect(cancelSession(cancelled, NOW)).toBe(cancelled)
  })
})

describe('the end of its time', () => {
  test('comes to a pending one alone, at the very millisecond', () => {
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
  ] as const)('paying a %s one at %i is refused with %s', (status, now, code) => {
    if (code === null) expect(() => refusePayingEnded(session(status), now)).not.toThrow()
    else expect(refused(() => refusePayingEnded(session(status), now))).toEqual({ code, param: null })
  })
})

describe('a session that is being paid', () => {
  const out = [inFlight('charge')]

  test.each([
    ['a charge whose outcome is not known', paymentRecord({ status: 'pending', in_flight: out }), true],
    ['a customer who was sent elsewhere', paymentRecord({ status: 'pending' }), false],
    ['a payment that was cancelled with its charge out', paymentRecord({ status: 'cancelled', in_flight: out }), false],
    ['a payment that failed', paymentRecord({ status: 'failed' }), false],
    ['no payment', undefined, false],
  ])('has %s: %#', (_, payment, being_paid) => {
    expect(isBeingPaid(payment)).toBe(being_paid)
  })

  test('names the payment of its latest try, and the secure token of that', () => {
    const first = tried(session('pending'), paymentRecord({ id: 'pay_1', verified_by: 'tok_1' }))
    expect(first).toEqual({ ...session('pending'), payment: 'pay_1', tries: 1, secure_token: 'tok_1' })
    expect(tried(first, paymentRecord({ id: 'pay_2' }))).toMatchObject({
      payment: 'pay_2',
      tries: 2,
      secure_token: null,
    })
  })

  test('was tried often enough after twenty times', () => {
    expect(isExhausted({ ...session('pending'), tries: 19 })).toBe(false)
    const last = { ...session('pending'), tries: 20 }
    expect(isExhausted(last)).toBe(true)
    expect(refused(() => refusePayingEnded(last, 0))).toEqual({ code: 'unprocessable_entity', param: null })
  })
})
