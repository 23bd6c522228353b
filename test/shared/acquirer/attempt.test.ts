import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { acquirerOf } from '#shared/acquirer/acquirers.ts'
import { attemptOf, orderOf } from '#shared/acquirer/attempt.ts'
import { pageUrl } from '#shared/domain/page-url.ts'
import type { PaymentDetails } from '#shared/domain/payment-details.ts'
import { WriteConflict } from '#shared/platform/ports.ts'
import { itemsOf, refusalIn } from '#test/faults/witness.ts'
import { type Api, card, openApi } from '#test/fixtures/api.ts'
import { inFlight, orderRecord, paymentOf, paymentRecord } from '#test/fixtures/records.ts'

let service: Api
let api: Api
beforeAll(async () => {
  service = await openApi()
  api = await openApi({ around: (platform) => ({ ...platform, live_acquirer: 'none' }) })
})
afterAll(async () => {
  service.close()
  await api.close()
})

describe('attemptOf', () => {
  test('derives the key from the payment and its version, and schedules the first inquiry a minute later', () => {
    expect(attemptOf(service.work(), paymentRecord(), inFlight('refund', { amount: 300, tax: 0 }), 'lookup')).toEqual({
      version: 0,
      payment: 'pay_1',
      number: 8,
      operation: 'refund',
      mode: 'test',
      key: 'pay_1-8',
      amount: 300,
      sent_at: '2030-01-02T03:00:00Z',
      inquiries: 0,
      outcome: null,
      inquire_at: '2030-01-02T03:01:00Z',
      token: 'lookup',
      reference: null,
      watch_at: null,
    })
  })
})

describe('orderOf', () => {
  const details = card() as PaymentDetails
  const order = (operation: Parameters<typeof inFlight>[0], fields: object = {}, payment = paymentRecord()) => {
    const entry = inFlight(operation, fields)
    const attempt = attemptOf(service.work(), payment, entry)
    return orderOf(service.work(), { ...payment, in_flight: [entry] }, attempt, details)
  }

  test('orders a charge of the total, which includes fee and tax', async () => {
    const payment = paymentOf('konbini', { capture: false, currency: 'JPY' })
    expect(await order('charge', { attempt: 1 }, payment)).toEqual({
      key: 'pay_1-1',
      operation: 'charge',
      charge: 'pay_1-1',
      interval: null,
      merchant: service.test.id,
      payment: 'pay_1',
      attempt: 1,
      type: 'konbini',
      store: null,
      amount: 1290,
      currency: 'JPY',
      capture: false,
      details,
      verified: false,
      sent_at: '2030-01-02T03:00:00Z',
      deadline: '2030-02-01T14:59:59Z',
      locale: 'ja',
      reference: null,
      of: null,
      customer: null,
      redirect_url: pageUrl(service.work(), 'off_site', 'pay_1'),
      return_url: pageUrl(service.work(), 'return', 'pay_1'),
      instructions_url: pageUrl(service.work(), 'instructions', 'pay_1'),
    })
  })

  test.each(['capture', 'refund', 'void'] as const)(
    'makes no order of a %s whose outcome was recorded after its attempt was read',
    async (operation) => {
      const payment = paymentRecord()
      const attempt = attemptOf(service.work(), payment, inFlight(operation))
      await expect(orderOf(service.work(), payment, attempt)).rejects.toThrow(WriteConflict)
    },
  )

  test.each([
    ['authorized', 'cancelled'],
    ['captured', 'cancelled'],
    ['cancelled', 'unwanted'],
    ['failed', 'unwanted'],
    ['expired', 'unwanted'],
  ] as const)('a void of a payment that is %s is sent because it is %s', async (status, because) => {
    expect(await order('void', {}, paymentRecord({ status }))).toMatchObject({ because })
    expect(await order('void', { because: 'expired' }, paymentRecord({ status }))).toMatchObject({ because: 'expired' })
  })

  test('marks a card as verified if its owner has passed 3-D Secure', async () => {
    expect(await order('charge', { attempt: 1 }, paymentRecord({ verified_by: 'tok_1' }))).toMatchObject({
      verified: true,
    })
  })

  test('derives the key of a subscription charge from the subscription, the interval and the try', async () => {
    const payment = paymentRecord({ occurrence: { subscription: 'sub_1', interval: 3, try: 2 } })
    const known = { charge: 'sub_1-3-2', interval: 3 }
    expect(await order('charge', { attempt: 1 }, payment)).toMatchObject({ key: 'sub_1-3-2', ...known })
    expect(await order('void', {}, payment)).toMatchObject({ key: 'pay_1-8', ...known })
  })

  test('names the charge in a capture, refund or void, with the amount of the operation', async () => {
    expect(await order('capture', { amount: 600, tax: 60 })).toMatchObject({
      key: 'pay_1-8',
      charge: 'pay_1-1',
      amount: 660,
    })
    expect(await order('refund', { amount: 300, tax: 0 })).toMatchObject({ operation: 'refund', amount: 300 })
    expect(await order('void')).toMatchObject({ operation: 'void', charge: 'pay_1-1', amount: 1100 })
  })

  test.each([
    ['authorized', 'cancelled'],
    ['captured', 'cancelled'],
    ['expired', 'unwanted'],
  ] as const)('orders the void of a payment that is %s because it is %s', async (status, because) => {
    expect((await order('void', {}, paymentRecord({ status }))).because).toBe(because)
  })

  test('throws WriteConflict for an operation whose outcome was recorded after its attempt was read', async () => {
    const payment = paymentRecord({ status: 'captured' })
    const attempt = attemptOf(service.work(), payment, inFlight('void'))
    await expect(orderOf(service.work(), payment, attempt)).rejects.toThrow(WriteConflict)
  })
})

describe('acquirerOf', () => {
  test('without a live acquirer, refuses live payments with 503 and stores nothing of them, and serves test payments', async () => {
    const json = { amount: 100, currency: 'JPY', payment_details: card() }
    const reply = await api.request('POST /payments', { key: api.live.secret_key, json })
    expect(refusalIn(reply)).toEqual({ status: 503, code: 'service_unavailable', param: null })
    expect(itemsOf(api, 'payment')).toEqual([])
    expect((await api.request('POST /payments', { json })).status).toBe(200)
  })

  test('without a live acquirer, throws in live mode and not in test mode', () => {
    const platform = { ...service.platform, live_acquirer: 'none' } as const
    expect(() => acquirerOf(service.work({ platform }), 'live')).toThrow(/not set up/)
    expect(() => acquirerOf(service.work({ platform }), 'test')).not.toThrow()
  })

  test('applies sandbox scenarios in test mode only', async () => {
    const work = service.work({ scenario: 'timeout_before_charge' })
    const full = orderRecord({ operation: 'refund' })
    await expect(acquirerOf(work, 'test').send(full, 1)).rejects.toThrow()
    expect(await acquirerOf(work, 'live').send(full, 1)).toEqual({ result: 'done' })
  })
})
