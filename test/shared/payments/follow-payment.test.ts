import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { SqliteSpool } from '#infra/operate/sqlite-spool.ts'
import type { ProviderState, ReportedPayment } from '#shared/domain/follow-payment.ts'
import { timestamp } from '#shared/domain/timestamp.ts'
import { reconcile } from '#shared/operations/reconcile.ts'
import { followPayment } from '#shared/payments/follow-payment.ts'
import { WriteConflict } from '#shared/platform/ports.ts'
import { attemptsOf, findAttempt } from '#shared/store/attempts.ts'
import { changed } from '#shared/store/change.ts'
import { payments } from '#shared/store/payments.ts'
import { retryOnConflict } from '#shared/store/retry-on-conflict.ts'
import { eventTypesOf } from '#test/faults/witness.ts'
import { card, konbini } from '#test/fixtures/api.ts'
import { type LiveApi, openLiveApi } from '#test/fixtures/live-api.ts'
import { atStripe, StandInProvider } from '#test/fixtures/stand-in-provider.ts'

let api: LiveApi
const provider = new StandInProvider()
beforeAll(async () => {
  api = await openLiveApi()
})
beforeEach(() => {
  atStripe(provider)
  Object.assign(provider, { fault: undefined, faulty: ['charge', 'capture', 'refund', 'void'], is_silent: false })
})
afterAll(() => api.close())

const events = (id: string) => eventTypesOf(api, id, api.live.secret_key)
const watchAt = async (id: string) => (await findAttempt(api.live_work(), id, 1))!.watch_at
const later = (seconds: number) => timestamp(api.platform.clock.now() + seconds * 1000)

/** Moves the charge of a payment at the provider and reports it, as a notification does. */
async function report(id: string, state: ProviderState, fields: Partial<ReportedPayment> = {}): Promise<void> {
  provider.move(id, state)
  const work = api.live_work()
  await retryOnConflict(work, async () => followPayment(work, await work.get(payments, id), { state, ...fields }))
}

const wallet = { payment_details: { type: 'paypay' } }

describe('followPayment', () => {
  test('captures a reserved payment once, however often it is reported as paid', async () => {
    const id = await api.pay({ payment_details: konbini })
    await Promise.all(Array.from({ length: 20 }, () => report(id, 'paid')))
    expect(await events(id)).toEqual(['payment.authorized', 'payment.captured'])
  })

  test('authorizes, then captures and fails payments whose customers are off-site', async () => {
    const held = await api.pay({ capture: false, payment_details: card('4100000000000100') })
    await report(held, 'held', { until: '2030-01-09T00:00:00Z' })
    expect(await api.stored(held)).toMatchObject({ status: 'authorized', payment_deadline: '2030-01-09T00:00:00Z' })
    const failed = await api.pay(wallet)
    await report(failed, 'declined', { code: 'insufficient_funds' })
    expect(await api.stored(failed)).toMatchObject({ status: 'failed', failure: 'insufficient_funds' })
    const ended = await api.pay(wallet)
    await report(ended, 'ended')
    expect(await events(ended)).toEqual(['payment.expired'])
  })

  test('voids a payment that was cancelled here and paid there, and returns its money once', async () => {
    const id = await api.pay(wallet)
    expect((await api.live_request(`POST /payments/${id}/cancel`)).body.status).toBe('cancelled')
    await report(id, 'paid')
    await report(id, 'paid')
    await api.advance(60)
    expect(await api.stored(id)).toMatchObject({ status: 'cancelled', in_flight: [] })
    expect(provider.chargeOf(id).returned).toBe(1000)
    expect(provider.callsAbout(id)).toEqual(['send charge', 'send void', 'inquire void', 'send void'])
    expect(provider.asked.at(-1)?.order.because).toBe('unwanted')
    await report(id, 'paid', { refunds: [{ reference: 're_1', amount: 1000, key: `${id}-5` }] })
    expect((await api.stored(id)).in_flight).toEqual([])
  })

  test('raises no alarm for a report that is older than the capture of the payment', async () => {
    const id = await api.pay({ payment_details: konbini })
    await report(id, 'paid')
    const work = api.live_work()
    const payment = await work.get(payments, id)
    await followPayment(work, payment, { state: 'waiting' }, async () => ({ state: 'paid' }))
    await followPayment(work, payment, { state: 'waiting' }, async () => undefined)
    const alarms = () => api.logs.filter(({ payment: about, level }) => level === 'error' && about === id)
    expect(alarms()).toEqual([])
    await followPayment(work, payment, { state: 'waiting' }, async () => ({ state: 'waiting' }))
    expect(alarms()).toEqual([expect.objectContaining({ event: 'provider_disagrees' })])
  })

  test('raises an alarm for a cash payment that was paid after its end, and for a payment that differs', async () => {
    const id = await api.pay({ payment_details: konbini })
    await api.live_request(`POST /payments/${id}/cancel`)
    await report(id, 'paid')
    const other = await api.pay()
    await report(other, 'waiting')
    const alarms = api.logs.filter(({ payment, level }) => level === 'error' && [id, other].includes(payment ?? ''))
    expect(alarms).toEqual([
      { level: 'error', event: 'paid_after_end', merchant: api.live.id, payment: id },
      { level: 'error', event: 'provider_disagrees', merchant: api.live.id, payment: other },
    ])
  })

  test('adds a refund of the dashboard, and not a refund that this service is making', async () => {
    const id = await api.pay()
    provider.fault = 'after'
    await api.live_request(`POST /payments/${id}/refund`, { json: { amount: 300 } })
    provider.fault = undefined
    const refunds = [
      { reference: 're_1', amount: 300, key: `${id}-3` },
      { reference: 're_2', amount: 200, key: null },
    ]
    await report(id, 'paid', { refunds })
    await report(id, 'paid', { refunds })
    expect(await api.stored(id)).toMatchObject({
      amount_refunded: 500,
      refunds: [{ amount: 300 }, { amount: 200, reference: 're_2' }],
      in_flight: [],
    })
    expect(await events(id)).toEqual(['payment.captured', 'payment.refund.created', 'payment.refund.created'])
  })

  test('records the outcome of a charge in flight, before its request or its inquiry does', async () => {
    provider.fault = 'after'
    const id = await api.pay()
    await report(id, 'paid')
    expect(await api.stored(id)).toMatchObject({ status: 'captured', in_flight: [] })
    await api.advance(3600)
    expect(await events(id)).toEqual(['payment.captured'])
  })

  test('leaves an operation in flight that has not arrived, and does not record a report of an earlier state', async () => {
    const id = await api.pay({ capture: false })
    Object.assign(provider, { fault: 'before', faulty: ['capture'] })
    await api.live_request(`POST /payments/${id}/capture`)
    await report(id, 'held')
    expect(await api.stored(id)).toMatchObject({ status: 'authorized', in_flight: [{ operation: 'capture' }] })
    provider.fault = undefined
    await api.advance(60)
    expect(await api.stored(id)).toMatchObject({ status: 'captured', in_flight: [] })
  })

  test('raises no alarm for a report that is older than an outcome it has just recorded', async () => {
    const id = await api.pay({ capture: false })
    Object.assign(provider, { fault: 'after', faulty: ['capture'] })
    await api.live_request(`POST /payments/${id}/capture`)
    const work = api.live_work()
    await followPayment(work, await work.get(payments, id), { state: 'held' })
    expect((await api.stored(id)).status).toBe('captured')
    expect(api.logs.filter(({ event, payment }) => event === 'provider_disagrees' && payment === id)).toEqual([])
  })

  test('throws WriteConflict if the payment has changed since it was read', async () => {
    const id = await api.pay(wallet)
    const work = api.live_work()
    const read = await work.get(payments, id)
    await report(id, 'paid')
    await expect(followPayment(work, read, { state: 'declined' })).rejects.toThrow(WriteConflict)
    expect((await api.stored(id)).status).toBe('captured')
  })

  test('completes the session of a payment', async () => {
    const json = { amount: 1000, currency: 'JPY', mode: 'payment', return_url: 'https://shop.example.com/' }
    const { body } = await api.live_request('POST /sessions', { json })
    const { body: paid } = await api.live_request(`POST /sessions/${body.id}/pay`, { json: wallet })
    expect(paid.redirect_url).toBe('https://provider.example/approve')
    await report(paid.payment.id, 'paid')
    expect((await api.live_request(`GET /sessions/${body.id}`)).body.status).toBe('completed')
  })
})

describe('watchCharge', () => {
  test('finds a voucher that was paid, if every notification of it is lost', async () => {
    const id = await api.pay({ payment_details: konbini })
    expect(await watchAt(id)).toBe(later(600))
    await api.advance(600)
    expect(await watchAt(id)).toBe(later(3000))
    provider.move(id, 'paid')
    await api.advance(3000)
    expect(await api.stored(id)).toMatchObject({ status: 'captured' })
    expect(await watchAt(id)).toBeNull()
    expect(await events(id)).toEqual(['payment.authorized', 'payment.captured'])
  })

  test('goes on every 6 hours and at the deadline, also if the provider does not answer', async () => {
    const id = await api.pay({ payment_details: { ...konbini, expiry_days: 1 } })
    const asked = () => provider.callsAbout(id).filter((call) => call === 'inquire charge').length
    provider.is_silent = true
    await api.advance(3600 + 3 * 6 * 3600)
    expect(asked()).toBe(5)
    provider.is_silent = false
    expect(await watchAt(id)).toBe(later(6 * 3600))
    await api.advance(6 * 3600)
    const { payment_deadline } = await api.stored(id)
    const is_last = Date.parse(payment_deadline) < api.platform.clock.now() + 6 * 3600_000
    expect(await watchAt(id)).toBe(is_last ? payment_deadline : later(6 * 3600))
  })

  test('ends with the payment, and does not look it up again', async () => {
    const id = await api.pay(wallet)
    await api.live_request(`POST /payments/${id}/cancel`)
    const calls = provider.asked.length
    await api.advance(600)
    expect(await watchAt(id)).toBeNull()
    expect(provider.asked).toHaveLength(calls)
  })

  test('does not begin for a payment that is paid at once, nor at the sandbox', async () => {
    expect(await watchAt(await api.pay())).toBeNull()
    const json = { amount: 1000, currency: 'JPY', payment_details: konbini }
    const { body } = await api.request('POST /payments', { json })
    expect((await findAttempt(api.work(), body.id, 1))!.watch_at).toBeNull()
  })

  test('drops a message with an outdated due time', async () => {
    const id = await api.pay(wallet)
    const work = api.live_work()
    const attempt = (await findAttempt(work, id, 1))!
    await work.commit([changed(attemptsOf(await work.get(payments, id)), { ...attempt, watch_at: later(60) })])
    await api.advance(60)
    expect(provider.callsAbout(id)).toEqual(['send charge', 'inquire charge'])
    await api.advance(539)
    expect(provider.callsAbout(id)).toEqual(['send charge', 'inquire charge'])
  })
})

test('the reconciliation of the table finds no violation in these payments', async () => {
  await api.advance(86_400)
  const { table, clock } = api.platform
  const checks = await reconcile({ table, openSpool: () => new SqliteSpool(), now: () => clock.now() })
  expect(checks.flatMap(({ violations }) => violations)).toEqual([])
})
