import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { intervalStart } from '#shared/domain/calendar.ts'
import { cancel } from '#shared/domain/payment-operations.ts'
import type { Subscription } from '#shared/domain/subscription.ts'
import { captureDue } from '#shared/domain/subscription-states.ts'
import { timestamp } from '#shared/domain/timestamp.ts'
import { runOperation } from '#shared/payments/run-operation.ts'
import { payments } from '#shared/store/payments.ts'
import { failingAt } from '#test/faults/crash-points.ts'
import { numbers, Subscribing } from '#test/fixtures/subscribing.ts'
import { cardDetails } from '#test/fixtures/working.ts'

const DAY_MS = 86_400_000

let service: Subscribing
beforeEach(async () => {
  service = await Subscribing.open()
})
afterEach(() => service.close())

/** A subscription whose first interval is captured, with its customer. */
async function subscribed(number?: string, fields: object = {}) {
  const customer = await service.customer(number)
  const { id } = await service.subscribe(customer, fields)
  return { id, customer }
}
const startOf = ({ created_at, period }: Subscription, interval: number) =>
  timestamp(intervalStart(Date.parse(created_at), period, interval))
const plus = (at: string, days: number) => timestamp(Date.parse(at) + days * DAY_MS)

/** Turns the clock to when the next capture of a subscription is due, and does it. */
async function capture(id: string): Promise<Subscription> {
  const message = await service.message(id)
  service.turnTo(message.due_at)
  await service.deliver(message)
  return service.kept(id)
}

describe('an interval that is due', () => {
  test('is captured: a payment of the customer, told as such and as a capture', async () => {
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
    expect(service.told(id)).toEqual(['subscription.created', 'subscription.captured', 'subscription.captured'])
    expect(service.told(payment!.id)).toEqual(['payment.captured'])
    expect(service.charges(id)).toEqual({ '0-0': 'captured', '1-0': 'captured' })
  })

  test('is captured once, however often its message comes', async () => {
    const { id } = await subscribed()
    const message = await service.message(id)
    service.turnTo(message.due_at)
    for (let times = 0; times < 3; times++) await service.deliver(message)
    expect(Object.keys(service.charges(id))).toEqual(['0-0', '1-0'])
    expect(await service.kept(id)).toMatchObject({ interval: 2 })
  })

  test('is captured once by two workers at once', async () => {
    const { id } = await subscribed()
    const message = await service.message(id)
    service.turnTo(message.due_at)
    await Promise.all([1, 2, 3, 4].map(() => service.deliver(message)))
    expect(service.charges(id)).toEqual({ '0-0': 'captured', '1-0': 'captured' })
    expect(service.paymentsOf(id)).toHaveLength(2)
    expect(service.told(id).filter((type) => type === 'subscription.captured')).toHaveLength(2)
  })

  test('is not captured before its time', async () => {
    const { id } = await subscribed()
    const message = await service.message(id)
    service.turnTo(timestamp(Date.parse(message.due_at) - 3_000))
    await service.deliver(message)
    expect(service.paymentsOf(id)).toHaveLength(1)
    expect(await service.kept(id)).toMatchObject({ interval: 1 })
  })

  test('of a subscription that has ended is not captured, nor one of nobody', async () => {
    const { id } = await subscribed()
    const message = await service.message(id)
    await service.end(id)
    service.turnTo(message.due_at)
    await service.deliver(message)
    await service.deliver({ ...message, pk: `${message.pk.slice(0, -4)}none` })
    expect(service.paymentsOf(id)).toHaveLength(1)
    expect(service.told(id)).toEqual(['subscription.created', 'subscription.captured', 'subscription.deleted'])
  })

  test('shows the customer as it is now, in what is told of it', async () => {
    const { id, customer } = await subscribed()
    await service.update(customer, { email: 'new@example.com', metadata: { b: 2 } })
    expect((await capture(id)).customer).toMatchObject({ email: 'new@example.com', metadata: { b: 2 } })
  })

  test('of nothing is a captured payment of 0 that no acquirer is asked for', async () => {
    const { id } = await subscribed(numbers.declined, { amount: 0 })
    service.acquirer = 'cut_off_before'
    expect(await capture(id)).toMatchObject({ status: 'active', interval: 2 })
    expect(service.paymentsOf(id)).toMatchObject([
      { status: 'captured', total: 0, in_flight: [], occurrence: { interval: 0 } },
      { status: 'captured', total: 0, in_flight: [], occurrence: { interval: 1 } },
    ])
    expect(service.charges(id)).toEqual({})
    expect(service.told(service.paymentsOf(id)[1]!.id)).toEqual(['payment.captured'])
  })

  test('two years of months are two years of payments, each on its date, from the last day of a month too', async () => {
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

describe('a capture that is declined', () => {
  test('is tried again each day, each try a payment of its own; the fourth suspends', async () => {
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
    expect(service.told(id).slice(2)).toEqual([...Array(4).fill('subscription.failed'), 'subscription.suspended'])
    for (const failure of failures) expect(service.told(failure.id)).toEqual(['payment.failed'])
    expect(await service.kept(id)).toMatchObject({
      in_flight: null,
      last_failure: { code: 'card_declined', payment: failures[3]!.id, failed_at: plus(due, 3) },
    })
  })

  test('is paid by another card at the next try, and not before', async () => {
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

  test('since the card has expired says so in the payment details', async () => {
    const { id, customer } = await subscribed()
    const month = { month: 12, year: new Date(service.now()).getUTCFullYear() }
    await service.pays(customer, cardDetails(undefined, month))
    const due = (await service.message(id)).due_at
    await service.runUntil(plus(due, 400))
    expect(await service.kept(id)).toMatchObject({ status: 'suspended', payment_details: month })
    expect(service.paymentsOf(id).at(-1)).toMatchObject({ status: 'failed', failure: 'card_expired' })
  })

  test('since nobody is there to pass 3-D Secure is a decline, not a payment that waits', async () => {
    const { id, customer } = await subscribed()
    await service.pays(customer, numbers.needs_3d_secure)
    expect(await capture(id)).toMatchObject({ status: 'retrying', retry_count: 1 })
    expect(service.paymentsOf(id)[1]).toMatchObject({ status: 'failed', failure: 'card_declined' })
    await service.end(id)
  })
})

describe('a customer', () => {
  test.each([
    ['whose card is erased', null],
    [
      'whose details are no card any more',
      { type: 'konbini', store: 'lawson', email: 'taro@example.com', phone: '0312345678' } as const,
    ],
  ])('%s makes captures fail without a payment, until there is a card', async (_, details) => {
    const { id, customer } = await subscribed(undefined, { currency: 'USD' })
    await service.pays(customer, details)
    const due = (await service.message(id)).due_at
    const { status, retry_count, retry_at, payment_details, in_flight } = await capture(id)
    expect([status, retry_count, retry_at, in_flight]).toEqual(['retrying', 1, plus(due, 1), null])
    expect(payment_details?.type ?? null).toBe(details?.type ?? null)
    expect(service.paymentsOf(id)).toHaveLength(1)
    expect(service.told(id).at(-1)).toBe('subscription.failed')
    await service.pays(customer, numbers.good)
    expect(await capture(id)).toMatchObject({ status: 'active', interval: 2, payments: { length: 2 } })
    await service.end(id)
  })

  test('without a card for four days running loses the subscription', async () => {
    const { id, customer } = await subscribed()
    await service.pays(customer, null)
    for (let tries = 0; tries < 4; tries++) await capture(id)
    expect(await service.kept(id)).toMatchObject({ status: 'suspended', retry_count: 4, payment_details: null })
    expect(service.told(id).slice(2)).toEqual([...Array(4).fill('subscription.failed'), 'subscription.suspended'])
    expect(service.paymentsOf(id)).toHaveLength(1)
  })

  test('whose metadata has become too large to be kept with the subscription holds up no capture', async () => {
    const letters = (count: number) => ({ metadata: Object.fromEntries(keys.map((key) => [key, 'x'.repeat(count)])) })
    const keys = Array.from({ length: 50 }, (_, index) => `key ${index}`)
    const customer = await service.customer(undefined, { metadata: { small: true } })
    const { id } = await service.subscribe(customer, letters(2_000))
    await service.update(customer, letters(6_000))
    const next = await capture(id)
    expect(next).toMatchObject({ status: 'active', interval: 2, customer: { metadata: { small: true } } })
    await service.end(id)
    expect(service.told(id).at(-1)).toBe('subscription.deleted')
  })
})

describe('a subscription that has grown too large to be made', () => {
  test('is captured all the same', async () => {
    const keys = Array.from({ length: 50 }, (_, index) => `key ${index}`)
    const metadata = Object.fromEntries(keys.map((key) => [key, '㋿'.repeat(2_000)]))
    const { id } = await subscribed(undefined, { period: 'weekly', metadata })
    let at = (await service.kept(id)).created_at
    const size = () =>
      Buffer.byteLength(JSON.stringify(service.items('subscription').find(({ pk }) => pk.endsWith(id))))
    const before = size()
    // As many payments as a weekly one has in 25 years.
    const { table } = service.working.platform
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

describe('an acquirer that does not answer', () => {
  test.each(['cut_off_before', 'cut_off_after'] as const)(
    '(%s) makes no failure: it is asked, and charged once',
    async (fate) => {
      const { id } = await subscribed()
      const first = await service.kept(id)
      service.acquirer = fate
      const waiting = await capture(id)
      const [, payment] = service.paymentsOf(id)
      expect(waiting).toMatchObject({ status: 'active', interval: 1, retry_count: 0, in_flight: payment!.id })
      expect(captureDue(waiting)).toBeUndefined()
      expect(payment).toMatchObject({ status: 'pending', in_flight: [{ operation: 'charge' }] })
      expect(service.told(payment!.id)).toEqual([])
      service.acquirer = 'answers'
      await service.runUntil(timestamp(Date.parse(startOf(first, 1)) + 60_000))
      const next = await service.kept(id)
      expect(next).toMatchObject({ status: 'active', interval: 2, in_flight: null, payments: { length: 2 } })
      expect(captureDue(next)).toBe(startOf(first, 2))
      expect(service.charges(id)).toEqual({ '0-0': 'captured', '1-0': 'captured' })
      expect(service.told(id)).toEqual(['subscription.created', 'subscription.captured', 'subscription.captured'])
      await service.end(id)
    },
  )

  test('and then declines is a failure, counted from when it is known', async () => {
    const { id } = await subscribed(numbers.pays_once)
    service.acquirer = 'cut_off_after'
    await capture(id)
    service.acquirer = 'answers'
    const known = timestamp(service.now() + 60_000)
    await service.runUntil(known)
    expect(await service.kept(id)).toMatchObject({ status: 'retrying', retry_count: 1, retry_at: plus(known, 1) })
    await service.end(id)
  })

  test('for twelve days holds up the subscription and fails nothing; a person is told each day', async () => {
    const { id } = await subscribed(undefined, { period: 'weekly' })
    const first = await service.kept(id)
    service.acquirer = 'cut_off_after'
    await capture(id)
    const since = service.working.logs.length
    await service.runUntil(plus(startOf(first, 1), 12))
    const [, payment] = service.paymentsOf(id)
    const told = service.working.logs
      .slice(since)
      .filter((line) => line.level === 'error' && line.payment === payment!.id)
    expect(told.map(({ event }) => event)).toEqual(Array(7).fill('charge_unresolved'))
    expect(await service.kept(id)).toMatchObject({ status: 'active', interval: 1, in_flight: payment!.id })
    service.acquirer = 'answers'
    await service.runUntil(plus(startOf(first, 1), 13.5))
    expect(service.charges(id)).toEqual({ '0-0': 'captured', '1-0': 'captured', '2-0': 'captured' })
    const [second, third] = service.paymentsOf(id).slice(1)
    // The interval that was missed meanwhile is not captured in the same minute.
    expect(Date.parse(third!.captured_at!) - Date.parse(second!.captured_at!)).toBe(DAY_MS)
    expect((await service.kept(id)).interval).toBe(3)
    await service.end(id)
  })

  test('beyond the deadline of a payment is asked on, and nothing else is charged for the interval meanwhile', async () => {
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

describe('a card that is replaced while a charge is out', () => {
  test('and has never arrived: the old one is not charged, the new one is, without a failure', async () => {
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
    expect(service.told(id)).toEqual(['subscription.created', 'subscription.captured', 'subscription.captured'])
  })

  test('and has been charged: the old one has paid, and the new one is not charged', async () => {
    const { id, customer } = await subscribed()
    service.acquirer = 'cut_off_after'
    await capture(id)
    await service.pays(customer, numbers.other)
    service.acquirer = 'answers'
    await service.runUntil(timestamp(service.now() + 60_000))
    expect(service.charges(id)).toEqual({ '0-0': 'captured', '1-0': 'captured' })
    expect(await service.kept(id)).toMatchObject({ status: 'active', interval: 2, payments: { length: 2 } })
  })

  test('by none, and has never arrived: the try after it fails without a payment', async () => {
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

  test('just before the charge is begun: the new one is charged', async () => {
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

describe('a delete', () => {
  test('while the charge is out wins: what is charged is given back, and nothing is captured', async () => {
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
    expect(service.told(payment!.id)).toEqual(['payment.cancelled'])
    expect(service.told(id)).toEqual(['subscription.created', 'subscription.captured', 'subscription.deleted'])
  })

  test('before the charge is begun leaves nothing to give back', async () => {
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
  ] as const)('while its outcome is unknown (%s) is final: %s, given back %i times', async (fate, result, times) => {
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
    expect(service.told(id).at(-1)).toBe('subscription.deleted')
  })
})

describe('a merchant who cancels the payment of an interval while it is out', () => {
  const cancelled = (payment: string) =>
    service.request(async (work, operation) => {
      const plan = { begin: async () => cancel(await work.get(payments, payment)) }
      return runOperation(work, operation, plan)
    })

  test('has cancelled this try: the subscription tries again a day later', async () => {
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
    expect(service.told(payment!.id)).toEqual(['payment.cancelled'])
  })

  test('and gets no answer either, lets the clock find out; the worker is done and has not failed', async () => {
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

describe('after an outage', () => {
  test('each interval that was missed is captured once, a day apart', async () => {
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

describe('a worker that dies', () => {
  /** What there is of a subscription in the end, whatever its ids and times. */
  async function stateOf(id: string) {
    const { status, interval, tries, retry_count, in_flight, payments: paid } = await service.kept(id)
    const all = service.paymentsOf(id)
    return {
      subscription: [status, interval, tries, retry_count, in_flight, paid.length],
      payments: all.map((each) => [each.status, each.occurrence!.interval, each.in_flight.length]),
      told: service.told(id),
      told_of_payments: all.map((each) => service.told(each.id)),
      charges: service.charges(id),
      moved: service.items('movement').filter(({ of }) => all.some((each) => each.id === of)).length,
    }
  }

  /** Captures with calls that fail as the plan says, and lets the clock go on for an hour. */
  async function run(number: string, plan?: Parameters<typeof service.points.arm>[0]) {
    const { id } = await subscribed(number)
    const message = await service.message(id)
    service.turnTo(message.due_at)
    service.points.arm(plan)
    const failure = await service.deliver(message).catch((error: unknown) => error)
    service.points.disarm()
    const calls = service.points.calls
    // The queue hands a message out again that was not done.
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
    'of $fate at any of its calls (card $number, dies: $dies): it is done once all the same',
    async ({ number, fate, dies }) => {
      const clean = await run(number)
      expect(clean.calls).toBeGreaterThan(4)
      for (let at = 1; at <= clean.calls; at++) {
        const { state } = await run(number, failingAt(at, fate, { dies }))
        expect(state, `at call ${at} of ${clean.calls}`).toEqual(clean.state)
      }
    },
  )

  test('loses a race at any of its writes: it starts over, and is done once', async () => {
    const clean = await run(numbers.good)
    for (let at = 1; at <= clean.calls; at++) {
      const { state } = await run(numbers.good, failingAt(at, 'conflict'))
      expect(state, `at call ${at}`).toEqual(clean.state)
    }
  })
})
