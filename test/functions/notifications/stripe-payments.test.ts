import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { invoker } from '#infra/local/server.ts'
import { workers } from '#shared/background.ts'
import { startPolling } from '#shared/notifications/poll-events.ts'
import { card, konbini } from '#test/fixtures/api.ts'
import { pay } from '#test/fixtures/stripe/customer-actions.ts'
import { postTo } from '#test/fixtures/stripe/notifications.ts'
import type { Event } from '#test/fixtures/stripe/objects.ts'
import { cardIntent, cardMethod, charge, stripeAt } from '#test/fixtures/stripe/sdk.ts'
import { openStripeApi, type StripeApi } from '#test/fixtures/stripe-api.ts'

let api: StripeApi
beforeAll(async () => {
  api = await openStripeApi()
})
afterAll(() => api.close())
beforeEach(() => {
  api.emulator.notifications.receiver = postTo(`${api.url}/notifications/stripe`)
  api.emulator.faults.clear()
})

/** The time limit of a test with many payments, in milliseconds. It only ends a test that hangs. */
const MANY_PAYMENTS_MS = 120_000

const asks_for_3_d_secure = card('4000002760003184')

/** The customer pays at the store, or passes 3-D Secure, at Stripe. */
const payThere = (id: string) => pay(api.emulator.account, api.intentOf(id))

/** Refunds a payment in the dashboard of Stripe. */
async function refundThere(id: string, amount: number): Promise<void> {
  const stripe = stripeAt({ ...api.stripe, emulator: api.emulator })
  await stripe.refunds.create({ payment_intent: api.intentOf(id), amount })
}

/** The events of Stripe about a payment, in the order in which they happened. */
function eventsThere(id: string): Event[] {
  const intent = api.intentOf(id)
  return [...api.emulator.account.events.values()].filter(({ data }) => JSON.stringify(data).includes(intent))
}

async function post(event: Event): Promise<number> {
  const { body, headers } = api.emulator.notifications.signed(event)
  return postTo(`${api.url}/notifications/stripe`)(body, headers)
}

/** Drops the notifications that wait, so that only those that a test posts arrive. */
async function dropNotifications(): Promise<void> {
  api.emulator.notifications.mode.is_lost = true
  await api.emulator.deliver()
  api.emulator.notifications.mode.is_lost = false
}

/** Processes the messages that are queued, without a sweep. */
async function workOnQueue(): Promise<void> {
  const queued = api.platform.queues.chores.take(api.platform.clock.now(), 10)
  const Records = queued.map(({ message }, index) => ({ messageId: String(index), body: JSON.stringify(message) }))
  await invoker(api.injected)(workers.chores, { Records })
}

const permutations = <T>(all: readonly T[]): T[][] =>
  all.length === 0 ? [[]] : all.flatMap((one, at) => permutations(all.toSpliced(at, 1)).map((rest) => [one, ...rest]))

describe('a notification of Stripe', () => {
  test('captures a payment that was paid at the store', async () => {
    const { id, status } = await api.pay(konbini)
    expect(status).toBe('authorized')
    payThere(id)
    await api.notify()
    expect(await api.shown(id)).toMatchObject({ status: 'captured', captured_at: '2030-01-02T03:00:00Z' })
    expect(api.eventsOf(id)).toEqual(['payment.authorized', 'payment.captured'])
  })

  test('captures a payment whose customer passed 3-D Secure', async () => {
    const { id, status } = await api.pay(asks_for_3_d_secure)
    expect(status).toBe('pending')
    payThere(id)
    await api.notify()
    expect((await api.shown(id)).status).toBe('captured')
    expect(api.eventsOf(id)).toEqual(['payment.captured'])
  })

  test('has one effect if it arrives 100 times at once', async () => {
    const { id } = await api.pay(konbini)
    payThere(id)
    const paid = eventsThere(id).find(({ type }) => type === 'payment_intent.succeeded')!
    await dropNotifications()
    const statuses = await Promise.all(Array.from({ length: 100 }, () => post(paid)))
    expect(new Set(statuses)).toEqual(new Set([200]))
    await Promise.all([api.workers.work(), api.workers.work()])
    expect((await api.shown(id)).status).toBe('captured')
    expect(api.eventsOf(id)).toEqual(['payment.authorized', 'payment.captured'])
    expect(api.platform.queues.chores.take(api.platform.clock.now(), 10)).toEqual([])
  })

  test('leads to the same state and events in every order of five notifications', {
    timeout: MANY_PAYMENTS_MS,
  }, async () => {
    const { id: first } = await api.pay(asks_for_3_d_secure)
    payThere(first)
    await refundThere(first, 300)
    await dropNotifications()
    const types = eventsThere(first)
      .map(({ type }) => type)
      .filter((type) => !/created$/.test(type) || type === 'refund.created')
    expect(types).toHaveLength(5)
    const orders = new Map<string, number[]>()
    for (const order of permutations([0, 1, 2, 3, 4])) {
      const { id } = await api.pay(asks_for_3_d_secure)
      payThere(id)
      await refundThere(id, 300)
      const events = eventsThere(id).filter(({ type }) => types.includes(type))
      await dropNotifications()
      for (const at of order) {
        expect(await post(events[at]!)).toBe(200)
        await workOnQueue()
      }
      expect(await api.shown(id), order.join()).toMatchObject({ status: 'captured', amount_refunded: 300 })
      orders.set(id, order)
    }
    const found = api.events()
    for (const [id, order] of orders)
      expect(found.get(id), order.join()).toEqual(['payment.captured', 'payment.refund.created'])
    expect(orders.size).toBe(120)
  })

  test('that arrives before the answer to its charge has the same effect', async () => {
    const to_service = postTo(`${api.url}/notifications/stripe`)
    api.emulator.notifications.receiver = async (body, headers) => {
      const status = await to_service(body, headers)
      await api.workers.work()
      return status
    }
    api.emulator.faults.plan({ fault: 'notified_first', call: 'paymentIntents.confirm' })
    const { id, status } = await api.pay(card('4242424242424242'))
    await api.notify()
    expect(status).toBe('captured')
    expect(api.eventsOf(id)).toEqual(['payment.captured'])
  })

  test('whose charge got no answer records its outcome', async () => {
    api.emulator.faults.plan({ fault: 'answer_lost', call: 'paymentIntents.confirm' })
    const { status, body } = await api.ask('POST /payments', {
      amount: 1000,
      currency: 'JPY',
      payment_details: card('4242424242424242'),
    })
    expect(status).toBe(504)
    await api.notify()
    const id = body.error.details.payment
    expect((await api.shown(id)).status).toBe('captured')
    expect(api.eventsOf(id)).toEqual(['payment.captured'])
  })

  test('about another PaymentIntent with the ids of a payment changes nothing, and raises an alarm', async () => {
    const { id, total: amount } = await api.pay(konbini)
    const { metadata } = api.emulator.account.payment_intents.get(api.intentOf(id))!
    const stripe = stripeAt({ ...api.stripe, emulator: api.emulator })
    const params = { ...cardIntent, amount, metadata: { ...metadata } }
    const [paid, cancelled] = [
      await charge(stripe, '4242424242424242', params),
      await stripe.paymentIntents.create(params),
    ]
    await stripe.paymentIntents.cancel(cancelled.id)
    await api.notify()
    expect((await api.shown(id)).status).toBe('authorized')
    const alarms = api.errors().filter(({ payment }) => payment === id)
    expect(alarms).toContainEqual(expect.objectContaining({ event: 'provider_disagrees', record: paid.id }))
    expect(alarms).toContainEqual(expect.objectContaining({ event: 'provider_disagrees', record: cancelled.id }))
  })

  test('about another PaymentIntent does not pay a charge whose own PaymentIntent is not known yet', async () => {
    api.emulator.faults.plan({ fault: 'answer_lost', call: 'paymentIntents.create' })
    const { body } = await api.ask('POST /payments', {
      amount: 1000,
      currency: 'JPY',
      payment_details: asks_for_3_d_secure,
    })
    const id = body.error.details.payment
    const stripe = stripeAt({ ...api.stripe, emulator: api.emulator })
    const { metadata } = api.emulator.account.payment_intents.get(api.intentOf(id))!
    const payment_method = (await cardMethod(stripe, '4000002760003184')).id
    await stripe.paymentIntents.confirm(api.intentOf(id), { payment_method, return_url: 'http://127.0.0.1/' })
    await dropNotifications()
    await charge(stripe, '4242424242424242', { ...cardIntent, amount: 1000, metadata: { ...metadata } })
    await api.notify()
    expect((await api.shown(id)).status).toBe('pending')
    expect(api.eventsOf(id)).toEqual([])
    expect(api.errors()).toContainEqual(expect.objectContaining({ event: 'provider_disagrees', payment: id }))
    payThere(id)
    await api.notify()
    expect((await api.shown(id)).status).toBe('captured')
  })

  test('of another stage is dropped', async () => {
    const { id } = await api.pay(konbini)
    api.emulator.account.payment_intents.get(api.intentOf(id))!.metadata.stage = 'other'
    payThere(id)
    await api.notify()
    expect((await api.shown(id)).status).toBe('authorized')
  })
})

describe('the list of events', () => {
  beforeAll(async () => {
    await startPolling(api.injected, 'stripe')
    await api.advance(0)
  })

  test('finds a refund in the dashboard within ten minutes if every notification is lost', async () => {
    const { id } = await api.pay(card('4242424242424242'))
    await refundThere(id, 300)
    await dropNotifications()
    await api.advance(599)
    expect((await api.shown(id)).amount_refunded).toBe(0)
    await api.advance(1)
    expect((await api.shown(id)).amount_refunded).toBe(300)
    expect(api.eventsOf(id)).toEqual(['payment.captured', 'payment.refund.created'])
  })

  test('is read in pages, and in the run after an outage', { timeout: MANY_PAYMENTS_MS }, async () => {
    const ids: string[] = []
    for (let n = 0; n < 60; n++) ids.push((await api.pay(card('4242424242424242'))).id)
    for (const id of ids) await refundThere(id, 300)
    await dropNotifications()
    api.emulator.faults.plan({ fault: 'unexecuted_500', call: 'events.list' })
    await api.advance(600)
    expect((await api.shown(ids[0]!)).amount_refunded).toBe(0)
    await api.advance(600)
    for (const id of ids) expect((await api.shown(id)).amount_refunded).toBe(300)
  })
})
