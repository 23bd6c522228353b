import { describe, expect, test } from 'vitest'
import {
  type FollowRow,
  follow,
  follow_table,
  followRowOf,
  type ProviderState,
  type ReportedPayment,
  type ReportedRefund,
  reportOf,
} from '#shared/domain/follow-payment.ts'
import { type Outcome, type Payment, payment_statuses } from '#shared/domain/payment.ts'
import { type PaymentType, payment_type_rows, payment_types } from '#shared/domain/payment-details.ts'
import { inFlight, paymentOf, paymentRecord } from '#test/fixtures/records.ts'

const NOW = Date.parse('2030-01-02T03:00:00.500Z')
const AT = '2030-01-02T03:00:00Z'

let ids = 0
const context = { now: NOW, newRefundId: () => `ref_new${++ids}` }
const followed = (payment: Payment, report: ReportedPayment) => {
  ids = 0
  return follow(payment, report, context)
}

const off_site = paymentOf('paypay', { status: 'pending' })
const reserved = paymentOf('konbini', { status: 'authorized' })
const held = paymentRecord({ status: 'authorized', capture: false })
const paid = paymentRecord({ captured_at: AT })
const flying = paymentRecord({ status: 'authorized', in_flight: [inFlight('capture')] })
const cancelled = paymentRecord({ status: 'cancelled' })

const rows: Record<FollowRow, Payment> = { in_flight: flying, off_site, reserved, held, paid, ended: cancelled }

/** The step of each cell, with the status and the events of a change. */
type Cell = 'settle' | 'keep' | 'void' | 'alarm' | readonly [status: string, ...events: string[]]

const captured = ['captured', 'payment.captured'] as const
const expired = ['expired', 'payment.expired'] as const

// biome-ignore format: a table
const cells: Record<FollowRow, Record<ProviderState, Cell>> = {
  in_flight: { waiting: 'settle', held: 'settle', paid: 'settle', declined: 'settle', ended: 'settle' },
  off_site:  { waiting: 'keep', held: ['authorized', 'payment.authorized'], paid: captured, declined: ['failed', 'payment.failed'], ended: expired },
  reserved:  { waiting: 'keep', held: 'keep', paid: captured, declined: expired, ended: expired },
  held:      { waiting: 'keep', held: 'keep', paid: captured, declined: expired, ended: expired },
  paid:      { waiting: 'alarm', held: 'alarm', paid: 'keep', declined: 'alarm', ended: 'alarm' },
  ended:     { waiting: 'void', held: 'void', paid: 'void', declined: 'keep', ended: 'keep' },
}

const all_cells = (Object.keys(cells) as FollowRow[]).flatMap((row) =>
  (Object.keys(cells[row]) as ProviderState[]).map((state) => ({ row, state, cell: cells[row][state] })),
)

describe('follow', () => {
  test.each(all_cells)('of a payment in row $row that is $state at the provider', ({ row, state, cell }) => {
    const payment = rows[row]
    expect(followRowOf(payment)).toBe(row)
    const result = followed(payment, { state })
    if (typeof cell === 'string') return expect(result.step).toBe(cell)
    const [status, ...events] = cell
    expect(result).toMatchObject({ step: 'change', next: { id: payment.id, status }, events })
  })

  test('has a tested cell for every row and every state', () => {
    expect(all_cells).toHaveLength(Object.values(follow_table).flatMap((row) => Object.values(row)).length)
  })

  test.each(all_cells)('of row $row and state $state changes nothing more when it is repeated', ({ row, state }) => {
    const first = followed(rows[row], { state })
    if (first.step !== 'change') return
    const again = followed(first.next, { state })
    expect(again.step).toBe('keep')
  })
})

describe('followRowOf', () => {
  const every = payment_types.flatMap((type) => payment_statuses.map((status) => ({ type, status })))
  const row_of = (type: PaymentType, status: Payment['status']): FollowRow => {
    if (status === 'pending') return 'off_site'
    if (status === 'authorized') return type === 'credit_card' ? 'held' : 'reserved'
    return status === 'captured' || status === 'refunded' ? 'paid' : 'ended'
  }

  test.each(every)('of a $status payment by $type, with and without an operation in flight', ({ type, status }) => {
    const payment = paymentOf(type, { status })
    expect(followRowOf(payment)).toBe(row_of(type, status))
    expect(followRowOf({ ...payment, in_flight: [inFlight('refund')] })).toBe('in_flight')
  })
})

describe('follow of a payment whose customer is off-site', () => {
  test('captures the total now', () => {
    expect(followed(off_site, { state: 'paid', amount: off_site.total })).toEqual({
      step: 'change',
      next: { ...off_site, status: 'captured', captured_at: AT },
      events: ['payment.captured'],
    })
  })

  test.each([1, 1099, 1101])('raises an alarm if %s JPY were paid instead of 1,100', (amount) => {
    for (const payment of [off_site, paymentRecord({ status: 'pending' }), paid])
      expect(followed(payment, { state: 'paid', amount })).toEqual({ step: 'alarm', event: 'provider_disagrees' })
  })

  test('authorizes until the end that the provider names, and for at most 30 days', () => {
    const until = (end?: string) => followed(off_site, { state: 'held', ...(end && { until: end }) })
    expect(until()).toMatchObject({ next: { payment_deadline: '2030-02-01T14:59:59Z' } })
    expect(until('2030-01-09T03:00:00Z')).toMatchObject({ next: { payment_deadline: '2030-01-09T03:00:00Z' } })
    expect(until('2031-01-01T00:00:00Z')).toMatchObject({ next: { payment_deadline: '2030-02-01T14:59:59Z' } })
    expect(until('no time')).toMatchObject({ next: { payment_deadline: '2030-02-01T14:59:59Z' } })
  })

  test.each([
    ['insufficient_funds', ['payment.failed']],
    ['fraudulent', ['payment.failed', 'payment.marked.as.fraud']],
    [undefined, ['payment.failed']],
  ] as const)('fails with the code %s', (code, events) => {
    for (const [payment, otherwise] of [
      [off_site, 'refused_by_customer'],
      [paymentRecord({ status: 'pending' }), 'failed_authentication'],
    ] as const)
      expect(followed(payment, { state: 'declined', ...(code && { code }) })).toMatchObject({
        next: { failure: code ?? otherwise },
        events,
      })
  })
})

describe('follow of an authorization that was captured at the provider', () => {
  test.each([
    [1100, { amount: 1000, tax: 100, total: 1100 }],
    [600, { amount: 500, tax: 100, total: 600 }],
    [50, { amount: 50, tax: 0, total: 50 }],
  ])('captures the %s JPY that were taken', (amount, expected) => {
    expect(followed(held, { state: 'paid', amount })).toMatchObject({ next: { ...expected, captured_at: AT } })
  })

  test.each([0, 1101])('raises an alarm if %s JPY of 1,100 were taken', (amount) => {
    expect(followed(held, { state: 'paid', amount })).toEqual({ step: 'alarm', event: 'provider_disagrees' })
  })
})

describe('follow of a captured payment', () => {
  const refund = (fields: Partial<ReportedRefund> = {}): ReportedRefund => ({
    reference: 're_1',
    amount: 300,
    key: null,
    ...fields,
  })

  test('adds the refunds that were made in the dashboard of the provider, once', () => {
    const refunds = [refund(), refund({ reference: 're_2', amount: 800 })]
    const result = followed(paid, { state: 'paid', refunds })
    expect(result).toMatchObject({
      step: 'change',
      next: {
        status: 'refunded',
        amount_refunded: 1100,
        refunds: [
          { id: 'ref_new1', amount: 300, reference: 're_1', status: 'succeeded', created_at: AT },
          { id: 'ref_new2', amount: 800, reference: 're_2' },
        ],
      },
      events: ['payment.refund.created', 'payment.refund.created', 'payment.refunded'],
    })
    if (result.step !== 'change') throw new Error('the payment has not changed')
    expect(followed(result.next, { state: 'paid', refunds }).step).toBe('keep')
  })

  test('ignores the refunds that this service made', () => {
    expect(followed(paid, { state: 'paid', refunds: [refund({ key: 'pay_1-3' })] }).step).toBe('keep')
  })

  test('raises an alarm for a refund above what is left', () => {
    const partly = { ...paid, amount_refunded: 900 }
    expect(followed(partly, { state: 'paid', refunds: [refund()] })).toEqual({
      step: 'alarm',
      event: 'provider_disagrees',
    })
  })
})

describe('follow of a payment that has ended and was paid later', () => {
  const ended = payment_types.flatMap((type) =>
    (['failed', 'cancelled', 'expired'] as const).map((status) => ({ type, status })),
  )
  test.each(ended)('returns the money of a $status payment by $type, or raises an alarm', ({ type, status }) => {
    const expected = payment_type_rows[type].refundable ? { step: 'void' } : { step: 'alarm', event: 'paid_after_end' }
    expect(followed(paymentOf(type, { status }), { state: 'paid' })).toEqual(expected)
  })

  test('does nothing once all of the money is returned', () => {
    const refunds = (amount: number) => [{ reference: 're_1', amount, key: 'pay_1-3' }]
    expect(followed(cancelled, { state: 'paid', refunds: refunds(1100) }).step).toBe('keep')
    expect(followed(cancelled, { state: 'paid', refunds: refunds(1099) }).step).toBe('void')
    expect(followed(cancelled, { state: 'paid', amount: 500, refunds: refunds(500) }).step).toBe('keep')
  })
})

describe('reportOf', () => {
  test.each<[Outcome, ReportedPayment]>([
    [{ result: 'captured' }, { state: 'paid' }],
    [{ result: 'done' }, { state: 'paid' }],
    [
      { result: 'authorized', until: AT },
      { state: 'held', until: AT },
    ],
    [{ result: 'authorized' }, { state: 'held' }],
    [{ result: 'pending' }, { state: 'waiting' }],
    [{ result: 'accepted' }, { state: 'waiting' }],
    [{ result: 'never_arrived' }, { state: 'waiting' }],
    [
      { result: 'declined', code: 'card_expired' },
      { state: 'declined', code: 'card_expired' },
    ],
    [{ result: 'expired' }, { state: 'ended' }],
  ])('of the outcome %j is %j', (outcome, report) => {
    expect(reportOf(outcome)).toEqual(report)
  })
})
