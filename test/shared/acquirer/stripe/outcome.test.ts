import type Stripe from 'stripe'
import { describe, expect, test } from 'vitest'
import type { Order } from '#shared/acquirer/acquirer.ts'
import {
  outcomeOfCapture,
  outcomeOfCharge,
  outcomeOfRefund,
  UnexpectedAnswer,
} from '#shared/acquirer/stripe/outcome.ts'
import { orderRecord } from '#test/fixtures/records.ts'

/** A PaymentIntent over 1,100 JPY, with the fields that outcomes depend on. */
const intent = (fields: object) =>
  ({
    id: 'pi_1',
    currency: 'jpy',
    amount: 1100,
    amount_received: 0,
    amount_capturable: 0,
    last_payment_error: null,
    latest_charge: null,
    next_action: null,
    cancellation_reason: null,
    ...fields,
  }) as unknown as Stripe.PaymentIntent

const charge = (fields: object, order: Partial<Order> = {}) => outcomeOfCharge(intent(fields), orderRecord(order))
const reference = 'pi_1'
const hold = { status: 'requires_capture', amount_capturable: 1100 }

describe('outcomeOfCharge', () => {
  test('a charge that succeeded is captured, with the fee that is booked', () => {
    const latest_charge = { balance_transaction: { fee: 40, currency: 'jpy' } }
    const paid = { status: 'succeeded', amount_received: 1100 }
    expect(charge({ ...paid, latest_charge })).toEqual({ result: 'captured', reference, fee: 40 })
    expect(charge(paid)).toEqual({ result: 'captured', reference })
    expect(charge({ ...paid, latest_charge: 'ch_1' })).toEqual({ result: 'captured', reference })
  })

  test('a fee in another currency than the payment is left out', () => {
    const latest_charge = { balance_transaction: { fee: 1, currency: 'usd' } }
    expect(charge({ status: 'succeeded', amount_received: 1100, latest_charge })).not.toHaveProperty('fee')
  })

  test('a hold is authorized until the network ends it', () => {
    const latest_charge = { payment_method_details: { card: { capture_before: 1893553200 } } }
    const until = '2030-01-02T03:00:00Z'
    expect(charge({ ...hold, latest_charge }, { capture: false })).toEqual({ result: 'authorized', reference, until })
    expect(charge(hold, { capture: false })).toEqual({ result: 'authorized', reference })
  })

  test('a verified hold of a charge at once is not captured yet', () => {
    expect(charge(hold, { capture: true, verified: true })).toBeNull()
  })

  test.each([
    ['redirect_to_url', { url: 'https://bank.example/3ds' }],
    ['alipay_handle_redirect', { url: 'https://bank.example/3ds' }],
    ['wechat_pay_display_qr_code', { hosted_instructions_url: 'https://bank.example/3ds' }],
  ])('the next action %s sends the customer off-site', (type, details) => {
    expect(charge({ status: 'requires_action', next_action: { type, [type]: details } })).toEqual({
      ...{ result: 'pending', reference },
      shown: { redirect_url: 'https://bank.example/3ds' },
    })
  })

  test('a voucher shows the codes of its store, until it ends', () => {
    const lawson = { payment_code: '123456', confirmation_number: '09012345678' }
    const konbini_display_details = { expires_at: 1893553200, stores: { lawson, ministop: null } }
    const next_action = { type: 'konbini_display_details', konbini_display_details }
    const order = { type: 'konbini', store: 'lawson' } as const
    expect(charge({ status: 'requires_action', next_action }, order)).toEqual({
      ...{ result: 'authorized', reference, until: '2030-01-02T03:00:00Z' },
      shown: {
        receipt: '123456',
        confirmation_code: '09012345678',
        instructions_url: orderRecord().instructions_url,
      },
    })
    expect(() => charge({ status: 'requires_action', next_action }, { ...order, store: 'ministop' })).toThrow(
      UnexpectedAnswer,
    )
  })

  test('a bank transfer shows the account of the payment', () => {
    const zengin = {
      ...{ bank_name: 'みずほ銀行', branch_name: '本店', account_number: '1234567', account_type: 'futsu' },
      account_holder_name: 'カ）ミセ',
    }
    const details = { reference: 'ABC123', financial_addresses: [{ type: 'zengin', zengin }] }
    const next_action = {
      type: 'display_bank_transfer_instructions',
      display_bank_transfer_instructions: details,
    }
    expect(charge({ status: 'requires_action', next_action }, { type: 'bank_transfer' })).toEqual({
      ...{ result: 'authorized', reference },
      shown: {
        ...{ order_id: 'ABC123', bank_name: 'みずほ銀行', account_branch_name: '本店', account_number: '1234567' },
        ...{ account_type: '普通', account_name: 'カ）ミセ', instructions_url: orderRecord().instructions_url },
      },
    })
  })

  test.each([
    ['credit_card', 'pending'],
    ['alipay', 'pending'],
    ['konbini', 'authorized'],
    ['bank_transfer', 'authorized'],
  ] as const)('%s in processing is %s', (type, result) => {
    expect(charge({ status: 'processing' }, { type })).toEqual({ result, reference })
  })

  test.each(['requires_payment_method', 'requires_confirmation'])(
    '%s means that nothing has happened yet',
    (status) => {
      expect(charge({ status })).toBeNull()
    },
  )

  test('an error of the last payment is a decline', () => {
    const last_payment_error = { type: 'card_error', code: 'card_declined', decline_code: 'insufficient_funds' }
    const declined = { result: 'declined', code: 'insufficient_funds', reference }
    expect(charge({ status: 'requires_payment_method', last_payment_error })).toEqual(declined)
    expect(charge({ status: 'canceled', last_payment_error })).toEqual(declined)
  })

  test('a charge that Stripe itself blocked is fraudulent', () => {
    const last_payment_error = { type: 'card_error', code: 'card_declined', decline_code: 'generic_decline' }
    const latest_charge = { outcome: { type: 'blocked' } }
    expect(charge({ status: 'requires_payment_method', last_payment_error, latest_charge })).toEqual({
      ...{ result: 'declined', code: 'fraudulent', reference },
    })
  })

  test('a voucher that nobody paid in time has expired', () => {
    const last_payment_error = { code: 'payment_intent_payment_attempt_expired' }
    expect(charge({ status: 'requires_payment_method', last_payment_error }, { type: 'konbini' })).toEqual({
      ...{ result: 'expired', reference },
    })
  })

  test.each([
    ['automatic', 'expired'],
    ['expired', 'expired'],
    ['abandoned', 'never_arrived'],
    ['requested_by_customer', 'never_arrived'],
  ])('cancelled with the reason %s is %s', (cancellation_reason, result) => {
    expect(charge({ status: 'canceled', cancellation_reason })).toEqual({ result, reference })
  })

  test.each([
    ['another amount', { status: 'succeeded', amount_received: 1099 }, 'amount'],
    ['another amount held', { status: 'requires_capture', amount_capturable: 1 }, 'amount'],
    ['another amount to pay', { status: 'requires_action', amount: 1 }, 'amount'],
    ['another currency', { status: 'succeeded', amount_received: 1100, currency: 'krw' }, 'currency'],
    ['an unknown status', { status: 'paid' }, 'status'],
    ['an unknown next action', { status: 'requires_action', next_action: { type: 'call_bank' } }, 'next_action'],
    ['no next action', { status: 'requires_action' }, 'next_action'],
  ])('%s is unexpected', (_name, fields, code) => {
    expect(() => charge(fields)).toThrow(expect.objectContaining({ name: 'OutcomeUnknown', code, reference }))
  })

  test('compares the amount in units of Stripe', () => {
    const paid = { status: 'succeeded', currency: 'isk', amount_received: 110_000 }
    expect(charge(paid, { currency: 'ISK' })).toEqual({ result: 'captured', reference })
  })
})

describe('outcomeOfCapture', () => {
  const capture = (fields: object) =>
    outcomeOfCapture(intent(fields), orderRecord({ operation: 'capture', capture: false }))

  test('is done once the amount is received', () => {
    expect(capture({ status: 'succeeded', amount_received: 1100 })).toEqual({ result: 'done', reference })
  })

  test('another captured amount is unexpected', () => {
    expect(() => capture({ status: 'succeeded', amount_received: 1000 })).toThrow(UnexpectedAnswer)
  })

  test('a hold that still exists is not captured, and one that ended has expired', () => {
    expect(capture(hold)).toBeNull()
    expect(capture({ status: 'canceled', cancellation_reason: 'automatic' })).toEqual({ result: 'expired', reference })
  })

  test('a charge without a hold is unexpected', () => {
    expect(() => capture({ status: 'requires_payment_method' })).toThrow(UnexpectedAnswer)
  })
})

describe('outcomeOfRefund', () => {
  const refund = (fields: object) =>
    outcomeOfRefund(
      { id: 're_1', amount: 1100, currency: 'jpy', ...fields } as unknown as Stripe.Refund,
      orderRecord({ operation: 'refund' }),
    )

  test.each(['succeeded', 'pending', 'requires_action'])('%s is done', (status) => {
    expect(refund({ status })).toEqual({ result: 'done', reference: 're_1' })
  })

  test.each(['failed', 'canceled'])('%s is declined', (status) => {
    expect(refund({ status })).toEqual({ result: 'declined', code: 'other_error', reference: 're_1' })
  })

  test.each([{ status: 'succeeded', amount: 1 }, { status: 'succeeded', currency: 'krw' }, { status: 'lost' }])(
    '%j is unexpected',
    (fields) => {
      expect(() => refund(fields)).toThrow(UnexpectedAnswer)
    },
  )
})
