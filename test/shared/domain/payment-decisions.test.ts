import { describe, expect, test } from 'vitest'
import { type PaymentStatus, payment_statuses } from '#shared/domain/payment.ts'
import { deadlineOf, isOverdue } from '#shared/domain/payment-deadline.ts'
import { endRefundRequest, expire, pay, requestRefund, update } from '#shared/domain/payment-decisions.ts'
import { type PaymentType, payment_types } from '#shared/domain/payment-details.ts'
import { inFlight, paymentOf, paymentRecord, refundRequest } from '#test/fixtures/records.ts'
import { refused } from '#test/fixtures/refusals.ts'

const NOW = Date.parse('2030-01-02T03:00:00.500Z')
const AT = '2030-01-02T03:00:00Z'
const DEADLINE = Date.parse('2030-02-01T14:59:59Z')

const cash = ['konbini', 'pay_easy', 'bank_transfer']
const by_refund = ['credit_card', 'paypay', 'merpay', 'rakutenpay', 'aupay', 'linepay', 'alipay', 'wechatpay', 'paidy']

const cells = payment_types.flatMap((type) => payment_statuses.map((status) => ({ type, status })))

describe('update', () => {
  test.each(payment_statuses)('changes the named fields of a payment that is %s', (status) => {
    const before = paymentRecord({ status, description: 'old', external_order_num: '1', metadata: { a: 1, b: 2 } })
    expect(update(before, { metadata: { a: 2 }, description: null })).toEqual({
      next: { ...before, metadata: { a: 2 }, description: null },
      events: ['payment.updated'],
    })
  })
})

describe('pay', () => {
  const off_site = { redirect_url: 'https://pay.example/' }

  test.each(cells)('decides whether a $status payment by $type can be paid', ({ type, status }) => {
    const before = paymentOf(type, { status, payment_details: { type, email: null, ...off_site } })
    const may = cash.includes(type) ? status === 'authorized' : status === 'pending'
    if (!may) return expect(refused(() => pay(before, NOW)).code).toBe('not_capturable')
    expect(pay(before, NOW)).toEqual({
      next: { ...before, status: 'captured', captured_at: AT },
      events: ['payment.captured'],
    })
  })

  test('refuses a pending payment without a redirect URL', () => {
    expect(refused(() => pay(paymentRecord({ status: 'pending' }), NOW)).code).toBe('not_capturable')
  })

  const card = (fields: object) =>
    paymentRecord({ status: 'pending', payment_details: { type: 'credit_card', email: null, ...off_site }, ...fields })

  test('authorizes a card with 3-D Secure that is not to be captured, with the deadline of any authorization', () => {
    const before = card({ capture: false, payment_deadline: '2030-01-03T14:59:59Z' })
    expect(pay(before, NOW)).toEqual({
      next: { ...before, status: 'authorized', payment_deadline: '2030-02-01T14:59:59Z' },
      events: ['payment.authorized'],
    })
  })

  test('refuses a payment with a void in flight', () => {
    expect(refused(() => pay(card({ in_flight: [inFlight('void')] }), NOW)).code).toBe('conflict')
  })
})

describe('deadlineOf, isOverdue and expire', () => {
  test.each(payment_statuses)('end a pending or authorized payment only: %s', (status) => {
    const payment = paymentRecord({ status })
    const open = status === 'pending' || status === 'authorized'
    expect(deadlineOf(payment)).toBe(open ? payment.payment_deadline : undefined)
    expect(isOverdue(payment, DEADLINE)).toBe(open)
    expect(isOverdue(payment, DEADLINE - 1)).toBe(false)
    if (open) expect(expire(payment)).toEqual({ next: { ...payment, status: 'expired' }, events: ['payment.expired'] })
    else expect(() => expire(payment)).toThrow('a payment cannot go from')
  })

  test.each([
    ['charge', true],
    ['capture', false],
    ['void', false],
    ['refund', false],
  ] as const)('with a %s in flight, isOverdue after the deadline is %s', (operation, overdue) => {
    expect(isOverdue(paymentRecord({ status: 'authorized', in_flight: [inFlight(operation)] }), DEADLINE)).toBe(overdue)
  })
})

describe('deadlineOf and isOverdue of a subscription payment', () => {
  test('set no deadline, because inquiries go on until the outcome is known', () => {
    const occurrence = { subscription: 'sub_1', interval: 1, try: 0 }
    const payment = paymentRecord({ status: 'pending', occurrence, in_flight: [inFlight('charge')] })
    expect([deadlineOf(payment), isOverdue(payment, DEADLINE)]).toEqual([undefined, false])
  })
})

describe('requestRefund', () => {
  const { status: _, payment: __, currency: ___, ...request } = refundRequest()

  test.each(cells)(
    'decides whether a refund of a $status payment by $type can be requested',
    ({ type, status }: { type: PaymentType; status: PaymentStatus }) => {
      const before = paymentOf(type, { status })
      const decide = () => requestRefund(before, request)
      if (status !== 'captured' || by_refund.includes(type)) return expect(refused(decide).code).toBe('not_refundable')
      expect(decide()).toEqual({ next: { ...before, refund_requests: [refundRequest()] }, events: ['payment.updated'] })
    },
  )

  test('refuses an amount that takes refunds and pending requests above the total', () => {
    const payment = paymentOf('konbini', { amount_refunded: 500, refund_requests: [refundRequest({ amount: 700 })] })
    expect(requestRefund(payment, { ...request, amount: 90 }).next.refund_requests).toHaveLength(2)
    expect(refused(() => requestRefund(payment, { ...request, amount: 91 }))).toEqual({
      code: 'invalid_parameter',
      param: 'amount',
    })
  })
})

describe('endRefundRequest', () => {
  const end = (payment: ReturnType<typeof paymentOf>, status: 'completed' | 'rejected', id = 'rrq_1') =>
    endRefundRequest(payment, id, status, { refund_id: 'ref_1', now: NOW })
  const asked = (fields: Parameters<typeof refundRequest>[0] = {}) =>
    paymentOf('bank_transfer', { refund_requests: [refundRequest(fields), refundRequest({ id: 'rrq_2', amount: 1 })] })

  test('adds a refund of the requested amount on completion', () => {
    const { next, events } = end(asked({ description: 'broken' }), 'completed')
    expect(next.refund_requests.map(({ status }) => status)).toEqual(['completed', 'pending'])
    expect(next).toMatchObject({ status: 'captured', amount_refunded: 300 })
    expect(next.refunds).toEqual([
      {
        id: 'ref_1',
        amount: 300,
        currency: 'JPY',
        payment: 'pay_1',
        description: 'broken',
        chargeback: false,
        status: 'succeeded',
        created_at: AT,
      },
    ])
    expect(events).toEqual(['payment.refund.created'])
  })

  test('makes the payment refunded if the completed request is for the total', () => {
    const { next, events } = end(asked({ amount: 1100 }), 'completed')
    expect(next.status).toBe('refunded')
    expect(events).toEqual(['payment.refund.created', 'payment.refunded'])
  })

  test('marks the request as rejected and refunds nothing', () => {
    const { next, events } = end(asked(), 'rejected')
    expect(next).toMatchObject({ amount_refunded: 0, refunds: [], refund_requests: [{ status: 'rejected' }, {}] })
    expect(events).toEqual(['payment.updated'])
  })

  test.each([
    ['completed', 'completed'],
    ['rejected', 'rejected'],
  ] as const)('changes nothing if a %s request is %s again', (status, again) => {
    const payment = asked({ status })
    expect(end(payment, again)).toEqual({ next: payment, events: [] })
  })

  test.each([
    ['completed', 'rejected'],
    ['rejected', 'completed'],
  ] as const)('refuses to end a %s request as %s', (status, other) => {
    expect(refused(() => end(asked({ status }), other)).code).toBe('unprocessable_entity')
  })

  test('refuses an unknown request with not_found', () => {
    expect(refused(() => end(asked(), 'completed', 'rrq_9')).code).toBe('not_found')
  })
})
