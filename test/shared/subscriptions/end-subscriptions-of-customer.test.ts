import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { timestamp } from '#shared/domain/timestamp.ts'
import { changed } from '#shared/store/change.ts'
import { customers } from '#shared/store/customers.ts'
import { payments } from '#shared/store/payments.ts'
import { failingAt } from '#test/faults/crash-points.ts'
import { numbers, Subscribing } from '#test/fixtures/subscription-fixture.ts'

let service: Subscribing
beforeEach(async () => {
  service = await Subscribing.open()
})
afterEach(() => service.close())

const subscribed = async (customer: string, count: number) => {
  const made = await Promise.all(Array.from({ length: count }, () => service.subscribe(customer)))
  return made.map(({ id }) => id)
}
const isThere = async (customer: string) => (await service.work().find(customers, customer)) !== undefined
const countOf = (types: readonly string[], type: string) => types.filter((each) => each === type).length

/** Expects that a deleted customer is gone, and that each of their subscriptions has ended with one event. */
async function expectEnded(customer: string, ids: readonly string[], which = '') {
  expect(await isThere(customer), which).toBe(false)
  for (const id of ids) {
    const { status, ended_at, in_flight, payment_details, customer: embedded } = await service.kept(id)
    expect([status, in_flight, payment_details, embedded.email], which).toEqual(['deleted', null, null, null])
    expect(ended_at).not.toBeNull()
    expect(embedded.uuid).toBe(customer)
    expect(countOf(service.eventTypesOf(id), 'subscription.deleted'), which).toBe(1)
  }
  expect(countOf(service.eventTypesOf(customer), 'customer.deleted'), which).toBe(1)
  expect(service.items('card')).toEqual([])
}

describe('endSubscriptionsOfCustomer', () => {
  test.each([0, 1, 4, 5, 6, 7, 10, 11, 20])('ends all of %i subscriptions', async (count) => {
    const customer = await service.customer()
    const other = await service.customer(numbers.other)
    const ids = await subscribed(customer, count)
    const [kept] = await subscribed(other, 1)
    await service.gone(customer)
    expect((await service.kept(kept!)).status).toBe('active')
    await service.gone(other)
    await expectEnded(customer, ids)
  })

  test('ends pending, retrying and suspended subscriptions, and leaves ended ones unchanged', async () => {
    const customer = await service.customer(numbers.pays_once)
    const [deleted, retrying] = await subscribed(customer, 2)
    await service.end(deleted!)
    const before = await service.kept(deleted!)
    const message = await service.message(retrying!)
    service.turnTo(message.due_at)
    await service.deliver(message)
    await service.pays(customer, numbers.declined)
    const { id: suspended } = await service.subscribe(customer)
    await service.pays(customer, numbers.good)
    service.acquirer = 'cut_off_after'
    const { id: pending } = await service.subscribe(customer)
    service.acquirer = 'answers'
    await service.gone(customer)
    await expectEnded(customer, [retrying!, suspended, pending])
    expect(await service.kept(deleted!)).toEqual(before)
    expect(countOf(service.eventTypesOf(deleted!), 'subscription.deleted')).toBe(1)
  })

  test('deletes a customer without subscriptions, or with ended subscriptions only', async () => {
    const customer = await service.customer()
    const ids = await subscribed(customer, 7)
    for (const id of ids) await service.end(id)
    await service.gone(customer)
    await expectEnded(customer, [])
    for (const id of ids) expect(countOf(service.eventTypesOf(id), 'subscription.deleted')).toBe(1)
  })

  test('fits 20 subscriptions with captures in flight into its transactions, and voids all captures', async () => {
    const customer = await service.customer()
    const ids = await subscribed(customer, 20)
    service.turnTo('2030-02-02T03:00:00Z')
    service.acquirer = 'cut_off_after'
    for (const id of ids) await service.deliver(await service.message(id))
    service.acquirer = 'answers'
    const out = await Promise.all(ids.map(async (id) => service.payment((await service.kept(id)).in_flight!)))
    for (const payment of out)
      await service.request(async () => ({
        changes: [changed(payments, { ...payment, external_order_num: `order of ${payment.id}` }, ['payment.updated'])],
        answer: undefined,
      }))
    // At this time the events count as late in their list, too.
    service.turnTo('2030-02-02T03:00:50Z')
    await service.gone(customer)
    await expectEnded(customer, ids)
    await service.runUntil('2030-02-02T05:00:00Z')
    for (const { id } of out) {
      expect(await service.payment(id)).toMatchObject({ status: 'cancelled', in_flight: [] })
      expect(service.voids(id)).toHaveLength(1)
      expect(service.eventTypesOf(id)).toEqual(['payment.updated', 'payment.cancelled'])
    }
  })

  test('fits the largest subscriptions into its transactions', async () => {
    const large = { metadata: Object.fromEntries(Array.from({ length: 50 }, (_, at) => [`${at}`, 'あ'.repeat(2_000)])) }
    const customer = await service.customer()
    const made = await Promise.all(Array.from({ length: 5 }, () => service.subscribe(customer, large)))
    await service.gone(customer)
    await expectEnded(
      customer,
      made.map(({ id }) => id),
    )
  })
})

describe('endSubscriptionsOfCustomer with a concurrent createSubscription', () => {
  test('ends a subscription that is created after its reads', async () => {
    for (const count of [0, 1, 7]) {
      const customer = await service.customer()
      const ids = await subscribed(customer, count)
      service.before_commit = async () => {
        ids.push((await service.subscribe(customer)).id)
      }
      await service.gone(customer)
      expect(ids).toHaveLength(count + 1)
      await expectEnded(customer, ids, `of ${count}`)
    }
  })

  test('refuses to create a subscription once the customer is deleted', async () => {
    const customer = await service.customer()
    service.before_commit = () => service.gone(customer)
    await expect(service.subscribe(customer)).rejects.toMatchObject({ code: 'invalid_parameter', param: 'customer' })
    await expectEnded(customer, [])
    expect(service.items('sandbox')).toEqual([])
  })

  test('voids the first capture of a subscription that is deleted meanwhile', async () => {
    const customer = await service.customer()
    service.meanwhile = () => service.gone(customer)
    const made = await service.subscribe(customer)
    expect(made.status).toBe('deleted')
    await service.runUntil(timestamp(service.now() + 3_600_000))
    await expectEnded(customer, [made.id])
    const [payment] = service.paymentsOf(made.id)
    expect(payment).toMatchObject({ status: 'cancelled', in_flight: [] })
    expect(service.voids(payment!.id)).toHaveLength(1)
  })
})

describe('endSubscriptionsOfCustomer with a failing platform', () => {
  test.each(['fail_before', 'fail_after', 'conflict'] as const)(
    '(%s) at any of its calls ends everything once when it is repeated',
    async (fate) => {
      let calls = Number.POSITIVE_INFINITY
      for (let at = 0; at <= calls; at++) {
        const customer = await service.customer()
        const ids = await subscribed(customer, 7)
        service.points.arm(failingAt(at, fate))
        await service.gone(customer).catch(() => undefined)
        service.points.disarm()
        if (at === 0) calls = service.points.calls
        if (await isThere(customer)) await service.gone(customer)
        await expectEnded(customer, ids, `at call ${at} of ${calls}`)
      }
      expect(calls).toBeGreaterThan(3)
    },
  )
})
