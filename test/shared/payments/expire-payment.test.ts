import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { handler as chores } from '#functions/background/chores.ts'
import { timestamp } from '#shared/domain/timestamp.ts'
import { recordOutcome } from '#shared/payments/record-outcome.ts'
import { resolveAttempt } from '#shared/payments/resolve-attempt.ts'
import { WriteConflict } from '#shared/platform/ports.ts'
import { findAttempt } from '#shared/store/attempts.ts'
import { attemptKey } from '#shared/store/keys.ts'
import { retryOnConflict } from '#shared/store/retry-on-conflict.ts'
import { eventsOf, eventTypesOf, itemsOf } from '#test/faults/witness.ts'
import { card, konbini } from '#test/fixtures/api.ts'
import { AsynchronousAcquirer } from '#test/fixtures/asynchronous-acquirer.ts'
import { type LiveApi, openLiveApi } from '#test/fixtures/live-api.ts'
import { atStripe, StandInProvider } from '#test/fixtures/stand-in-provider.ts'
import { callWorker } from '#test/functions/background/call-worker.ts'

let api: LiveApi
let provider: StandInProvider
beforeAll(async () => {
  api = await openLiveApi()
})
beforeEach(() => {
  provider = atStripe(new StandInProvider())
})
afterAll(() => api.close())

const events = (id: string) => eventTypesOf(api, id, api.live.secret_key)
/** Lets what begins now end at the provider in two hours, so that a test turns the clock by two hours only. */
const endSoon = () => {
  provider.until = timestamp(api.platform.clock.now() + 7_200_000)
}
const deadlineOf = async (id: string) => (await api.stored(id)).payment_deadline

describe('expirePayment at a provider', () => {
  test.each([
    ['a konbini payment', { payment_details: konbini }, ['payment.authorized', 'payment.expired']],
    ['an authorized card', { capture: false }, ['payment.authorized', 'payment.expired']],
    ['a wallet', { payment_details: { type: 'paypay' } }, ['payment.expired']],
    ['3-D Secure', { payment_details: card('4100000000000100') }, ['payment.expired']],
  ])('voids %s first, and expires it at the deadline', async (_, fields, expected) => {
    endSoon()
    const id = await api.pay(fields)
    const deadline = await deadlineOf(id)
    await api.advanceTo(deadline, -1)
    expect(provider.callsAbout(id)).not.toContain('send void')
    await api.advance(1)
    expect(provider.asked.at(-1)).toMatchObject({ call: 'send', order: { operation: 'void', because: 'expired' } })
    expect(await api.stored(id)).toMatchObject({ status: 'expired', in_flight: [] })
    expect(provider.chargeOf(id).state).toBe('ended')
    expect(await events(id)).toEqual(expected)
    expect((await eventsOf(api, id, api.live.secret_key)).at(-1)).toMatchObject({ created_at: deadline })
  })

  test('captures a voucher that was paid a second before the deadline, and never reports it as expired', async () => {
    endSoon()
    const id = await api.pay({ payment_details: konbini })
    await api.advanceTo(await deadlineOf(id), -1)
    provider.move(id, 'paid')
    await api.advance(2)
    expect(await api.stored(id)).toMatchObject({ status: 'captured', in_flight: [] })
    expect(await events(id)).toEqual(['payment.authorized', 'payment.captured'])
  })

  test('sends one void and emits one event if several workers get the message at once', async () => {
    endSoon()
    const id = await api.pay({ payment_details: konbini })
    const { pk, sk, due_at } = itemsOf(api, 'payment').find((item) => item.pk.endsWith(id) && item.sk === 'payment')!
    api.platform.clock.turnTo(Date.parse(due_at!))
    const message = { kind: 'payment', pk, sk, due_at: due_at! }
    await Promise.all(Array.from({ length: 8 }, () => callWorker(chores, api, [message])))
    expect(provider.callsAbout(id)).toEqual(['send charge', 'send void'])
    expect(await events(id)).toEqual(['payment.authorized', 'payment.expired'])
  })

  test('does not expire while the outcome of the void is unknown, and repeats the void', async () => {
    endSoon()
    const id = await api.pay({ payment_details: konbini })
    Object.assign(provider, { fault: 'before', faulty: ['void'] })
    await api.advanceTo(await deadlineOf(id), 120)
    expect(await api.stored(id)).toMatchObject({ status: 'authorized', in_flight: [{ because: 'expired' }] })
    provider.move(id, 'paid')
    provider.fault = undefined
    await api.advance(86_400)
    expect(await api.stored(id)).toMatchObject({ status: 'captured', in_flight: [] })
    expect(await events(id)).toEqual(['payment.authorized', 'payment.captured'])
  })

  test('keeps the money of a payment that was paid, if a worker has read its void before another one recorded it', async () => {
    endSoon()
    const id = await api.pay({ payment_details: { type: 'paypay' } })
    Object.assign(provider, { fault: 'before', faulty: ['void'] })
    await api.advanceTo(await deadlineOf(id), 30)
    provider.move(id, 'paid')
    provider.fault = undefined
    const work = api.live_work()
    const { number, inquire_at } = (await findAttempt(work, id, (await api.stored(id)).in_flight[0]!.attempt))!
    const message = { ...attemptKey(api.live.id, id, number), kind: 'attempt', due_at: inquire_at! }
    await resolveAttempt(api.live_work(), message)
    await expect(resolveAttempt(work, message)).rejects.toThrow(WriteConflict)
    expect(await api.stored(id)).toMatchObject({ status: 'captured', in_flight: [] })
    expect(provider.asked.filter(({ order }) => order.because === 'unwanted')).toEqual([])
  })

  test('goes on once a day after the schedule of inquiries, with an error for the operator', async () => {
    endSoon()
    const id = await api.pay({ capture: false })
    Object.assign(provider, { fault: 'before', faulty: ['void'] })
    await api.advanceTo(await deadlineOf(id), 8 * 86_400)
    const errors = api.logs.filter(({ event, payment }) => event === 'charge_unresolved' && payment === id)
    expect(errors.length).toBeGreaterThan(1)
    provider.fault = undefined
    await api.advance(86_400)
    expect(await api.stored(id)).toMatchObject({ status: 'expired', in_flight: [] })
  })

  test('ends a charge whose outcome is unknown, before it expires the payment', async () => {
    Object.assign(provider, { fault: 'after', faulty: ['charge'], is_silent: true })
    const id = await api.pay({ payment_details: { ...konbini, expiry_days: 0 } })
    await api.advanceTo(await deadlineOf(id), 60)
    expect((await api.stored(id)).status).toBe('pending')
    provider.is_silent = false
    await api.advance(2 * 86_400)
    expect(await api.stored(id)).toMatchObject({ status: 'expired', in_flight: [] })
    expect(provider.chargeOf(id).state).toBe('ended')
  })

  test('captures a payment whose charge and payment were both unknown at the deadline, without a refund', async () => {
    Object.assign(provider, { fault: 'after', faulty: ['charge'], is_silent: true })
    const id = await api.pay({ payment_details: { ...konbini, expiry_days: 0 } })
    provider.move(id, 'paid')
    await api.advanceTo(await deadlineOf(id), 60)
    provider.is_silent = false
    await api.advance(2 * 86_400)
    expect(await api.stored(id)).toMatchObject({ status: 'captured', in_flight: [] })
    expect(provider.chargeOf(id).returned).toBe(0)
    expect(await events(id)).toEqual(['payment.captured'])
  })

  test('returns no money if the payment is captured while another worker begins to repeat the void', async () => {
    endSoon()
    const id = await api.pay({ payment_details: konbini })
    Object.assign(provider, { fault: 'before', faulty: ['void'] })
    await api.advanceTo(await deadlineOf(id))
    provider.fault = undefined
    provider.move(id, 'paid')
    const payment = await api.stored(id)
    const work = api.live_work()
    const attempt = (await findAttempt(work, id, payment.in_flight[0]!.attempt))!
    const other = api.live_work()
    await other.commit((await recordOutcome(other, payment, attempt, { result: 'captured' })).changes)
    const message = { ...attemptKey(work.merchant, id, attempt.number), kind: 'attempt', due_at: attempt.inquire_at! }
    await retryOnConflict(work, () => resolveAttempt(work, message))
    expect(await api.stored(id)).toMatchObject({ status: 'captured', in_flight: [] })
    expect(provider.chargeOf(id)).toMatchObject({ state: 'paid', returned: 0 })
  })

  test('waits for the result of a void that is only accepted', async () => {
    const slow = atStripe(new AsynchronousAcquirer())
    const id = await api.pay({ payment_details: { ...konbini, expiry_days: 0 } })
    slow.settle()
    await api.advance(60)
    await api.advanceTo(await deadlineOf(id), 30)
    expect((await api.stored(id)).status).toBe('authorized')
    slow.settle()
    await api.advance(3600)
    expect(await api.stored(id)).toMatchObject({ status: 'expired', in_flight: [] })
  })
})
