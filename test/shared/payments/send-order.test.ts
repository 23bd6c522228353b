import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { acquirers } from '#shared/acquirer/acquirers.ts'
import { FRESH } from '#shared/domain/operation-progress.ts'
import type { Attempt } from '#shared/domain/payment.ts'
import { refund } from '#shared/domain/payment-operations.ts'
import { runOperation } from '#shared/payments/run-operation.ts'
import { attemptsOf, findAttempt } from '#shared/store/attempts.ts'
import { changed } from '#shared/store/change.ts'
import { payments } from '#shared/store/payments.ts'
import { eventTypesOf, refusalIn } from '#test/faults/witness.ts'
import { card, konbini } from '#test/fixtures/api.ts'
import { AsynchronousAcquirer } from '#test/fixtures/asynchronous-acquirer.ts'
import { type LiveApi, openLiveApi } from '#test/fixtures/live-api.ts'
import { atStripe, StandInProvider } from '#test/fixtures/stand-in-provider.ts'

let api: LiveApi
let provider: StandInProvider
beforeAll(async () => {
  api = await openLiveApi()
})
beforeEach(() => {
  provider = atStripe(new StandInProvider())
})
afterAll(() => api.close())

const attempt = async (id: string, number: number): Promise<Attempt> =>
  (await findAttempt(api.live_work(), id, number))!
const operate = (id: string, operation: string, json: object = {}) =>
  api.live_request(`POST /payments/${id}/${operation}`, { json })
const events = (id: string) => eventTypesOf(api, id, api.live.secret_key)

describe('an operation at a provider', () => {
  test('stores the id of the charge, and sends it with the capture, the refund and the void', async () => {
    const id = await api.pay({ capture: false })
    expect(await attempt(id, 1)).toMatchObject({ reference: `pi_${id}-1`, outcome: { result: 'authorized' } })
    expect((await operate(id, 'capture')).body.status).toBe('captured')
    expect((await operate(id, 'refund', { amount: 300 })).body.amount_refunded).toBe(300)
    const other = await api.pay({ capture: false })
    expect((await operate(other, 'cancel')).body.status).toBe('cancelled')
    const orders = provider.asked.map(({ order: { operation, of, reference } }) => ({ operation, of, reference }))
    expect(orders).toEqual([
      { operation: 'charge', of: null, reference: null },
      { operation: 'capture', of: `pi_${id}-1`, reference: null },
      { operation: 'refund', of: `pi_${id}-1`, reference: null },
      { operation: 'charge', of: null, reference: null },
      { operation: 'void', of: `pi_${other}-1`, reference: null },
    ])
    expect(provider.asked.at(-1)?.order.because).toBe('cancelled')
  })

  test('keeps the provider where a payment began, whatever the stage uses later', async () => {
    const id = await api.pay()
    expect((await api.stored(id)).provider).toBe('stripe')
    const work = api.live_work()
    const sandbox_payment = await api.stored(id).then((payment) => ({ ...payment, provider: 'sandbox' as const }))
    await work.commit([changed(payments, sandbox_payment)])
    expect((await operate(id, 'refund')).body.status).toBe('refunded')
    expect(provider.callsAbout(id)).toEqual(['send charge'])
  })

  test('treats a payment that is older than its provider as a payment of the sandbox', async () => {
    const id = await api.pay()
    const work = api.live_work()
    const { provider: _, ...old } = await work.get(payments, id)
    await work.commit([changed(payments, old)])
    expect((await operate(id, 'refund')).body.status).toBe('refunded')
    expect(provider.callsAbout(id)).toEqual(['send charge'])
  })

  test('refuses an operation at a provider that the stage has no adapter for, and stores nothing', async () => {
    const id = await api.pay()
    const before = await api.stored(id)
    const work = api.live_work()
    const platform = { ...work.platform, live_acquirer: 'sandbox' as const }
    const adapter = acquirers.stripe
    acquirers.stripe = undefined
    const begin = async () => refund(await work.get(payments, id), {}, 'ref_1')
    const refused = runOperation(
      api.work({ platform, merchant: api.live.id, mode: 'live' }),
      { progress: FRESH },
      { begin },
    )
    await expect(refused).rejects.toMatchObject({ code: 'service_unavailable' })
    acquirers.stripe = adapter
    expect(await api.stored(id)).toEqual(before)
  })

  test('stores the id of a charge whose outcome is lost, and inquires with it', async () => {
    provider.fault = 'reference'
    const id = await api.pay()
    expect(await api.stored(id)).toMatchObject({ status: 'pending' })
    expect(await attempt(id, 1)).toMatchObject({ reference: `pi_${id}-1`, outcome: null })
    await api.advance(60)
    expect(provider.asked.at(-1)).toMatchObject({ call: 'inquire', final: true, order: { reference: `pi_${id}-1` } })
    expect((await api.stored(id)).status).toBe('captured')
  })

  test.each(['capture', 'refund'] as const)('repeats a %s that never arrived', async (operation) => {
    const id = await api.pay({ capture: operation === 'refund' })
    Object.assign(provider, { fault: 'before', faulty: [operation] })
    expect((await operate(id, operation)).status).toBe(504)
    provider.fault = undefined
    await api.advance(60)
    expect(provider.callsAbout(id)).toEqual([
      'send charge',
      `send ${operation}`,
      `inquire ${operation}`,
      `send ${operation}`,
    ])
    expect((await api.stored(id)).status).toBe(operation === 'refund' ? 'refunded' : 'captured')
    expect(provider.chargeOf(id).returned).toBe(operation === 'refund' ? 1000 : 0)
  })

  test('gives up a refund that never arrived once the provider may have forgotten its key', async () => {
    const id = await api.pay()
    Object.assign(provider, { fault: 'before', faulty: ['refund'] })
    await operate(id, 'refund')
    provider.is_silent = true
    await api.advance(20 * 3600)
    provider.fault = undefined
    provider.is_silent = false
    await api.advance(2 * 86_400)
    expect(await api.stored(id)).toMatchObject({ status: 'captured', amount_refunded: 0, in_flight: [] })
    expect(provider.chargeOf(id).returned).toBe(0)
  })

  test('gives up a charge that never arrived, so that it never takes effect', async () => {
    provider.fault = 'before'
    const id = await api.pay()
    await api.advance(60)
    expect(provider.asked.at(-1)).toMatchObject({ call: 'inquire', final: true })
    expect((await api.stored(id)).status).toBe('failed')
  })

  test('ends a charge without an id before it voids the charge', async () => {
    provider.fault = 'after'
    provider.faulty = ['charge']
    const id = await api.pay({ capture: false })
    expect((await operate(id, 'cancel')).body).toMatchObject({ status: 'cancelled' })
    expect(provider.callsAbout(id)).toEqual(['send charge', 'inquire charge', 'send void'])
    expect(provider.asked.at(-1)?.order).toMatchObject({ operation: 'void', of: `pi_${id}-1` })
    expect(provider.chargeOf(id).state).toBe('ended')
  })

  test('sends no void for a charge that never arrived', async () => {
    provider.fault = 'before'
    provider.faulty = ['charge']
    const id = await api.pay({ capture: false })
    expect((await operate(id, 'cancel')).body).toMatchObject({ status: 'cancelled' })
    expect(provider.callsAbout(id)).toEqual(['send charge', 'inquire charge'])
    await api.advance(3600)
    expect((await api.stored(id)).in_flight).toEqual([])
    expect(await events(id)).toEqual(['payment.cancelled'])
  })

  test('answers a cancel of a payment that was paid meanwhile with 422, and captures the payment', async () => {
    const id = await api.pay({ payment_details: konbini })
    provider.move(id, 'paid')
    expect(refusalIn(await operate(id, 'cancel'))).toMatchObject({ status: 422, code: 'not_cancellable' })
    expect(await api.stored(id)).toMatchObject({ status: 'captured', in_flight: [] })
    expect(await events(id)).toEqual(['payment.authorized', 'payment.captured'])
  })

  test('answers a capture of an authorization that has ended with 422, and expires the payment', async () => {
    const id = await api.pay({ capture: false })
    provider.move(id, 'ended')
    expect(refusalIn(await operate(id, 'capture'))).toMatchObject({ status: 422, code: 'not_capturable' })
    expect(await events(id)).toEqual(['payment.authorized', 'payment.expired'])
  })

  test('makes the deadline earlier if the provider ends the authorization earlier, and never later', async () => {
    provider.until = '2030-01-09T03:00:00Z'
    expect((await api.stored(await api.pay({ capture: false }))).payment_deadline).toBe('2030-01-09T03:00:00Z')
    provider.until = '2039-01-09T03:00:00Z'
    const { payment_deadline, created_at } = await api.stored(await api.pay({ capture: false }))
    expect(Date.parse(payment_deadline) - Date.parse(created_at)).toBeLessThan(31 * 86_400_000)
  })
})

describe('an acquirer that only accepts operations', () => {
  test('answers 200 with the operation in flight, and records its result later', async () => {
    const slow = atStripe(new AsynchronousAcquirer())
    const json = { amount: 1000, currency: 'JPY', capture: false, payment_details: card() }
    const { status, body } = await api.live_request('POST /payments', { json })
    expect([status, body.status]).toEqual([200, 'pending'])
    const settle = async (expected: string) => {
      slow.settle()
      await api.advance(60)
      expect(await api.stored(body.id)).toMatchObject({ status: expected, in_flight: [] })
    }
    await settle('authorized')
    expect((await operate(body.id, 'capture')).body.status).toBe('authorized')
    await settle('captured')
    expect((await operate(body.id, 'refund')).body).toMatchObject({ status: 'captured', amount_refunded: 0 })
    await settle('refunded')
    expect(await events(body.id)).toEqual([
      'payment.authorized',
      'payment.captured',
      'payment.refund.created',
      'payment.refunded',
    ])
    expect(slow.effectsOf(body.id).map(({ operation }) => operation)).toEqual(['charge', 'capture', 'refund'])
  })

  test('keeps inquiring about an operation that stays accepted', async () => {
    const slow = atStripe(new AsynchronousAcquirer())
    const id = await api.pay()
    await api.advance(3 * 86_400)
    expect(await api.stored(id)).toMatchObject({ status: 'pending', in_flight: [{ operation: 'charge' }] })
    expect(await attempt(id, 1)).toMatchObject({ inquiries: 5, outcome: null })
    slow.settle()
    await api.advance(86_400)
    expect(await api.stored(id)).toMatchObject({ status: 'captured', in_flight: [] })
  })

  test('cancels a payment once the void has taken effect', async () => {
    const slow = atStripe(new AsynchronousAcquirer())
    const id = await api.pay({ capture: false })
    slow.settle()
    await api.advance(60)
    expect((await operate(id, 'cancel')).body.status).toBe('authorized')
    slow.settle()
    await api.advance(60)
    expect(await events(id)).toEqual(['payment.authorized', 'payment.cancelled'])
  })

  test('activates a subscription once its first capture has its result', async () => {
    const slow = atStripe(new AsynchronousAcquirer())
    const json = { payment_details: card() }
    const { body: customer } = await api.live_request('POST /customers', { json })
    const order = { customer: customer.id, amount: 1000, currency: 'JPY', period: 'weekly' }
    const { status, body } = await api.live_request('POST /subscriptions', { json: order })
    expect([status, body.status]).toEqual([200, 'pending'])
    slow.settle()
    await api.advance(60)
    expect((await api.live_request(`GET /subscriptions/${body.id}`)).body).toMatchObject({ status: 'active' })
  })

  test('completes a session once its payment has its result', async () => {
    const slow = atStripe(new AsynchronousAcquirer())
    const { body } = await api.live_request('POST /sessions', { json: { amount: 1000, currency: 'JPY' } })
    const json = { payment_details: card() }
    expect((await api.live_request(`POST /sessions/${body.id}/pay`, { json })).body.status).toBe('pending')
    slow.settle()
    await api.advance(60)
    expect((await api.live_request(`GET /sessions/${body.id}`)).body.status).toBe('completed')
  })

  test('fails a declined card', async () => {
    const slow = atStripe(new AsynchronousAcquirer())
    const id = await api.pay({ payment_details: card('4123111111111059') })
    slow.settle()
    await api.advance(60)
    expect(await api.stored(id)).toMatchObject({ status: 'failed', failure: 'card_declined' })
  })
})

test('the attempts of an older record have neither id nor watch, and are resolved', async () => {
  provider.fault = 'after'
  const id = await api.pay()
  provider.fault = undefined
  const work = api.live_work()
  const { reference, watch_at, ...old } = (await findAttempt(work, id, 1))!
  await work.commit([changed(attemptsOf(await work.get(payments, id)), old)])
  await api.advance(60)
  expect((await api.stored(id)).status).toBe('captured')
})
