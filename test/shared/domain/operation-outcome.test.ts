import { describe, expect, test } from 'vitest'
import { applyOutcome } from '#shared/domain/operation-outcome.ts'
import { type Outcome, type PaymentEvent, type PaymentStatus, payment_statuses } from '#shared/domain/payment.ts'
import { timestamp } from '#shared/domain/timestamp.ts'
import { inFlight, paymentOf, paymentRecord } from '#test/fixtures/records.ts'

const NOW = Date.parse('2030-01-02T03:00:00.500Z')
const AT = '2030-01-02T03:00:00Z'

const outcomes = {
  captured: { result: 'captured' },
  authorized: { result: 'authorized' },
  pending: { result: 'pending' },
  done: { result: 'done' },
  declined: { result: 'declined', code: 'insufficient_funds' },
  fraudulent: { result: 'declined', code: 'fraudulent' },
  never_arrived: { result: 'never_arrived' },
} as const satisfies Record<string, Outcome>
type OutcomeName = keyof typeof outcomes
const names = Object.keys(outcomes) as OutcomeName[]

type Cell = [status: PaymentStatus, events: PaymentEvent[], failure?: string]

/** The state of a pending payment after each outcome of its charge. */
const charges: Record<OutcomeName, Cell> = {
  captured: ['captured', ['payment.captured']],
  authorized: ['authorized', ['payment.authorized']],
  pending: ['pending', []],
  done: ['captured', ['payment.captured']],
  declined: ['failed', ['payment.failed'], 'insufficient_funds'],
  fraudulent: ['failed', ['payment.failed', 'payment.marked.as.fraud'], 'fraudulent'],
  never_arrived: ['failed', ['payment.failed'], 'never_arrived'],
}

describe('applyOutcome of a charge', () => {
  test.each(names)('applies the outcome %s to a pending payment', (name) => {
    const [status, events, failure = null] = charges[name]
    const settled = applyOutcome(
      paymentRecord({ status: 'pending', in_flight: [inFlight('charge')] }),
      8,
      outcomes[name],
      NOW,
    )
    const captured_at = status === 'captured' ? AT : null
    const next = paymentRecord({ status, failure: failure as null, captured_at })
    const waits = name === 'pending' && { payment_deadline: '2030-01-03T14:59:59Z' }
    expect(settled).toEqual({ next: { ...next, ...waits }, events })
  })

  const late = payment_statuses
    .filter((status) => status !== 'pending')
    .flatMap((status) => names.map((name) => ({ status, name })))
  test.each(late)('ignores the outcome $name if the payment is already $status', ({ status, name }) => {
    const { next, events } = applyOutcome(
      paymentRecord({ status, in_flight: [inFlight('charge')] }),
      8,
      outcomes[name],
      NOW,
    )
    expect({ next, events }).toEqual({ next: paymentRecord({ status }), events: [] })
  })

  test.each<[OutcomeName, true | undefined]>([
    ['captured', true],
    ['authorized', true],
    ['done', true],
    ['pending', undefined],
    ['declined', undefined],
    ['fraudulent', undefined],
    ['never_arrived', undefined],
  ])('asks for a void if the outcome is %s and the payment has ended: %s', (name, expected) => {
    for (const status of ['cancelled', 'expired'] as const) {
      const payment = paymentRecord({ status, in_flight: [inFlight('charge')] })
      expect(applyOutcome(payment, 8, outcomes[name], NOW).void).toBe(expected)
    }
  })

  test('stores what the acquirer shows the customer, unless the outcome comes too late', () => {
    const outcome: Outcome = { result: 'authorized', shown: { confirmation_code: '123' } }
    const details = { type: 'konbini', email: null } as const
    const waits = paymentOf('konbini', { status: 'pending', in_flight: [inFlight('charge')] })
    expect(applyOutcome(waits, 8, outcome, NOW).next.payment_details).toEqual({ ...details, confirmation_code: '123' })
    expect(applyOutcome({ ...waits, status: 'cancelled' }, 8, outcome, NOW).next.payment_details).toEqual(details)
  })
})

describe('applyOutcome of a capture', () => {
  const held = paymentRecord({ status: 'authorized', in_flight: [inFlight('capture', { amount: 600, tax: 60 })] })

  test.each(['captured', 'authorized', 'pending', 'done'] as const)(
    'makes the payment captured if the outcome is %s',
    (name) => {
      expect(applyOutcome(held, 8, outcomes[name], NOW)).toEqual({
        next: paymentRecord({ status: 'captured', amount: 600, tax: 60, total: 660, captured_at: AT }),
        events: ['payment.captured'],
      })
    },
  )

  test.each(['declined', 'fraudulent', 'never_arrived'] as const)(
    'leaves the payment authorized if the outcome is %s',
    (name) => {
      const next = paymentRecord({ status: 'authorized' })
      expect(applyOutcome(held, 8, outcomes[name], NOW)).toEqual({ next, events: [] })
    },
  )

  test.each(['pending', 'authorized', 'captured'] as const)(
    'keeps the fee of the payment method if the outcome is %s',
    (name) => {
      const payment = paymentOf('konbini', { status: 'authorized', in_flight: held.in_flight })
      expect(applyOutcome(payment, 8, outcomes[name], NOW).next.total).toBe(660 + 190)
    },
  )

  test.each(['refunded', 'cancelled', 'expired', 'failed'] as const)('throws if the payment is %s', (status) => {
    expect(() => applyOutcome({ ...held, status }, 8, outcomes.done, NOW)).toThrow('a payment cannot go from')
  })
})

describe('applyOutcome of a refund', () => {
  const refund = { id: 'ref_1', amount: 400, currency: 'JPY', payment: 'pay_1', description: 'broken' }
  const record = { ...refund, chargeback: false, status: 'succeeded' as const, created_at: AT }
  const entry = inFlight('refund', { amount: 400, tax: 0, description: 'broken' })

  test('adds a partial refund, and leaves the payment captured', () => {
    expect(applyOutcome(paymentRecord({ in_flight: [entry] }), 8, outcomes.done, NOW)).toEqual({
      next: paymentRecord({ amount_refunded: 400, refunds: [record] }),
      events: ['payment.refund.created'],
    })
  })

  test('makes the payment refunded if nothing is left', () => {
    const before = { ...record, id: 'ref_0', amount: 700 }
    const payment = paymentRecord({ amount_refunded: 700, refunds: [before], in_flight: [entry] })
    expect(applyOutcome(payment, 8, outcomes.done, NOW)).toEqual({
      next: paymentRecord({ status: 'refunded', amount_refunded: 1100, refunds: [before, record] }),
      events: ['payment.refund.created', 'payment.refunded'],
    })
  })

  test.each(['declined', 'fraudulent', 'never_arrived'] as const)(
    'releases the amount if the outcome is %s',
    (name) => {
      expect(applyOutcome(paymentRecord({ in_flight: [entry] }), 8, outcomes[name], NOW)).toEqual({
        next: paymentRecord(),
        events: [],
      })
    },
  )
})

describe('applyOutcome of a void', () => {
  const open: PaymentStatus[] = ['pending', 'authorized']
  const ended = payment_statuses.filter((status) => !open.includes(status))

  test.each(open)('cancels a payment that is %s', (status) => {
    expect(applyOutcome(paymentRecord({ status, in_flight: [inFlight('void')] }), 8, outcomes.done, NOW)).toEqual({
      next: paymentRecord({ status: 'cancelled' }),
      events: ['payment.cancelled'],
    })
  })

  test.each([
    [1100, { amount: 1000, tax: 100, total: 1100 }],
    [600, { amount: 500, tax: 100, total: 600 }],
    [100, { amount: 100, tax: 0, total: 100 }],
    [undefined, { amount: 1000, tax: 100, total: 1100 }],
  ])('captures a payment of which %s JPY were taken before the void', (taken, fields) => {
    const voided = paymentRecord({ status: 'authorized', in_flight: [inFlight('void')] })
    expect(applyOutcome(voided, 8, { result: 'captured', taken }, NOW)).toEqual({
      next: { ...paymentRecord({ status: 'captured' }), ...fields, captured_at: timestamp(NOW) },
      events: ['payment.captured'],
    })
  })

  test.each(ended)('leaves a payment that is %s unchanged', (status) => {
    const settled = applyOutcome(paymentRecord({ status, in_flight: [inFlight('void')] }), 8, outcomes.done, NOW)
    expect(settled).toEqual({ next: paymentRecord({ status }), events: [] })
  })

  test.each(payment_statuses)('leaves a payment that is %s unchanged if the void is declined', (status) => {
    const settled = applyOutcome(paymentRecord({ status, in_flight: [inFlight('void')] }), 8, outcomes.declined, NOW)
    expect(settled).toEqual({ next: paymentRecord({ status }), events: [] })
  })
})

describe('applyOutcome', () => {
  test.each(['charge', 'capture', 'refund', 'void'] as const)(
    'changes nothing if the outcome of a %s is applied a second time',
    (operation) => {
      const status = operation === 'refund' ? 'captured' : operation === 'capture' ? 'authorized' : 'pending'
      const once = applyOutcome(paymentRecord({ status, in_flight: [inFlight(operation)] }), 8, outcomes.done, NOW)
      expect(applyOutcome(once.next, 8, outcomes.done, NOW)).toEqual({ next: once.next, events: [] })
    },
  )

  test('leaves the other of two operations in flight', () => {
    const other = inFlight('refund', { attempt: 9, amount: 100 })
    const payment = paymentRecord({ in_flight: [inFlight('refund', { amount: 100 }), other] })
    expect(applyOutcome(payment, 8, outcomes.done, NOW).next.in_flight).toEqual([other])
  })
})
