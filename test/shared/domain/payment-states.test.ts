import { describe, expect, test } from 'vitest'
import { type PaymentStatus, payment_statuses } from '#shared/domain/payment.ts'
import { left, moved, refuseWhile, transitions } from '#shared/domain/payment-states.ts'
import { inFlight, paymentRecord, refundRequest } from '#test/fixtures/records.ts'
import { refused } from '#test/fixtures/refusals.ts'

const allowed = new Set([
  'pending → authorized',
  'pending → captured',
  'pending → cancelled',
  'pending → expired',
  'pending → failed',
  'authorized → captured',
  'authorized → cancelled',
  'authorized → expired',
  'captured → refunded',
])

const cells = payment_statuses.flatMap((from) =>
  payment_statuses.map((to) => ({ from, to, may: allowed.has(`${from} → ${to}`) })),
)

describe('moved', () => {
  test.each(cells)('allows $from → $to: $may', ({ from, to, may }) => {
    const before = paymentRecord({ status: from, description: 'kept' })
    const move = () => moved(before, to, { captured_at: '2030-01-02T03:00:00Z' })
    if (may) expect(move()).toEqual({ ...before, status: to, captured_at: '2030-01-02T03:00:00Z' })
    else expect(move).toThrow(`a payment cannot go from ${from} to ${to}`)
  })

  test('the final statuses are those without transitions', () => {
    const final: PaymentStatus[] = payment_statuses.filter((status) => transitions[status].length === 0)
    expect(final).toEqual(['refunded', 'cancelled', 'expired', 'failed'])
  })
})

describe('left', () => {
  test.each([
    ['nothing from an unrefunded total', {}, 1100],
    ['a refund', { amount_refunded: 400 }, 700],
    ['a refund in flight', { in_flight: [inFlight('refund', { amount: 250, tax: 0 })] }, 850],
    ['no other operation in flight', { in_flight: [inFlight('capture'), inFlight('void')] }, 1100],
    ['a pending request', { refund_requests: [refundRequest()] }, 800],
    [
      'no request that has ended',
      { refund_requests: [refundRequest({ status: 'completed' }), refundRequest({ status: 'rejected' })] },
      1100,
    ],
    [
      'refunds, refunds in flight and pending requests together',
      {
        amount_refunded: 100,
        in_flight: [inFlight('refund', { amount: 200 }), inFlight('refund', { amount: 50, attempt: 9 })],
        refund_requests: [refundRequest(), refundRequest({ id: 'rrq_2', amount: 5 })],
      },
      445,
    ],
  ])('subtracts %s', (_, fields, rest) => {
    expect(left(paymentRecord(fields))).toBe(rest)
  })
})

test('refuseWhile refuses only if a named operation is in flight', () => {
  const payment = paymentRecord({ in_flight: [inFlight('refund'), inFlight('void', { attempt: 9 })] })
  expect(refused(() => refuseWhile(payment, 'capture', 'void')).code).toBe('conflict')
  expect(() => refuseWhile(payment, 'capture', 'charge')).not.toThrow()
})
