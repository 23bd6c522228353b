import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { intervalStart } from '#shared/domain/calendar.ts'
import { cancel } from '#shared/domain/payment-operations.ts'
import type { Subscription } from '#shared/domain/subscription.ts'
import { captureDue } from '#shared/domain/subscription-states.ts'
import { timestamp } from '#shared/domain/timestamp.ts'
import { runOperation } from '#shared/payments/run-operation.ts'
import { payments } from '#shared/store/payments.ts'
import { failingAt } from '#test/faults/crash-points.ts'
import { cardDetails } from '#test/fixtures/records.ts'
import { numbers, Subscribing } from '#test/fixtures/subscription-fixture.ts'

const DAY_MS = 86_400_000

let service: Subscribing
beforeEach(async () => {
  service = await Subscribing.open()
})
afterEach(() => service.close())

/** A subscription whose first interval is captured, and its customer. */
async function subscribed(number?: string, fields: object = {}) {
  const customer = await service.customer(number)
  const { id } = await service.subscribe(customer, fields)
  return { id, customer }
}
const startOf = ({ created_at, period }: Subscription, interval: number) =>
  timestamp(intervalStart(Date.parse(created_at), period, interval))
const plus = (at: string, days: number) => timestamp(Date.parse(at) + days * DAY_MS)

/** Turns the clock to the time of the subscription's next capture, and captures. */
async function capture(id: string): Promise<Subscription> {
  const message = await service.message(id)
  service.turnTo(message.due_at)
  await service.deliver(message)
  return service.kept(id)
}

describe('captureSubscription of a due interval', () => {
  test('captures a payment of the customer, and emits the events of both', async () => {
    const { id, customer } = await subscribed(undefined, { amount: '10.50', currency: 'USD', metadata: { a: 1 } })
    const first = await service.kept(id)
    const next = await capture(id)
    expect(next).toMatchObject({ status: 'active', interval: 2, tries: 0, in_flight: null, metadata: { a: 1 } })
    expect(captureDue(next)).toBe(startOf(first, 2))
    const [, payment] = service.paymentsOf(id)
    expect(next.payments).toEqual(service.paymentsOf(id).map((each) => each.id))
    expect(payment).toMatchObject({
      status: 'captured',
      amount: 1050,
      tax: 0,
      total: 1050,
      currency: 'USD',
      customer,
      captured_at: startOf(first, 1),
      occurrence: { subscription: id, interval: 1, try: 0 },
      payment_details: { type: 'credit_card', last_four_digits: '1111', email: 'taro@example.com' },
      in_flight: [],
    })
    expect(service.eventTypesOf(id)).toEqual(['subscription.created', 'subscription.captured', 'subscription.captured'])
    expect(service.eventTypesOf(payment!.id)).toEqual(['payment.captured'])
    expect(service.charges(id)).toEqual({ '0-0': 'captured', '1-0': 'captured' })
  })

  test('captures once, however often its message comes', async () => {
    const { id } = await subscribed()
    const message = await service.message(id)
    service.turnTo(message.due_at)
    for (let times = 0; times < 3; times++) await service.deliver(message)
    expect(Object.keys(service.charges(id))).toEqual(['0-0', '1-0'])
    expect(await service.kept(id)).toMatchObject({ interval: 2 })
  })

  test('captures once if several workers run concurrently', async () => {
    const { id } = await subscribed()
    const message = await service.message(id)
    service.turnTo(message.due_at)
    await Promise.all([1, 2, 3, 4].map(() => service.deliver(message)))
    expect(service.charges(id)).toEqual({ '0-0': 'captured', '1-0': 'captured' })
    expect(service.paymentsOf(id)).toHaveLength(2)
    expect(service.eventTypesOf(id).filter((type) => type === 'subscription.captured')).toHaveLength(2)
  })

  test('does not capture before its time', async () => {
    const { id } = await subscribed()
    const message = await service.message(id)
    service.turnTo(timestamp(Date.parse(message.due_at) - 3_000))
    await service.deliver(message)
    expect(service.paymentsOf(id)).toHaveLength(1)
    expect(await service.kept(id)).toMatchObject({ interval: 1 })
  })

  test('does not capture an ended or unknown subscription', async () => {
    const { id } = await subscribed()
    const message = await service.message(id)
    await service.end(id)
    service.turnTo(message.due_at)
    await service.deliver(message)
    await service.deliver({ ...message, pk: `${message.pk.slice(0, -4)}none` })
    expect(service.paymentsOf(id)).toHaveLength(1)
    expect(service.eventTypesOf(id)).toEqual(['subscription.created', 'subscription.captured', 'subscription.deleted'])
  })

  test('shows the current customer', async () => {
    const { id, customer } = await subscribed()
    await service.update(customer, { email: 'new@example.com', metadata: { b: 2 } })
    expect((await capture(id)).customer).toMatchObject({ email: 'new@example.com', metadata: { b: 2 } })
  })

  test('creates a captured payment of 0 without a call to the acquirer', async () => {
    const { id } = await subscribed(numbers.declined, { amount: 0 })
    service.acquirer = 'cut_off_before'
    expect(await capture(id)).toMatchObject({ status: 'active', interval: 2 })
    expect(service.paymentsOf(id)).toMatchObject([
      { status: 'captured', total: 0, in_flight: [], occurrence: { interval: 0 } },
      { status: 'captured', total: 0, in_flight: [], occurrence: { interval: 1 } },
    ])
    expect(service.charges(id)).toEqual({})
    expect(service.eventTypesOf(service.paymentsOf(id)[1]!.id)).toEqual(['payment.captured'])
  })

  test('captures every month for two years, on the last day of shorter months', async () => {
    await service.runUntil('2030-08-31T02:00:00Z')
    const { id } = await subscribed()
    const first = await service.kept(id)
    await service.runUntil('2032-08-31T12:00:00Z')
    expect(service.paymentsOf(id).map(({ captured_at }) => captured_at)).toEqual(
      Array.from({ length: 25 }, (_, interval) => startOf(first, interval)),
    )
    expect(service.paymentsOf(id)[6]!.captured_at).toBe('2031-02-28T02:00:00Z')
    expect(service.paymentsOf(id)[18]!.captured_at).toBe('2032-02-29T02:00:00Z')
    await service.end(id)
  })
})

describe('captureSubscription of a declined capture', () => {
  test('tries again each day with a new payment, and suspends at the fourth failure', async () => {
    const { id } = await subscribed(numbers.pays_once)
    const due = (await service.message(id)).due_at
    const seen = []
    for (let tries = 0; tries < 4; tries++) {
      const { status, retry_count, retry_at, ended_at } = await capture(id)
      seen.push([status, retry_count, retry_at, ended_at])
    }
    expect(seen).toEqual([
      ['retrying', 1, plus(due, 1), null],
      ['retrying', 2, plus(due, 2), null],
      ['retrying', 3, plus(due, 3), null],
      ['suspended', 4, null, plus(due, 3)],
    ])
    const failures = service.paymentsOf(id).slice(1)
    expect(failures.map(({ status, failure, occurrence }) => [status, failure, occurrence!.try])).toEqual(
      [0, 1, 2, 3].map((tries) => ['failed', 'card_declined', tries]),
    )
    expect(new Set(service.paymentsOf(id).map((each) => each.id)).size).toBe(5)
    expect((await service.kept(id)).payments).toHaveLength(1)
    expect(service.eventTypesOf(id).slice(2)).toEqual([
      ...Array(4).fill('subscription.failed'),
      'subscription.suspended',
    ])
    for (const failure of failures) expect(service.eventTypesOf(failure.id)).toEqual(['payment.failed'])
    expect(await service.kept(id)).toMatchObject({
      in_flight: null,
      last_failure: { code: 'card_declined', payment: failures[3]!.id, failed_at: plus(due, 3) },
    })
  })

  test('charges another card at the next try, and not before', async () => {
    const { id, customer } = await subscribed(numbers.pays_once)
    const first = await service.kept(id)
    await capture(id)
    await capture(id)
    await service.pays(customer, numbers.other)
    await service.runUntil(plus(startOf(first, 1), 1.9))
    expect(await service.kept(id)).toMatchObject({ status: 'retrying', retry_count: 2 })
    await service.runUntil(plus(startOf(first, 1), 2))
    const next = await service.kept(id)
    expect(next).toMatchObject({ status: 'active', retry_count: 0, retry_at: null, interval: 2 })
    expect(captureDue(next)).toBe(startOf(first, 2))
    expect(service.paymentsOf(id).map(({ status }) => status)).toEqual(['captured', 'failed', 'failed', 'captured'])
    expect(service.paymentsOf(id)[3]!.payment_details).toMatchObject({ last_four_digits: '4444', brand: 'master' })
    await service.end(id)
  })

  test('shows an expired card in the payment details', async () => {
    const { id, customer } = await subscribed()
    const month = { month: 12, year: new Date(service.now()).getUTCFullYear() }
    await service.pays(customer, cardDetails(undefined, month))
    const due = (await service.message(id)).due_at
    await service.runUntil(plus(due, 400))
    expect(await service.kept(id)).toMatchObject({ status: 'suspended', payment_details: month })
    expect(service.paymentsOf(id).at(-1)).toMatchObject({ status: 'failed', failure: 'card_expired' })
  })

  test('declines a card that needs 3-D Secure, because no customer is present', async () => {
    const { id, customer } = await subscribed()
    await service.pays(customer, numbers.needs_3d_secure)
    expect(await capture(id)).toMatchObject({ status: 'retrying', retry_count: 1 })
    expect(service.paymentsOf(id)[1]).toMatchObject({ status: 'failed', failure: 'card_declined' })
    await service.end(id)
  })
})

describe('captureSubscription with a customer', () => {
  test.each([
    ['whose card is erased', null],
    [
      'whose details are not a card any more',
      { type: 'konbini', store: 'lawson', email: 'taro@example.com', phone: '0312345678' } as const,
    ],
  ])('%s fails without a payment, until there is a card', async (_, details) => {
    const { id, customer } = await subscribed(undefined, { currency: 'USD' })
    await service.pays(customer, details)
    const due = (await service.message(id)).due_at
    const { status, retry_count, retry_at, payment_details, in_flight } = await capture(id)
    expect([status, retry_count, retry_at, in_flight]).toEqual(['retrying', 1, plus(due, 1), null])
    expect(payment_details?.type ?? null).toBe(details?.type ?? null)
    expect(service.paymentsOf(id)).toHaveLength(1)
    expect(service.eventTypesOf(id).at(-1)).toBe('subscription.failed')
    await service.pays(customer, numbers.good)
    expect(await capture(id)).toMatchObject({ status: 'active', interval: 2, payments: { length: 2 } })
    await service.end(id)
  })

  test('without a card suspends the subscription after four days', async () => {
    const { id, customer } = await subscribed()
    await service.pays(customer, null)
    for (let tries = 0; tries < 4; tries++) await capture(id)
    expect(await service.kept(id)).toMatchObject({ status: 'suspended', retry_count: 4, payment_details: null })
    expect(service.eventTypesOf(id).slice(2)).toEqual([
      ...Array(4).fill('subscription.failed'),
      'subscription.suspended',
    ])
    expect(service.paymentsOf(id)).toHaveLength(1)
  })

  test('with metadata that has become too large captures with the previous metadata', async () => {
    const letters = (count: number) => ({ metadata: Object.fromEntries(keys.map((key) => [key, 'x'.repeat(count)])) })
    const keys = Array.from({ length: 50 }, (_, index) => `key ${index}`)
    const customer = await service.customer(undefined, { metadata: { small: true } })
    const { id } = await service.subscribe(customer, letters(2_000))
    await service.update(customer, letters(6_000))
    const next = await capture(id)
    expect(next).toMatchObject({ status: 'active', interval: 2, customer: { metadata: { small: true } } })
    await service.end(id)
    expect(service.eventTypesOf(id).at(-1)).toBe('subscription.deleted')
  })
})

describe('captureSubscription of a subscription above the size limit', () => {
  test('captures', async () => {
    const keys = Array.from({ length: 50 }, (_, index) => `key ${index}`)
    const metadata = Object.fromEntries(keys.map((key) => [key, '㋿'.repeat(2_000)]))
    const { id } = await subscribed(undefined, { period: 'weekly', metadata })
    let at = (await service.kept(id)).created_at
    const size = () =>
      Buffer.byteLength(JSON.stringify(service.items('subscription').find(({ pk }) => pk.endsWith(id))))
    const before = size()
    // This is the number of payments of a weekly subscription in 25 years.
    const { table } = service.api.platform
    const item = service.items('subscription').find(({ pk }) => pk.endsWith(id))!
    const many = Array.from({ length: 1_300 }, () => (item.payments as string[])[0]!)
    await table.write([{ put: { ...item, payments: many } }])
    expect([before < 340_000, size() > 340_000]).toEqual([true, true])
    at = (await service.message(id)).due_at
    await capture(id)
    expect(await service.kept(id)).toMatchObject({ status: 'active', interval: 2, payments: { length: 1_301 } })
    expect(service.paymentsOf(id).at(-1)!.captured_at).toBe(at)
    await service.end(id)
  })
})

describe('captureSubscription with an acquirer that does not answer', () => {
  test.each(['cut_off_before', 'cut_off_after'] as const)(
    '(%s) inquires the outcome, and charges once',
    async (fate) => {
      const { id } = await subscribed()
      const first = await service.kept(id)
      service.acquirer = fate
      const waiting = await capture(id)
      const [, payment] = service.paymentsOf(id)
      expect(waiting).toMatchObject({ status: 'active', interval: 1, retry_count: 0, in_flight: payment!.id })
      expect(captureDue(waiting)).toBeUndefined()
      expect(payment).toMatchObject({ status: 'pending', in_flight: [{ operation: 'charge' }] })
      expect(service.eventTypesOf(payment!.id)).toEqual([])
      service.acquirer = 'answers'
      await service.runUntil(timestamp(Date.parse(startOf(first, 1)) + 60_000))
      const next = await service.kept(id)
      expect(next).toMatchObject({ status: 'active', interval: 2, in_flight: null, payments: { length: 2 } })
      expect(captureDue(next)).toBe(startOf(first, 2))
      expect(service.charges(id)).toEqual({ '0-0': 'captured', '1-0': 'captured' })
      expect(service.eventTypesOf(id)).toEqual([
        'subscription.created',
        'subscription.captured',
        'subscription.captured',
      ])
      await service.end(id)
    },
  )

  test('counts a late decline as a failure, from the time when it is known', async () => {
    const { id } = await subscribed(numbers.pays_once)
    service.acquirer = 'cut_off_after'
    await capture(id)
    service.acquirer = 'answers'
    const known = timestamp(service.now() + 60_000)
    await service.runUntil(known)
    expect(await service.kept(id)).toMatchObject({ status: 'retrying', retry_count: 1, retry_at: plus(known, 1) })
    await service.end(id)
  })

  test('for twelve days fails nothing, and logs an error each day', async () => {
    const { id } = await subscribed(undefined, { period: 'weekly' })
    const first = await service.kept(id)
    service.acquirer = 'cut_off_after'
    await capture(id)
    const since = service.api.logs.length
    await service.runUntil(plus(startOf(first, 1), 12))
    const [, payment] = service.paymentsOf(id)
    const errors = service.api.logs
      .slice(since)
      .filter((line) => line.level === 'error' && line.payment === payment!.id)
    expect(errors.map(({ event }) => event)).toEqual(Array(7).fill('charge_unresolved'))
    expect(await service.kept(id)).toMatchObject({ status: 'active', interval: 1, in_flight: payment!.id })
    service.acquirer = 'answers'
    await service.runUntil(plus(startOf(first, 1), 13.5))
    expect(service.charges(id)).toEqual({ '0-0': 'captured', '1-0': 'captured', '2-0': 'captured' })
    const [second, third] = service.paymentsOf(id).slice(1)
    // The interval that was missed meanwhile is captured a day later.
    expect(Date.parse(third!.captured_at!) - Date.parse(second!.captured_at!)).toBe(DAY_MS)
    expect((await service.kept(id)).interval).toBe(3)
    await service.end(id)
  })

  test('continues inquiries after the deadline of the payment, and charges nothing else for the interval', async () => {
    const { id } = await subscribed()
    service.acquirer = 'cut_off_after'
    await capture(id)
    const [, payment] = service.paymentsOf(id)
    await service.runUntil(plus(payment!.payment_deadline, 2))
    expect(await service.payment(payment!.id)).toMatchObject({ status: 'pending' })
    expect(service.charges(id)).toEqual({ '0-0': 'captured', '1-0': 'captured' })
    service.acquirer = 'answers'
    await service.runUntil(plus(payment!.payment_deadline, 4))
    expect(await service.payment(payment!.id)).toMatchObject({ status: 'captured' })
    expect((await service.kept(id)).payments).toContain(payment!.id)
    expect(service.voids(payment!.id)).toEqual([])
    await service.end(id)
  })
})

describe('captureSubscription with a card that is replaced during the charge', () => {
  test('charges the new card if the old order never arrived, without a failure', async () => {
    const { id, customer } = await subscribed()
    service.acquirer = 'cut_off_before'
    await capture(id)
    await service.pays(customer, numbers.other)
    service.acquirer = 'answers'
    await service.runUntil(timestamp(service.now() + 60_000))
    expect(service.charges(id)).toEqual({ '0-0': 'captured', '1-0': 'never_arrived', '1-1': 'captured' })
    expect(service.paymentsOf(id).map(({ status }) => status)).toEqual(['captured', 'failed', 'captured'])
    expect(service.paymentsOf(id)[2]!.payment_details).toMatchObject({ last_four_digits: '4444' })
    expect(await service.kept(id)).toMatchObject({ status: 'active', interval: 2, retry_count: 0 })
    expect(service.eventTypesOf(id)).toEqual(['subscription.created', 'subscription.captured', 'subscription.captured'])
  })

  test('does not charge the new card if the old one was charged', async () => {
    const { id, customer } = await subscribed()
    service.acquirer = 'cut_off_after'
    await capture(id)
    await service.pays(customer, numbers.other)
    service.acquirer = 'answers'
    await service.runUntil(timestamp(service.now() + 60_000))
    expect(service.charges(id)).toEqual({ '0-0': 'captured', '1-0': 'captured' })
    expect(await service.kept(id)).toMatchObject({ status: 'active', interval: 2, payments: { length: 2 } })
  })

  test('fails the next try without a payment if the card is erased', async () => {
    const { id, customer } = await subscribed()
    service.acquirer = 'cut_off_before'
    await capture(id)
    await service.pays(customer, null)
    service.acquirer = 'answers'
    await service.runUntil(timestamp(service.now() + 60_000))
    expect(await service.kept(id)).toMatchObject({ status: 'retrying', retry_count: 1, payment_details: null })
    expect(service.charges(id)).toEqual({ '0-0': 'captured', '1-0': 'never_arrived' })
    await service.end(id)
  })

  test('charges the new card if it was replaced before the charge began', async () => {
    const { id, customer } = await subscribed()
    const message = await service.message(id)
    service.turnTo(message.due_at)
    service.before_commit = () => service.pays(customer, numbers.other)
    await service.deliver(message)
    const [, payment] = service.paymentsOf(id)
    expect(payment).toMatchObject({ status: 'captured', payment_details: { last_four_digits: '4444' } })
    expect(service.paymentsOf(id)).toHaveLength(2)
  })
})

describe('captureSubscription with a concurrent delete', () => {
  test('voids the charge in flight, and captures nothing', async () => {
    const { id } = await subscribed()
    let answered: Subscription | undefined
    service.meanwhile = async () => {
      answered = await service.end(id)
    }
    await capture(id)
    const [, payment] = service.paymentsOf(id)
    expect(answered).toMatchObject({ status: 'deleted', in_flight: null, payments: { length: 1 } })
    expect(service.charges(id)).toEqual({ '0-0': 'captured', '1-0': 'captured' })
    expect(await service.payment(payment!.id)).toMatchObject({ status: 'cancelled', captured_at: null })
    await service.runUntil(timestamp(service.now() + 60_000))
    expect(service.voids(payment!.id)).toMatchObject([{ outcome: { result: 'done' }, amount: 1000 }])
    expect(await service.payment(payment!.id)).toMatchObject({ status: 'cancelled', in_flight: [] })
    expect(service.eventTypesOf(payment!.id)).toEqual(['payment.cancelled'])
    expect(service.eventTypesOf(id)).toEqual(['subscription.created', 'subscription.captured', 'subscription.deleted'])
  })

  test('charges nothing if the delete comes before the charge', async () => {
    const { id } = await subscribed()
    const message = await service.message(id)
    service.turnTo(message.due_at)
    service.before_commit = () => service.end(id)
    await service.deliver(message)
    expect(service.paymentsOf(id)).toHaveLength(1)
    expect(service.charges(id)).toEqual({ '0-0': 'captured' })
  })

  test.each([
    ['cut_off_before', 'never_arrived', 0],
    ['cut_off_after', 'captured', 1],
  ] as const)('voids a charge of unknown outcome (%s): it is %s, and voided %i times', async (fate, result, times) => {
    const { id } = await subscribed()
    service.acquirer = fate
    await capture(id)
    const [, payment] = service.paymentsOf(id)
    await service.end(id)
    service.acquirer = 'answers'
    await service.runUntil(timestamp(service.now() + 2 * 3_600_000))
    expect(service.charges(id)).toEqual({ '0-0': 'captured', '1-0': result })
    expect(service.voids(payment!.id)).toHaveLength(times)
    expect(await service.payment(payment!.id)).toMatchObject({ status: 'cancelled', in_flight: [] })
    expect(service.eventTypesOf(id).at(-1)).toBe('subscription.deleted')
  })
})

describe('captureSubscription with a payment that the merchant cancels', () => {
  const cancelled = (payment: string) =>
    service.request(async (work, operation) => {
      const plan = { begin: async () => cancel(await work.get(payments, payment)) }
      return runOperation(work, operation, plan)
    })

  test('fails this try, and tries again a day later', async () => {
    const { id } = await subscribed()
    service.acquirer = 'cut_off_after'
    await capture(id)
    const [, payment] = service.paymentsOf(id)
    service.acquirer = 'answers'
    expect(await cancelled(payment!.id)).toMatchObject({ status: 'cancelled' })
    const after = plus(timestamp(service.now()), 1)
    expect(await service.kept(id)).toMatchObject({ status: 'retrying', retry_count: 1, retry_at: after })
    await service.runUntil(after)
    expect(await service.kept(id)).toMatchObject({ status: 'active', interval: 2 })
    expect(service.charges(id)).toEqual({ '0-0': 'captured', '1-0': 'captured', '1-1': 'captured' })
    expect(service.voids(payment!.id).length).toBeGreaterThan(0)
    expect(await service.payment(payment!.id)).toMatchObject({ status: 'cancelled', in_flight: [] })
    expect(service.eventTypesOf(payment!.id)).toEqual(['payment.cancelled'])
  })

  test('resolves both by inquiries if the cancel gets no answer either', async () => {
    const { id } = await subscribed()
    service.meanwhile = async () => {
      const [, payment] = service.paymentsOf(id)
      service.acquirer = 'cut_off_before'
      await expect(cancelled(payment!.id)).rejects.toMatchObject({ code: 'gateway_timeout' })
      service.acquirer = 'answers'
    }
    await capture(id)
    const [, payment] = service.paymentsOf(id)
    expect(payment).toMatchObject({ status: 'pending', in_flight: [{ operation: 'charge' }, { operation: 'void' }] })
    await service.runUntil(timestamp(service.now() + 10 * 60_000))
    expect(await service.payment(payment!.id)).toMatchObject({ status: 'cancelled', in_flight: [] })
    expect(await service.kept(id)).toMatchObject({ status: 'retrying', retry_count: 1, in_flight: null })
    await service.end(id)
  })
})

describe('captureSubscription after an outage', () => {
  test('captures each missed interval once, a day apart', async () => {
    const { id } = await subscribed()
    const first = await service.kept(id)
    const message = await service.message(id)
    service.turnTo(plus(startOf(first, 4), 10))
    const back = service.now()
    await service.deliver(message)
    await service.runUntil(startOf(first, 6))
    expect(service.paymentsOf(id).map(({ captured_at }) => captured_at)).toEqual([
      first.created_at,
      ...[0, 1, 2, 3].map((days) => timestamp(back + days * DAY_MS)),
      startOf(first, 5),
      startOf(first, 6),
    ])
    await service.end(id)
  })
})

describe('captureSubscription with a worker that fails', () => {
  /** The final state of a subscription, without ids and times. */
  async function stateOf(id: string) {
    const { status, interval, tries, retry_count, in_flight, payments: paid } = await service.kept(id)
    const all = service.paymentsOf(id)
    return {
      subscription: [status, interval, tries, retry_count, in_flight, paid.length],
      payments: all.map((each) => [each.status, each.occurrence!.interval, each.in_flight.length]),
      events: service.eventTypesOf(id),
      payment_events: all.map((each) => service.eventTypesOf(each.id)),
      charges: service.charges(id),
      moved: service.items('movement').filter(({ of }) => all.some((each) => each.id === of)).length,
    }
  }

  /** Captures while calls fail as planned, and lets an hour pass. */
  async function run(number: string, plan?: Parameters<typeof service.points.arm>[0]) {
    const { id } = await subscribed(number)
    const message = await service.message(id)
    service.turnTo(message.due_at)
    service.points.arm(plan)
    const failure = await service.deliver(message).catch((error: unknown) => error)
    service.points.disarm()
    const calls = service.points.calls
    // The queue delivers a failed message again.
    if (failure) await service.deliver(message)
    await service.runUntil(timestamp(service.now() + 3_600_000))
    const state = await stateOf(id)
    await service.end(id)
    return { calls, state }
  }

  const fates = ['fail_before', 'fail_after'] as const
  const cases = [numbers.good, numbers.pays_once].flatMap((number) =>
    fates.flatMap((fate) => [false, true].map((dies) => ({ number, fate, dies }))),
  )
  test.each(cases)(
    '($fate, killed: $dies) at any of its calls captures once, with card $number',
    async ({ number, fate, dies }) => {
      const clean = await run(number)
      expect(clean.calls).toBeGreaterThan(4)
      for (let at = 1; at <= clean.calls; at++) {
        const { state } = await run(number, failingAt(at, fate, { is_killed: dies }))
        expect(state, `at call ${at} of ${clean.calls}`).toEqual(clean.state)
      }
    },
  )

  test('starts over after a lost race at any of its writes, and captures once', async () => {
    const clean = await run(numbers.good)
    for (let at = 1; at <= clean.calls; at++) {
      const { state } = await run(numbers.good, failingAt(at, 'conflict'))
      expect(state, `at call ${at}`).toEqual(clean.state)
    }
  })
})
