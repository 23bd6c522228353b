import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { cancel } from '#shared/domain/payment-operations.ts'
import { captureDue, nextCaptureAt } from '#shared/domain/subscription-states.ts'
import { timestamp } from '#shared/domain/timestamp.ts'
import { runOperation } from '#shared/payments/run-operation.ts'
import { createSubscription } from '#shared/subscriptions/create-subscription.ts'
import { failingAt } from '#test/faults/crash-points.ts'
import { numbers, Subscribing } from '#test/fixtures/subscription-fixture.ts'

let service: Subscribing
beforeEach(async () => {
  service = await Subscribing.open()
})
afterEach(() => service.close())

const MINUTE_MS = 60_000
const afterMinutes = (minutes: number) => timestamp(service.now() + minutes * MINUTE_MS)
const subscriptionsMade = () => service.items('subscription').map(({ id }) => id as string)

describe('createSubscription', () => {
  test('captures the first interval at once, and counts intervals from now', async () => {
    const customer = await service.customer()
    const made = await service.subscribe(customer, { amount: '10.50', currency: 'USD', metadata: { a: 1 } })
    const [payment] = service.paymentsOf(made.id)
    expect(made).toEqual({
      ...(await service.kept(made.id)),
      status: 'active',
      amount: 1050,
      currency: 'USD',
      period: 'monthly',
      interval: 1,
      tries: 0,
      retry_count: 0,
      retry_at: null,
      not_before: null,
      in_flight: null,
      payments: [payment!.id],
      metadata: { a: 1 },
      payment_details: { type: 'credit_card', month: 12, year: 2035, email: 'taro@example.com' },
      created_at: '2030-01-02T03:00:00Z',
      ended_at: null,
      version: 1,
    })
    expect(made.customer).toMatchObject({
      uuid: customer,
      email: 'taro@example.com',
      created_at: '2030-01-02T03:00:00Z',
    })
    expect(nextCaptureAt(made)).toBe('2030-02-02T03:00:00Z')
    expect(payment).toMatchObject({ status: 'captured', total: 1050, currency: 'USD', customer })
    expect(service.eventTypesOf(made.id)).toEqual(['subscription.created', 'subscription.captured'])
    expect(service.eventTypesOf(payment!.id)).toEqual(['payment.captured'])
    expect(service.charges(made.id)).toEqual({ '0-0': 'captured' })
  })

  test.each([
    ['weekly', '2030-01-09T03:00:00Z'],
    ['monthly', '2030-02-02T03:00:00Z'],
    ['yearly', '2031-01-02T03:00:00Z'],
  ])('with the period %s sets the next capture to %s', async (period, due) => {
    const { id } = await service.subscribe(await service.customer(), { period })
    expect((await service.message(id)).due_at).toBe(due)
  })

  test('creates an active subscription of 0 with a captured payment, without a call to the acquirer', async () => {
    service.acquirer = 'cut_off_before'
    const customer = await service.customer(numbers.declined)
    const made = await service.subscribe(customer, { amount: '0.00', currency: 'USD' })
    expect(made).toMatchObject({ status: 'active', amount: 0, interval: 1 })
    const all = service.paymentsOf(made.id)
    expect(all).toMatchObject([{ id: made.payments[0], status: 'captured', total: 0, in_flight: [], customer }])
    expect(service.eventTypesOf(made.id)).toEqual(['subscription.created', 'subscription.captured'])
    expect(service.eventTypesOf(all[0]!.id)).toEqual(['payment.captured'])
    expect(captureDue(await service.kept(made.id))).toBe('2030-02-02T03:00:00Z')
  })

  test.each([
    ['declined', numbers.declined],
    ['in need of 3-D Secure', numbers.needs_3d_secure],
  ])('suspends a subscription whose card is %s', async (_, number) => {
    const made = await service.subscribe(await service.customer(number))
    const { status, retry_count, retry_at, ended_at, in_flight, payments: paid } = await service.kept(made.id)
    expect(made.status).toBe('suspended')
    expect([status, retry_count, retry_at, ended_at]).toEqual(['suspended', 1, null, '2030-01-02T03:00:00Z'])
    expect([in_flight, paid]).toEqual([null, []])
    expect(service.eventTypesOf(made.id)).toEqual([
      'subscription.created',
      'subscription.failed',
      'subscription.suspended',
    ])
    expect(service.paymentsOf(made.id)).toMatchObject([{ status: 'failed', failure: 'card_declined' }])
    await service.runUntil('2030-06-01T00:00:00Z')
    expect(service.paymentsOf(made.id)).toHaveLength(1)
  })

  test('derives the numbers of customer and merchant from their ids', async () => {
    const [one, other] = [await service.customer(), await service.customer()]
    const made = [await service.subscribe(one), await service.subscribe(one), await service.subscribe(other)]
    const seen = made.map(({ customer: { number, merchant_number } }) => [number, merchant_number])
    expect(seen.flat().every((number) => Number.isSafeInteger(number) && number! > 0)).toBe(true)
    expect(seen[1]).toEqual(seen[0])
    expect(seen[2]![0]).not.toBe(seen[0]![0])
    expect(seen[2]![1]).toBe(seen[0]![1])
  })

  test('creates several subscriptions of one customer concurrently', async () => {
    const customer = await service.customer()
    const made = await Promise.all(Array.from({ length: 20 }, () => service.subscribe(customer)))
    expect(made.map(({ status }) => status)).toEqual(Array(20).fill('active'))
    expect(new Set(subscriptionsMade())).toEqual(new Set(made.map(({ id }) => id)))
    expect(service.items('sandbox')).toHaveLength(20)
  })
})

describe('createSubscription refuses', () => {
  const konbini = { type: 'konbini', store: 'lawson', email: 'taro@example.com', phone: '0312345678' } as const

  test.each(['cus_0000000000none', 'unknown', 'cus_#1', 'あ'.repeat(255), 'pay_0000000000none'])(
    'the unknown customer %j',
    async (customer) => {
      const refusal = { code: 'invalid_parameter', param: 'customer' }
      await expect(service.subscribe(customer)).rejects.toMatchObject(refusal)
      await expect(service.subscribe(customer, { amount: 0 })).rejects.toMatchObject(refusal)
    },
  )

  test('a customer of another merchant', async () => {
    const customer = await service.customer()
    const other = service.subscribe(customer, {}, { merchant: 'mer_other' })
    await expect(other).rejects.toMatchObject({ code: 'invalid_parameter', param: 'customer' })
  })

  test.each([
    ['without payment details', null],
    ['whose payment details cannot be charged again', konbini],
  ])('a customer %s', async (_, details) => {
    const customer = await service.customer()
    await service.pays(customer, details)
    const refusal = { code: 'unprocessable_entity', param: 'customer' }
    await expect(service.subscribe(customer)).rejects.toMatchObject(refusal)
    await expect(service.subscribe(customer, { amount: 0 })).rejects.toMatchObject(refusal)
    expect(subscriptionsMade()).toEqual([])
    expect(service.items('sandbox')).toEqual([])
  })

  test('metadata that is too large together with that of the customer', async () => {
    const letters = { metadata: { a: 'あ'.repeat(60_000) } }
    const customer = await service.customer(undefined, letters)
    await expect(service.subscribe(customer, { metadata: large })).rejects.toMatchObject({
      code: 'unprocessable_entity',
    })
    expect([subscriptionsMade(), service.items('sandbox')]).toEqual([[], []])
    expect(await service.subscribe(customer)).toMatchObject({ status: 'active' })
  })
  const large = Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`key ${index}`, 'あ'.repeat(2_000)]))

  test('live subscriptions without a live acquirer', async () => {
    const customer = await service.customer()
    const platform = { ...service.platform, live_acquirer: 'none' } as const
    const refused = service.subscribe(customer, {}, { mode: 'live', platform })
    await expect(refused).rejects.toMatchObject({ code: 'service_unavailable' })
    expect(subscriptionsMade()).toEqual([])
  })
})

describe('createSubscription with an unknown outcome of the first capture', () => {
  test.each([
    ['cut_off_before', numbers.good, 'active', ['subscription.captured']],
    ['cut_off_after', numbers.good, 'active', ['subscription.captured']],
    ['cut_off_before', numbers.declined, 'suspended', ['subscription.failed', 'subscription.suspended']],
    ['cut_off_after', numbers.declined, 'suspended', ['subscription.failed', 'subscription.suspended']],
  ] as const)(
    '(%s, %s) leaves the subscription pending, and %s once the outcome is known',
    async (fate, number, status, events) => {
      service.acquirer = fate
      const made = await service.subscribe(await service.customer(number))
      const [payment] = service.paymentsOf(made.id)
      expect(made).toMatchObject({ status: 'pending', in_flight: payment!.id, retry_count: 0, ended_at: null })
      expect([nextCaptureAt(made), captureDue(made)]).toEqual([null, undefined])
      expect(service.eventTypesOf(made.id)).toEqual(['subscription.created'])
      service.acquirer = 'answers'
      await service.runUntil(afterMinutes(1))
      expect(await service.kept(made.id)).toMatchObject({ status, in_flight: null, created_at: made.created_at })
      expect(service.eventTypesOf(made.id)).toEqual(['subscription.created', ...events])
      expect(Object.keys(service.charges(made.id))).toEqual(['0-0'])
    },
  )

  test('keeps the anchor, however late the outcome is known', async () => {
    service.acquirer = 'cut_off_after'
    const { id } = await service.subscribe(await service.customer())
    await service.runUntil('2030-01-05T03:00:00Z')
    service.acquirer = 'answers'
    await service.runUntil('2030-01-07T03:00:00Z')
    const kept = await service.kept(id)
    expect(kept.status).toBe('active')
    expect(nextCaptureAt(kept)).toBe('2030-02-02T03:00:00Z')
  })

  test('charges the new card if the old one is replaced and its order never arrived', async () => {
    service.acquirer = 'cut_off_before'
    const customer = await service.customer(numbers.declined)
    const { id } = await service.subscribe(customer)
    await service.pays(customer, numbers.other)
    service.acquirer = 'answers'
    await service.runUntil(afterMinutes(2))
    expect(await service.kept(id)).toMatchObject({ status: 'active', interval: 1, retry_count: 0 })
    expect(service.charges(id)).toEqual({ '0-0': 'never_arrived', '0-1': 'captured' })
  })

  test('suspends the subscription if the card is erased and its order never arrived', async () => {
    service.acquirer = 'cut_off_before'
    const customer = await service.customer()
    const { id } = await service.subscribe(customer)
    await service.pays(customer, null)
    service.acquirer = 'answers'
    await service.runUntil(afterMinutes(2))
    expect(await service.kept(id)).toMatchObject({ status: 'suspended', retry_count: 1, payment_details: null })
    expect(service.charges(id)).toEqual({ '0-0': 'never_arrived' })
  })

  test('resumes with the same request, and charges once', async () => {
    for (const fate of ['cut_off_before', 'cut_off_after'] as const) {
      service.acquirer = fate
      const customer = await service.customer()
      const { id, in_flight } = await service.subscribe(customer)
      service.acquirer = 'answers'
      const again = await service.request(async (work) => {
        const lease = { bind: () => expect.fail(), held: () => expect.fail() }
        const operation = { progress: { state: 'begun', payment: in_flight!, attempt: 1 }, lease } as const
        return createSubscription(work, operation, {
          customer,
          amount: 1000,
          currency: 'JPY',
          period: 'monthly',
          metadata: {},
        })
      })
      expect(again).toMatchObject({ id, status: 'active', interval: 1 })
      expect(service.charges(id)).toEqual({ '0-0': 'captured' })
    }
    expect(subscriptionsMade()).toHaveLength(2)
  })
})

describe('createSubscription with a concurrent change', () => {
  test('charges the new card if it was replaced before the charge', async () => {
    const customer = await service.customer(numbers.declined)
    service.before_commit = () => service.pays(customer, numbers.other)
    const made = await service.subscribe(customer)
    expect(made.status).toBe('active')
    expect(service.paymentsOf(made.id)).toMatchObject([{ payment_details: { last_four_digits: '4444' } }])
    expect(subscriptionsMade()).toEqual([made.id])
  })

  test('charges nothing if the card is erased before the charge', async () => {
    const customer = await service.customer()
    service.before_commit = () => service.pays(customer, null)
    await expect(service.subscribe(customer)).rejects.toMatchObject({ code: 'unprocessable_entity' })
    expect([subscriptionsMade(), service.items('sandbox')]).toEqual([[], []])
  })

  test('answers a deleted subscription if it is deleted during the charge, and voids the charge', async () => {
    service.meanwhile = async () => {
      await service.end(subscriptionsMade()[0]!)
    }
    const made = await service.subscribe(await service.customer())
    expect(made).toMatchObject({ status: 'deleted', payments: [] })
    const [payment] = service.paymentsOf(made.id)
    await service.runUntil(afterMinutes(1))
    expect(service.voids(payment!.id)).toMatchObject([{ outcome: { result: 'done' } }])
    expect(service.eventTypesOf(made.id)).toEqual(['subscription.created', 'subscription.deleted'])
    expect(service.eventTypesOf(payment!.id)).toEqual(['payment.cancelled'])
  })

  test('stays pending if the first payment is cancelled without an answer, and is suspended once that is known', async () => {
    service.meanwhile = async () => {
      const { id } = service.items('payment').find(({ sk }) => sk === 'payment')!
      service.acquirer = 'cut_off_before'
      const plan = { begin: async () => cancel(await service.payment(id as string)) }
      await expect(service.request((work, operation) => runOperation(work, operation, plan))).rejects.toMatchObject({
        code: 'gateway_timeout',
      })
      service.acquirer = 'answers'
    }
    const made = await service.subscribe(await service.customer())
    expect(made.status).toBe('pending')
    await service.runUntil(afterMinutes(10))
    expect(await service.kept(made.id)).toMatchObject({ status: 'suspended', retry_count: 1, payments: [] })
    expect(service.paymentsOf(made.id)).toMatchObject([{ status: 'cancelled', in_flight: [] }])
  })
})

describe('createSubscription with a failing platform', () => {
  const fates = ['fail_before', 'fail_after', 'conflict'] as const
  const cases = fates.flatMap((fate) => [1000, 0].map((amount) => ({ fate, amount })))

  test.each(cases)(
    '($fate) at any of its calls, for $amount, creates and captures one subscription or none',
    async ({ fate, amount }) => {
      const run = async (plan?: Parameters<typeof service.points.arm>[0]) => {
        const customer = await service.customer()
        const before = new Set(subscriptionsMade())
        service.points.arm(plan)
        await service.subscribe(customer, { amount }).catch(() => undefined)
        service.points.disarm()
        const calls = service.points.calls
        await service.runUntil(afterMinutes(5))
        const made = subscriptionsMade().filter((id) => !before.has(id))
        return { calls, made }
      }
      const { calls, made: clean } = await run()
      expect([calls > 1, clean.length]).toEqual([true, 1])
      for (let at = 1; at <= calls; at++)
        for (const dies of [false, true]) {
          const { made } = await run(failingAt(at, fate, { is_killed: dies }))
          expect(made.length, `at call ${at}`).toBeLessThan(2)
          for (const id of made) {
            expect(await service.kept(id), `at call ${at}`).toMatchObject({
              status: 'active',
              interval: 1,
              in_flight: null,
            })
            expect(service.charges(id)).toEqual(amount > 0 ? { '0-0': 'captured' } : {})
            expect(service.eventTypesOf(id)).toEqual(['subscription.created', 'subscription.captured'])
            expect(service.paymentsOf(id)).toMatchObject([{ status: 'captured', in_flight: [] }])
          }
        }
      const charged = service.items('sandbox').map(({ pk }) => pk.split('#')[2]!.split('-')[0])
      expect(charged.filter((id) => !subscriptionsMade().includes(id!))).toEqual([])
    },
  )
})
