import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { applyOutcome } from '#shared/domain/operation-outcome.ts'
import { type Operation, type PaymentStatus, payment_statuses } from '#shared/domain/payment.ts'
import { type PaymentType, payment_types } from '#shared/domain/payment-details.ts'
import { cancel, capture, refund } from '#shared/domain/payment-operations.ts'
import { inFlight, paymentOf, paymentRecord, refundRequest } from '#test/fixtures/records.ts'
import { refused } from '#test/fixtures/refusals.ts'

const wallets = ['paypay', 'merpay', 'rakutenpay', 'aupay', 'linepay', 'alipay', 'wechatpay', 'paidy']
const isCard = (type: PaymentType) => type === 'credit_card'

const operations = {
  capture: {
    decide: (payment: ReturnType<typeof paymentOf>) => capture(payment, {}),
    may: (type: PaymentType, status: PaymentStatus) => isCard(type) && status === 'authorized',
    refusal: 'not_capturable',
    sends: 'capture',
  },
  refund: {
    decide: (payment: ReturnType<typeof paymentOf>) => refund(payment, {}, 'ref_1'),
    may: (type: PaymentType, status: PaymentStatus) =>
      (isCard(type) || wallets.includes(type)) && status === 'captured',
    refusal: 'not_refundable',
    sends: 'refund',
  },
  cancel: {
    decide: (payment: ReturnType<typeof paymentOf>) => cancel(payment),
    may: (_: PaymentType, status: PaymentStatus) => status === 'pending' || status === 'authorized',
    refusal: 'not_cancellable',
    sends: 'void',
  },
}

describe.each(Object.entries(operations))('%s', (_, { decide, may, refusal, sends }) => {
  const cells = payment_types.flatMap((type) =>
    payment_statuses.map((status) => ({ type, status, answer: may(type, status) ? 'begins' : refusal })),
  )
  test.each(cells)('of a $status payment by $type: $answer', ({ type, status, answer }) => {
    const before = paymentOf(type, { status })
    if (answer !== 'begins') return expect(refused(() => decide(before)).code).toBe(answer)
    const { next, operation } = decide(before)
    expect(operation).toMatchObject({ operation: sends, attempt: before.version + 1 })
    expect(next).toEqual({ ...before, in_flight: [operation] })
  })
})

describe('cancel and capture with another operation in flight', () => {
  test.each<[Operation, cancels: boolean, captures: boolean]>([
    ['charge', true, true],
    ['refund', true, true],
    ['capture', false, false],
    ['void', false, false],
  ])('with a %s in flight, cancel begins: %s, and capture begins: %s', (operation, cancels, captures) => {
    const payment = paymentRecord({ status: 'authorized', in_flight: [inFlight(operation)] })
    const outcome = (decide: () => unknown) => {
      try {
        decide()
        return true
      } catch (error) {
        expect((error as { code: string }).code).toBe('conflict')
        return false
      }
    }
    expect(outcome(() => cancel(payment))).toBe(cancels)
    expect(outcome(() => capture(payment, {}))).toBe(captures)
  })

  test('cancel appends its operation to those in flight', () => {
    const other = inFlight('charge', { attempt: 1 })
    const { next, operation } = cancel(paymentRecord({ status: 'pending', in_flight: [other] }))
    expect(next.in_flight).toEqual([other, operation])
  })
})

describe('capture with amount and tax', () => {
  const held = paymentRecord({ status: 'authorized' })

  test.each([
    [{}, 1000, 100],
    [{ amount: 400 }, 400, 100],
    [{ amount: 1000 }, 1000, 100],
    [{ amount: 1050 }, 1050, 50],
    [{ amount: 1100 }, 1100, 0],
    [{ tax: 0 }, 1000, 0],
    [{ amount: 1000, tax: 100 }, 1000, 100],
    [{ amount: 1, tax: 1099 }, 1, 1099],
    [{ amount: 400, tax: 'auto' }, 400, 40],
    [{ amount: 1100, tax: 0 }, 1100, 0],
  ] as const)('captures for %o the amount %d and the tax %d', (request, amount, tax) => {
    expect(capture(held, request).operation).toMatchObject({ amount, tax })
  })

  test.each([
    [{ amount: 1101 }, 'amount'],
    [{ amount: 1000, tax: 101 }, 'tax'],
    [{ amount: 1001, tax: 'auto' }, 'amount'],
    [{ tax: 101 }, 'tax'],
  ] as const)('refuses %o, which is more than the authorized total', (request, param) => {
    expect(refused(() => capture(held, request))).toEqual({ code: 'invalid_parameter', param })
  })
})

describe('refund with an amount', () => {
  test.each([
    ['the total if no amount is given', {}, undefined, 1100],
    ['one unit', {}, 1, 1],
    ['exactly what is left', { amount_refunded: 600 }, 500, 500],
    ['what is left if no amount is given', { amount_refunded: 600 }, undefined, 500],
    ['what another refund in flight leaves', { in_flight: [inFlight('refund', { amount: 300 })] }, undefined, 800],
  ])('refunds %s', (_, fields, amount, expected) => {
    const { operation } = refund(paymentRecord(fields), { amount, description: 'broken' }, 'ref_9')
    expect(operation).toMatchObject({ amount: expected, tax: 0, refund_id: 'ref_9', description: 'broken' })
  })

  test.each([
    ['more than the total', {}, 1101],
    ['more than is left', { amount_refunded: 600 }, 501],
    ['an amount that is in flight', { in_flight: [inFlight('refund', { amount: 300 })] }, 801],
    ['an amount that is requested', { refund_requests: [refundRequest()] }, 801],
    ['any amount while the total is in flight', { in_flight: [inFlight('refund', { amount: 1100 })] }, undefined],
    ['an amount of zero', {}, 0],
  ])('refuses %s', (_, fields, amount) => {
    expect(refused(() => refund(paymentRecord(fields), { amount }, 'ref_1'))).toEqual({
      code: 'invalid_parameter',
      param: 'amount',
    })
  })

  test('never exceeds the total, in whatever order refunds begin, succeed and fail', () => {
    const step = fc.record({
      amount: fc.integer({ min: 1, max: 700 }),
      settles: fc.constantFrom('done', 'declined', 'later'),
    })
    fc.assert(
      fc.property(fc.array(step, { maxLength: 20 }), (steps) => {
        let payment = paymentRecord()
        let version = payment.version
        for (const [index, { amount, settles }] of steps.entries()) {
          try {
            payment = { ...refund(payment, { amount }, `ref_${index}`).next, version: ++version }
          } catch {
            continue
          }
          const attempt = payment.in_flight.at(-1)!.attempt
          if (settles === 'done') payment = applyOutcome(payment, attempt, { result: 'done' }, 0).next
          if (settles === 'declined')
            payment = applyOutcome(payment, attempt, { result: 'declined', code: 'other_error' }, 0).next
        }
        for (const { attempt } of payment.in_flight)
          payment = applyOutcome(payment, attempt, { result: 'done' }, 0).next
        expect(payment.amount_refunded).toBeLessThanOrEqual(payment.total)
        expect(payment.status).toBe(payment.amount_refunded === payment.total ? 'refunded' : 'captured')
        expect(payment.refunds.reduce((sum, { amount }) => sum + amount, 0)).toBe(payment.amount_refunded)
      }),
    )
  })
})
