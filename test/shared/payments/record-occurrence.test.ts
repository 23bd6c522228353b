import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Outcome, Payment, PaymentStatus } from '#shared/domain/payment.ts'
import type { Subscription } from '#shared/domain/subscription.ts'
import { recordOccurrence } from '#shared/payments/record-occurrence.ts'
import { type Change, changedIn } from '#shared/store/change.ts'
import { subscriptions } from '#shared/store/subscriptions.ts'
import { numbers, Subscribing } from '#test/fixtures/subscription-fixture.ts'

let service: Subscribing
/** A subscription whose second interval is in flight at the acquirer as `payment`. */
let waiting: Subscription
let payment: Payment
beforeAll(async () => {
  service = await Subscribing.open()
  const { id } = await service.subscribe(await service.customer())
  const message = await service.message(id)
  service.turnTo(message.due_at)
  service.acquirer = 'cut_off_before'
  await service.deliver(message)
  waiting = await service.kept(id)
  payment = await service.payment(waiting.in_flight!)
})
afterAll(() => service.close())

const as = (status: PaymentStatus, fields: Partial<Payment> = {}): Payment => ({ ...payment, ...fields, status })
const becomes = (next: Payment, outcome: Outcome, before = payment) =>
  recordOccurrence(service.work(), before, next, outcome)

/** The only change, which is of the subscription. */
function subscriptionIn(changes: readonly Change[]) {
  expect(changes).toHaveLength(1)
  const [change] = changes as [Change]
  expect([change.kind, change.must_record]).toEqual([subscriptions, true])
  return { next: changedIn(changes, subscriptions)!, events: change.events }
}

describe('recordOccurrence of the payment in flight', () => {
  test('captures the subscription when the payment is captured', async () => {
    const { next, events } = subscriptionIn(await becomes(as('captured'), { result: 'captured' }))
    expect(next).toMatchObject({ status: 'active', interval: 2, in_flight: null, version: waiting.version })
    expect(next.payments).toEqual([...waiting.payments, payment.id])
    expect(events).toEqual(['subscription.captured'])
  })

  test.each<[PaymentStatus, Outcome]>([
    ['failed', { result: 'declined', code: 'insufficient_funds' }],
    ['failed', { result: 'declined', code: 'fraudulent' }],
    ['cancelled', { result: 'done' }],
  ])('fails the interval when the payment is %s (%j)', async (status, outcome) => {
    const { next, events } = subscriptionIn(await becomes(as(status), outcome))
    expect(next).toMatchObject({ status: 'retrying', retry_count: 1, interval: 1, in_flight: null })
    expect(next.payments).toEqual(waiting.payments)
    expect(events).toEqual(['subscription.failed'])
  })

  test('leaves the interval to another try if the order never arrived', async () => {
    const { next, events } = subscriptionIn(await becomes(as('failed'), { result: 'never_arrived' }))
    expect(next).toEqual({ ...waiting, in_flight: null })
    expect(events).toEqual([])
  })

  test('updates the customer that the subscription shows', async () => {
    await service.update(waiting.customer.uuid, { email: 'new@example.com' })
    await service.pays(waiting.customer.uuid, numbers.other)
    const { next } = subscriptionIn(await becomes(as('captured'), { result: 'captured' }))
    expect(next.customer.email).toBe('new@example.com')
  })
})

describe('recordOccurrence', () => {
  test('changes nothing as long as the payment is open', async () => {
    expect(await becomes(as('pending'), { result: 'pending' })).toEqual([])
  })

  test('changes nothing when a settled payment changes', async () => {
    expect(await becomes(as('refunded'), { result: 'done' }, as('captured'))).toEqual([])
    expect(await becomes(as('cancelled'), { result: 'captured' }, as('cancelled'))).toEqual([])
  })

  test('changes nothing for a payment that is not of a subscription, or not the one in flight', async () => {
    expect(await becomes(as('captured', { occurrence: null }), { result: 'captured' })).toEqual([])
    const earlier = { id: 'pay_0000000000earlier' }
    expect(await becomes(as('captured', earlier), { result: 'captured' }, as('pending', earlier))).toEqual([])
    const unknown = { occurrence: { subscription: 'sub_000000000unknown', interval: 1, try: 0 } }
    expect(await becomes(as('captured', unknown), { result: 'captured' })).toEqual([])
  })
})
