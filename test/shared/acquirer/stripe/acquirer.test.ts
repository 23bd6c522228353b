import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Order, OutcomeUnknown } from '#shared/acquirer/acquirer.ts'
import { stripe } from '#shared/acquirer/stripe/acquirer.ts'
import { timestamp } from '#shared/domain/timestamp.ts'
import { pay } from '#test/fixtures/stripe/customer-actions.ts'
import { stripeAt } from '#test/fixtures/stripe/sdk.ts'
import { acquirerContract } from '../contract/acquirer-contract.ts'
import { cardOf, type EmulatedAcquirer, emulatedAcquirer, LIMIT_MS } from './emulated-acquirer.ts'

acquirerContract('Stripe', async () => {
  const { acquirer, clock, stop } = await emulatedAcquirer()
  const cards = { good: cardOf('4242424242424242'), declined: cardOf('4000000000009995') }
  return { acquirer, merchant: 'mer_1', now: () => timestamp(clock.now()), cards, settle() {}, close: stop }
})

let emulated: EmulatedAcquirer
beforeAll(async () => {
  emulated = await emulatedAcquirer()
})
afterAll(() => emulated.stop())
beforeEach(() => {
  emulated.emulator.faults.clear()
  emulated.lines.length = 0
  emulated.calls.length = 0
  emulated.created.length = 0
})

const intentOf = (id: string) => emulated.emulator.account.payment_intents.get(id)!

/** An order on a charge that the emulator has. */
const on = (charge: Order, of: string, operation: Order['operation'], fields: Partial<Order> = {}): Order => ({
  ...charge,
  ...{ operation, of, details: undefined, key: `${charge.payment}-2`, attempt: 2, sent_at: charge.sent_at },
  ...fields,
})

describe('a charge', () => {
  test('is captured with two round trips, and says its fee', async () => {
    const outcome = await emulated.send(emulated.charge())
    expect(outcome).toEqual({ result: 'captured', reference: expect.stringMatching(/^pi_/), fee: expect.any(Number) })
    expect(emulated.calls.toSorted()).toEqual([
      'paymentIntents.confirm',
      'paymentIntents.create',
      'paymentMethods.create',
    ])
    expect(emulated.calls.at(-1)).toBe('paymentIntents.confirm')
  })

  test('carries only ids in its metadata, and no description', async () => {
    const charge = emulated.charge()
    const { reference } = await emulated.send(charge)
    expect(intentOf(reference!)).toMatchObject({
      description: null,
      metadata: { stage: 'test', merchant: 'mer_1', payment: charge.payment, attempt: '1', key: charge.key },
    })
  })

  test('without capture is held until the network ends the hold', async () => {
    const outcome = await emulated.send(emulated.charge({ capture: false }))
    expect(outcome).toMatchObject({ result: 'authorized', until: expect.stringMatching(/Z$/) })
    expect(intentOf(outcome.reference!).status).toBe('requires_capture')
  })

  test.each([
    ['4000000000000002', 'card_declined'],
    ['4000000000009995', 'insufficient_funds'],
    ['4000000000009979', 'card_declined'],
    ['4000000000000069', 'card_expired'],
    ['4000000000000127', 'bad_verification_value'],
    ['4000000000000119', 'other_error'],
    ['4000000000006975', 'exceeds_limit'],
    ['4100000000000019', 'fraudulent'],
  ])('of %s is declined as %s', async (number, code) => {
    const outcome = await emulated.send(emulated.charge({}, number))
    expect(outcome).toMatchObject({ result: 'declined', code, reference: expect.stringMatching(/^pi_/) })
  })

  test('that Stripe blocks without saying so in its code is fraudulent', async () => {
    const charge = emulated.charge({}, '4000000000000002')
    const { reference } = await emulated.send(charge)
    const { latest_charge } = intentOf(reference!)
    const charged = emulated.emulator.account.charges.get(latest_charge as string)!
    Object.assign(charged, { outcome: { ...charged.outcome, type: 'blocked' } })
    expect(await emulated.inquire({ ...charge, reference: reference! })).toMatchObject({ code: 'fraudulent' })
  })

  test('that needs 3-D Secure sends the customer to the bank, and is captured afterwards', async () => {
    const charge = emulated.charge({}, '4000000000003220')
    const outcome = await emulated.send(charge)
    expect(outcome).toMatchObject({ result: 'pending', shown: { redirect_url: expect.stringMatching(/^http/) } })
    pay(emulated.emulator.account, outcome.reference!)
    expect(await emulated.inquire({ ...charge, reference: outcome.reference! })).toMatchObject({ result: 'captured' })
  })

  test('of an interval is declined if it needs 3-D Secure, because no customer is present', async () => {
    const outcome = await emulated.send(emulated.charge({ interval: 1 }, '4000000000003220'))
    expect(outcome).toMatchObject({ result: 'declined', code: 'card_declined' })
  })

  test('in a convenience store shows the codes of the store until the deadline', async () => {
    const charge = emulated.charge({
      ...{ type: 'konbini', store: 'family-mart' },
      details: { type: 'konbini', email: 'taro@example.com', store: 'family-mart' },
    })
    const outcome = await emulated.send(charge)
    const { stores } = intentOf(outcome.reference!).next_action!.konbini_display_details!
    expect(outcome).toEqual({
      ...{ result: 'authorized', reference: outcome.reference, until: charge.deadline },
      shown: {
        receipt: stores.familymart!.payment_code,
        confirmation_code: stores.familymart!.confirmation_number,
        instructions_url: charge.instructions_url,
      },
    })
    pay(emulated.emulator.account, outcome.reference!)
    expect(await emulated.inquire({ ...charge, reference: outcome.reference! })).toMatchObject({ result: 'captured' })
  })

  test('by bank transfer has an account of its own, and one customer however often it is sent', async () => {
    const charge = emulated.charge({ type: 'bank_transfer', details: { type: 'bank_transfer', email: 'a@b.example' } })
    const outcome = await emulated.send(charge)
    expect(outcome).toMatchObject({ result: 'authorized', shown: { account_number: expect.stringMatching(/^\d+$/) } })
    const customers = emulated.emulator.account.customers.size
    expect(await emulated.send(charge)).toEqual(outcome)
    expect(await emulated.inquire(charge)).toEqual(outcome)
    expect(emulated.emulator.account.customers.size).toBe(customers)
    pay(emulated.emulator.account, outcome.reference!)
    expect(await emulated.inquire(charge)).toMatchObject({ result: 'captured' })
  })

  test.each(['alipay', 'wechatpay'] as const)('by %s sends the customer off-site', async (type) => {
    const outcome = await emulated.send(emulated.charge({ type, details: { type } }))
    expect(outcome).toMatchObject({ result: 'pending', shown: { redirect_url: expect.stringMatching(/^http/) } })
  })

  test('in a currency that Stripe counts otherwise is charged and refunded in full', async () => {
    const charge = emulated.charge({ currency: 'ISK', amount: 1100 })
    const { reference } = await emulated.send(charge)
    expect(intentOf(reference!).amount_received).toBe(110_000)
    expect(await emulated.send(on(charge, reference!, 'refund'))).toMatchObject({ result: 'done' })
  })

  test('that Stripe does not take because of a defect is declined, and raises an alarm', async () => {
    const charge = emulated.charge({ amount: 10 })
    expect(await emulated.send(charge)).toEqual({ result: 'declined', code: 'other_error' })
    expect(emulated.lines).toEqual([
      {
        ...{ level: 'error', event: 'acquirer_refused', merchant: 'mer_1', payment: charge.payment },
        ...{ provider: 'stripe', provider_code: 'amount_too_small', provider_param: 'amount' },
        provider_request: expect.stringMatching(/^req_/),
      },
    ])
  })
})

describe('the creation of a charge', () => {
  // A release that sends other parameters could not repeat the creations of the release before it under their keys.
  test.each([
    ['credit_card', { capture: true }, 'card', 'automatic'],
    ['credit_card', { capture: false }, 'card', 'manual'],
    ['konbini', { capture: false, store: 'lawson' }, 'konbini', 'automatic'],
    ['bank_transfer', {}, 'customer_balance', 'automatic'],
    ['alipay', {}, 'alipay', 'automatic'],
    ['wechatpay', {}, 'wechat_pay', 'automatic'],
  ] as const)('of %s with %j sends the same parameters in every release', async (type, fields, method, capture) => {
    const charge = emulated.charge({ type, ...fields })
    await emulated.inquire(charge)
    const { key, payment } = charge
    const metadata = { stage: 'test', merchant: 'mer_1', payment, attempt: '1', key }
    const intent = {
      ...{ amount: '1100', currency: 'jpy', payment_method_types: [method], capture_method: capture, metadata },
      ...(type === 'bank_transfer' && { customer: expect.stringMatching(/^cus_/) }),
    }
    expect(emulated.created).toEqual([
      ...(type === 'bank_transfer' ? [['customers.create', { metadata }]] : []),
      ['paymentIntents.create', intent],
    ])
  })
})

describe('an inquiry about a charge', () => {
  test('without an id repeats the creation under its key, and finds what the charge has done', async () => {
    const charge = emulated.charge()
    const outcome = await emulated.send(charge)
    emulated.clock.advance(19 * 3600)
    expect(await emulated.inquire(charge)).toEqual(outcome)
    expect(emulated.calls).not.toContain('paymentIntents.list')
  })

  test('never creates a charge again once its key can be forgotten: it reads the list', async () => {
    const [paid, lost] = [emulated.charge(), emulated.charge()]
    const outcome = await emulated.send(paid)
    emulated.clock.advance(25 * 3600)
    const before = emulated.emulator.account.payment_intents.size
    expect(await emulated.inquire(paid, true)).toEqual(outcome)
    expect(await emulated.inquire(lost, true)).toEqual({ result: 'never_arrived' })
    expect(await emulated.send(lost)).toEqual({ result: 'never_arrived' })
    expect(emulated.emulator.account.payment_intents.size).toBe(before)
  })

  test('finds a charge that was created hours after it was first sent', async () => {
    const charge = emulated.charge()
    emulated.clock.advance(10 * 3600)
    const outcome = await emulated.send(charge)
    emulated.clock.advance(15 * 3600)
    expect(await emulated.inquire(charge)).toEqual(outcome)
  })

  test('reads every page of the list', async () => {
    const charge = emulated.charge()
    const outcome = await emulated.send(charge)
    for (let others = 0; others < 101; others++) await emulated.inquire(emulated.charge())
    emulated.clock.advance(25 * 3600)
    emulated.calls.length = 0
    expect(await emulated.inquire(charge)).toEqual(outcome)
    expect(emulated.calls.filter((call) => call === 'paymentIntents.list')).toHaveLength(2)
  })

  test('that is final cancels what was not confirmed, so a late confirmation is refused', async () => {
    const charge = emulated.charge()
    const inquired = await emulated.inquire(charge, true)
    expect(inquired).toEqual({ result: 'never_arrived', reference: expect.stringMatching(/^pi_/) })
    expect(intentOf(inquired.reference!).status).toBe('canceled')
    expect(await emulated.send(charge)).toMatchObject({ result: 'never_arrived' })
  })

  test('of another amount is unknown, and raises an alarm', async () => {
    const charge = emulated.charge()
    await emulated.send(charge)
    const { reference } = await emulated.send(emulated.charge({ amount: 900 }))
    await expect(emulated.inquire({ ...charge, reference: reference! })).rejects.toThrow(OutcomeUnknown)
    expect(emulated.lines).toMatchObject([{ event: 'acquirer_unexpected', provider_code: 'amount' }])
  })

  test('about an id that Stripe does not have is unknown, and raises an alarm', async () => {
    await expect(emulated.inquire(emulated.charge({ reference: 'pi_other' }))).rejects.toThrow(OutcomeUnknown)
    expect(emulated.lines).toMatchObject([{ event: 'acquirer_refused', provider_code: 'resource_missing' }])
  })
})

describe('an operation on a charge', () => {
  test('captures a part of a hold', async () => {
    const charge = emulated.charge({ capture: false })
    const { reference } = await emulated.send(charge)
    const capture = on(charge, reference!, 'capture', { amount: 600 })
    expect(await emulated.send(capture)).toMatchObject({ result: 'done' })
    expect(intentOf(reference!).amount_received).toBe(600)
    expect(await emulated.inquire(capture)).toMatchObject({ result: 'done' })
  })

  test('finds that the hold has ended', async () => {
    const charge = emulated.charge({ capture: false })
    const { reference } = await emulated.send(charge)
    emulated.emulator.faults.plan({ fault: 'charge_expired_for_capture', call: 'paymentIntents.capture' })
    expect(await emulated.send(on(charge, reference!, 'capture'))).toEqual({ result: 'expired' })
  })

  test('voids a charge that succeeded as captured, and refunds one that is unwanted', async () => {
    const charge = emulated.charge()
    const { reference } = await emulated.send(charge)
    const voided = on(charge, reference!, 'void', { because: 'cancelled' })
    expect(await emulated.send(voided)).toEqual({ result: 'captured', reference })
    const unwanted = on(charge, reference!, 'void', { because: 'unwanted' })
    expect(await emulated.send(unwanted)).toMatchObject({ result: 'done', reference: expect.stringMatching(/^re_/) })
    expect(await emulated.send(unwanted)).toMatchObject({ result: 'done' })
    const refunds = [...emulated.emulator.account.refunds.values()].filter((it) => it.payment_intent === reference)
    expect(refunds.map(({ amount }) => amount)).toEqual([1100])
  })

  test('finds the part of a hold that the dashboard captured before the void', async () => {
    const charge = emulated.charge({ capture: false })
    const { reference } = await emulated.send(charge)
    await stripeAt(emulated).paymentIntents.capture(reference!, { amount_to_capture: 600 })
    const voided = on(charge, reference!, 'void', { because: 'cancelled' })
    expect(await emulated.send(voided)).toEqual({ result: 'captured', reference, taken: 600 })
    expect(await emulated.inquire(voided)).toEqual({ result: 'captured', reference, taken: 600 })
  })

  test('voids nothing if the charge never arrived', async () => {
    const charge = emulated.charge({ payment: 'pay_01q3g91pw0n15sjghphp5mt8s0' })
    expect(await emulated.send({ ...on(charge, '', 'void', { because: 'cancelled' }), of: null })).toEqual({
      result: 'done',
    })
  })

  test('keeps the money of a voucher that is paid just before its void', async () => {
    const charge = emulated.charge({
      ...{ type: 'konbini', store: 'lawson' },
      details: { type: 'konbini', email: 'taro@example.com', store: 'lawson' },
    })
    const { reference } = await emulated.send(charge)
    emulated.emulator.faults.plan({ fault: 'paid_first', call: 'paymentIntents.cancel' })
    const expired = on(charge, reference!, 'void', { because: 'expired' })
    expect(await emulated.send(expired)).toEqual({ result: 'captured', reference })
  })

  test('raises an alarm for cash that is paid after the end of its payment', async () => {
    const charge = emulated.charge({
      ...{ type: 'konbini', store: 'lawson' },
      details: { type: 'konbini', email: 'taro@example.com', store: 'lawson' },
    })
    const { reference } = await emulated.send(charge)
    pay(emulated.emulator.account, reference!)
    expect(await emulated.send(on(charge, reference!, 'void', { because: 'unwanted' }))).toMatchObject({
      result: 'captured',
    })
    expect(emulated.lines).toMatchObject([{ event: 'paid_after_end', payment: charge.payment }])
  })

  test('declines a refund that the balance does not cover, and raises an alarm', async () => {
    const charge = emulated.charge()
    const { reference } = await emulated.send(charge)
    emulated.emulator.faults.plan({ fault: 'balance_insufficient', call: 'refunds.create' })
    expect(await emulated.send(on(charge, reference!, 'refund'))).toEqual({ result: 'declined', code: 'other_error' })
    expect(emulated.lines).toMatchObject([{ event: 'acquirer_refused', provider_code: 'balance_insufficient' }])
  })

  test.each(['refund', 'capture'] as const)('makes a %s that is sent twice at once only once', async (operation) => {
    const charge = emulated.charge({ capture: operation === 'refund' })
    const { reference } = await emulated.send(charge)
    const order = on(charge, reference!, operation, { amount: 300 })
    const first = await emulated.send(order)
    expect(first).toMatchObject({ result: 'done' })
    expect(await emulated.send(order)).toEqual(first)
    const balance = [...emulated.emulator.account.balance_transactions.values()]
    const refunds = [...emulated.emulator.account.refunds.values()].filter((it) => it.payment_intent === reference)
    const sources = new Set<unknown>([intentOf(reference!).latest_charge, ...refunds.map(({ id }) => id)])
    const movements = balance.filter(({ source }) => sources.has(source)).map(({ amount }) => amount)
    expect(movements).toEqual(operation === 'refund' ? [1100, -300] : [300])
  })

  test('that Stripe executed and answers with a stored failure is found by its next repetition', async () => {
    const charge = emulated.charge()
    const { reference } = await emulated.send(charge)
    emulated.emulator.faults.plan({ fault: 'stored_500', call: 'refunds.create' })
    const refund = on(charge, reference!, 'refund', { amount: 300 })
    await expect(emulated.send(refund)).rejects.toThrow(OutcomeUnknown)
    emulated.clock.advance(60)
    expect(await emulated.send(refund)).toMatchObject({ result: 'done', reference: expect.stringMatching(/^re_/) })
  })

  test('declines a refund of more than the charge', async () => {
    const charge = emulated.charge()
    const { reference } = await emulated.send(charge)
    const refund = on(charge, reference!, 'refund', { amount: 1200 })
    expect(await emulated.send(refund)).toEqual({ result: 'declined', code: 'other_error' })
  })

  test('that is final and found nothing is unknown while its key is remembered', async () => {
    const charge = emulated.charge({ capture: false })
    const { reference } = await emulated.send(charge)
    const capture = on(charge, reference!, 'capture')
    expect(await emulated.inquire(capture)).toEqual({ result: 'never_arrived' })
    await expect(emulated.inquire(capture, true)).rejects.toThrow(OutcomeUnknown)
    emulated.clock.advance(20 * 3600)
    expect(await emulated.inquire(capture, true)).toEqual({ result: 'never_arrived' })
    expect(await emulated.send(capture)).toEqual({ result: 'never_arrived' })
  })
})

describe('a verification', () => {
  const verify = (number: string, amount = 1100) => {
    const { currency, return_url } = emulated.charge()
    const token = `tok_${number}${amount}`
    const verification = { token, merchant: 'mer_1', details: cardOf(number), amount, currency, return_url }
    return emulated.acquirer.verify(verification, LIMIT_MS)
  }

  test('of an amount holds it, and the charge of the token captures the hold', async () => {
    const verified = await verify('4000000000003220')
    expect(verified).toMatchObject({ needs_verification: true, redirect_url: expect.stringMatching(/^http/) })
    const { reference } = verified
    pay(emulated.emulator.account, reference!)
    expect(intentOf(reference!).status).toBe('requires_capture')
    const charge = emulated.charge({ verified: true, reference })
    expect(await emulated.inquire(charge)).toMatchObject({ result: 'never_arrived' })
    expect(await emulated.send(charge)).toMatchObject({ result: 'captured', reference })
    expect(await emulated.inquire(charge)).toMatchObject({ result: 'captured', reference })
  })

  test('of a card that needs none holds the amount, and the charge of the token keeps the hold', async () => {
    const { needs_verification, redirect_url, reference } = await verify('378282246310005')
    expect([needs_verification, redirect_url]).toEqual([false, null])
    const charge = emulated.charge({ verified: true, reference, capture: false })
    expect(await emulated.send(charge)).toMatchObject({ result: 'authorized', reference })
  })

  test('of a card that is declined needs none, and its charge is declined', async () => {
    const { needs_verification, reference } = await verify('4000000000000002')
    expect(needs_verification).toBe(false)
    const charge = emulated.charge({ verified: true, reference })
    expect(await emulated.send(charge)).toMatchObject({ result: 'declined', code: 'card_declined' })
  })

  test('without an amount verifies the card only', async () => {
    const verified = await verify('4000000000003220', 0)
    expect(verified).toMatchObject({ needs_verification: true, reference: expect.stringMatching(/^seti_/) })
  })
})

describe('the adapter', () => {
  test('refuses what Stripe cannot charge, without a call', () => {
    const wanted = { type: 'paypay', brand: null, currency: 'JPY', amount: 1000, deadline: null } as const
    expect(() => emulated.acquirer.accepts(wanted)).toThrow(expect.objectContaining({ code: 'invalid_payment_type' }))
    expect(emulated.calls).toEqual([])
  })

  test('reads the API key again after Stripe has refused it', async () => {
    let key = 'sk_test_old'
    const secrets = {
      acquirer: async () => ({ api_key: key }),
      refetch: async () => {
        key = emulated.emulator.key
      },
    }
    const acquirer = stripe({ ...emulated.access, secrets })
    const charge = emulated.charge()
    await expect(acquirer.send(charge, LIMIT_MS)).rejects.toThrow(OutcomeUnknown)
    expect(emulated.lines).toMatchObject([{ event: 'acquirer_denied' }, { event: 'acquirer_denied' }])
    expect(await acquirer.send(charge, LIMIT_MS)).toMatchObject({ result: 'captured' })
  })

  test('takes no answer of the other mode', async () => {
    const live = await emulatedAcquirer({ key: 'sk_live_emulator' })
    try {
      expect(await live.send(live.charge())).toMatchObject({ result: 'captured' })
      Object.assign(live.emulator.account, { livemode: false })
      await expect(live.send(live.charge())).rejects.toThrow(OutcomeUnknown)
      expect(live.lines).toMatchObject([{ event: 'acquirer_unexpected', provider_code: 'livemode' }])
    } finally {
      await live.stop()
    }
  })

  test('makes no call without time', async () => {
    await expect(emulated.acquirer.send(emulated.charge(), 0)).rejects.toThrow(OutcomeUnknown)
    expect(emulated.calls).toEqual([])
  })

  test('sends card numbers to no host but Stripe and this machine', async () => {
    const acquirer = stripe({ ...emulated.access, host: 'https://stripe.example' })
    await expect(acquirer.send(emulated.charge(), LIMIT_MS)).rejects.toThrow(RangeError)
  })
})
