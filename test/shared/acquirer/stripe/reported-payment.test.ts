import type Stripe from 'stripe'
import { describe, expect, test } from 'vitest'
import { UnexpectedAnswer } from '#shared/acquirer/stripe/outcome.ts'
import { reportedPayment } from '#shared/acquirer/stripe/reported-payment.ts'

/** A PaymentIntent over 1,100 JPY, with the fields that reports depend on. */
const intent = (status: string, fields: object = {}) =>
  ({
    ...{ id: 'pi_1', currency: 'jpy', amount_received: 0, last_payment_error: null, latest_charge: null },
    ...{ cancellation_reason: null, status, ...fields },
  }) as unknown as Stripe.PaymentIntent

const refund = (id: string, status: string, metadata: object | null = {}) =>
  ({ id, status, metadata, amount: 300, currency: 'jpy', balance_transaction: 'txn_1' }) as unknown as Stripe.Refund

const declined = {
  last_payment_error: { type: 'card_error', code: 'card_declined', decline_code: 'insufficient_funds' },
}

describe('reportedPayment', () => {
  test('a PaymentIntent that succeeded is paid, with its amount', () => {
    expect(reportedPayment(intent('succeeded', { amount_received: 1100 }))).toEqual({
      state: 'paid',
      amount: 1100,
      refunds: [],
    })
  })

  test('the amount is in the smallest unit of ISO 4217', () => {
    expect(reportedPayment(intent('succeeded', { currency: 'isk', amount_received: 110_000 }))).toMatchObject({
      amount: 1100,
    })
  })

  test('only refunds that succeeded are reported, with the key of their order', () => {
    const refunds = [
      refund('re_1', 'succeeded', { key: 'pay_1-2' }),
      refund('re_2', 'succeeded'),
      refund('re_3', 'succeeded', null),
      refund('re_4', 'pending'),
      refund('re_5', 'failed'),
    ]
    expect(reportedPayment(intent('succeeded', { amount_received: 1100 }), refunds).refunds).toEqual([
      { reference: 're_1', amount: 300, key: 'pay_1-2' },
      { reference: 're_2', amount: 300, key: null },
      { reference: 're_3', amount: 300, key: null },
    ])
  })

  test('the rest of a hold that was captured in part is no refund', () => {
    const released = { ...refund('re_1', 'succeeded'), balance_transaction: null }
    expect(reportedPayment(intent('succeeded', { amount_received: 800 }), [released]).refunds).toEqual([])
  })

  test('a hold is reported until the network ends it', () => {
    const latest_charge = { payment_method_details: { card: { capture_before: 1893553200 } } }
    expect(reportedPayment(intent('requires_capture', { latest_charge }))).toEqual({
      state: 'held',
      until: '2030-01-02T03:00:00Z',
    })
    expect(reportedPayment(intent('requires_capture', { latest_charge: 'ch_1' }))).toEqual({ state: 'held' })
  })

  test.each(['requires_action', 'processing', 'requires_payment_method', 'requires_confirmation'])(
    '%s waits for the customer',
    (status) => {
      expect(reportedPayment(intent(status))).toEqual({ state: 'waiting' })
    },
  )

  test.each(['requires_payment_method', 'requires_confirmation', 'canceled'])(
    '%s with an error is declined',
    (status) => {
      expect(reportedPayment(intent(status, declined))).toEqual({ state: 'declined', code: 'insufficient_funds' })
    },
  )

  test('a charge that was blocked is suspected fraud', () => {
    const latest_charge = { outcome: { type: 'blocked' } }
    expect(reportedPayment(intent('requires_payment_method', { ...declined, latest_charge }))).toEqual({
      state: 'declined',
      code: 'fraudulent',
    })
  })

  test('a voucher that was not paid in time has ended', () => {
    const last_payment_error = { code: 'payment_intent_payment_attempt_expired' }
    expect(reportedPayment(intent('requires_payment_method', { last_payment_error }))).toEqual({ state: 'ended' })
  })

  test.each([
    ['by the provider', { cancellation_reason: 'automatic', ...declined }],
    ['by this service', { cancellation_reason: 'abandoned' }],
    ['in the dashboard', { cancellation_reason: 'requested_by_customer' }],
  ])('a PaymentIntent that was cancelled %s has ended', (_, fields) => {
    expect(reportedPayment(intent('canceled', fields))).toEqual({ state: 'ended' })
  })

  test('an unknown status is never guessed', () => {
    expect(() => reportedPayment(intent('reviewing'))).toThrow(UnexpectedAnswer)
  })
})
