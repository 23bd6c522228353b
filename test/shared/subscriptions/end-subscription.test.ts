import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { cancel } from '#shared/domain/payment-operations.ts'
import { captureDue } from '#shared/domain/subscription-states.ts'
import { timestamp } from '#shared/domain/timestamp.ts'
import { runOperation } from '#shared/payments/run-operation.ts'
import { failingAt } from '#test/faults/crash-points.ts'
import { numbers, Subscribing } from '#test/fixtures/subscription-fixture.ts'

let service: Subscribing
beforeEach(async () => {
  service = await Subscribing.open()
})
afterEach(() => service.close())

/** Captures the next interval of a subscription. */
async function capture(id: string) {
  const message = await service.message(id)
  service.turnTo(message.due_at)
  await service.deliver(message)
}
const anHourLater = () => service.runUntil(timestamp(service.now() + 3_600_000))

/** Creates a subscription in each status that can end. */
const in_status: Readonly<Record<string, () => Promise<string>>> = {
  async pending() {
    service.acquirer = 'cut_off_before'
    const { id } = await service.subscribe(await service.customer())
    service.acquirer = 'answers'
    return id
  },
  active: async () => (await service.subscribe(await service.customer())).id,
  async retrying() {
    const { id } = await service.subscribe(await service.customer(numbers.pays_once))
    await capture(id)
    return id
  },
  suspended: async () => (await service.subscribe(await service.customer(numbers.declined))).id,
}

describe('endSubscription', () => {
  test.each(Object.keys(in_status))(
    'ends a %s subscription now, and nothing is captured afterwards',
    async (status) => {
      const id = await in_status[status]!()
      expect((await service.kept(id)).status).toBe(status)
      const before = service.eventTypesOf(id)
      const ended = await service.end(id)
      expect(ended).toMatchObject({
        status: 'deleted',
        ended_at: timestamp(service.now()),
        retry_at: null,
        in_flight: null,
      })
      expect(captureDue(ended)).toBeUndefined()
      expect(service.eventTypesOf(id)).toEqual([...before, 'subscription.deleted'])
      const paid = service.paymentsOf(id).filter((each) => each.status === 'captured').length
      await service.runUntil('2031-01-02T03:00:00Z')
      expect(await service.kept(id)).toMatchObject({ ...ended, version: expect.any(Number) })
      expect(service.paymentsOf(id).filter((each) => each.status === 'captured')).toHaveLength(paid)
      expect(service.eventTypesOf(id)).toEqual([...before, 'subscription.deleted'])
    },
  )

  test('leaves an ended subscription unchanged, without another event', async () => {
    const id = await in_status.active!()
    const first = await service.end(id)
    const version = (await service.kept(id)).version
    service.turnTo('2030-01-05T00:00:00Z')
    const { ended_at } = await service.end(id)
    expect([ended_at, (await service.kept(id)).version]).toEqual([first.ended_at, version])
    expect(service.eventTypesOf(id).filter((type) => type === 'subscription.deleted')).toHaveLength(1)
  })

  test('emits one event for several concurrent requests', async () => {
    const id = await in_status.active!()
    const answers = await Promise.all([1, 2, 3, 4].map(() => service.end(id)))
    expect(answers.map(({ status }) => status)).toEqual(Array(4).fill('deleted'))
    expect(service.eventTypesOf(id).filter((type) => type === 'subscription.deleted')).toHaveLength(1)
  })

  test('keeps the payments', async () => {
    const id = await in_status.active!()
    const [paid] = service.paymentsOf(id)
    expect((await service.end(id)).payments).toEqual([paid!.id])
    expect(await service.payment(paid!.id)).toEqual(paid)
  })
})

describe('endSubscription with a capture in flight', () => {
  /** A subscription with a charge whose outcome is unknown. */
  async function out(fate: typeof service.acquirer) {
    const { id } = await service.subscribe(await service.customer())
    service.acquirer = fate
    await capture(id)
    service.acquirer = 'answers'
    return { id, payment: (await service.kept(id)).in_flight! }
  }

  test('cancels the payment at once, with one event, and voids the charge', async () => {
    const { id, payment } = await out('cut_off_after')
    await service.end(id)
    expect(await service.payment(payment)).toMatchObject({ status: 'cancelled', in_flight: [{ operation: 'charge' }] })
    await anHourLater()
    expect(await service.payment(payment)).toMatchObject({ status: 'cancelled', in_flight: [], captured_at: null })
    expect(service.voids(payment)).toMatchObject([{ outcome: { result: 'done' } }])
    expect(service.eventTypesOf(payment)).toEqual(['payment.cancelled'])
  })

  test('does not send a charge that never arrived', async () => {
    const { id, payment } = await out('cut_off_before')
    await service.end(id)
    await anHourLater()
    expect(service.charges(id)).toEqual({ '0-0': 'captured', '1-0': 'never_arrived' })
    expect(service.voids(payment)).toEqual([])
  })

  test('cancels a payment once that the merchant cancels too', async () => {
    const { id, payment } = await out('cut_off_after')
    service.acquirer = 'cut_off_after'
    const plan = { begin: async () => cancel(await service.payment(payment)) }
    const unknown = service.request((work, operation) => runOperation(work, operation, plan))
    await expect(unknown).rejects.toMatchObject({ code: 'gateway_timeout' })
    service.acquirer = 'answers'
    await service.end(id)
    await anHourLater()
    expect(await service.payment(payment)).toMatchObject({ status: 'cancelled', in_flight: [] })
    expect(service.eventTypesOf(payment)).toEqual(['payment.cancelled'])
    expect(service.eventTypesOf(id).at(-1)).toBe('subscription.deleted')
  })

  test('keeps a capture whose outcome is recorded just before', async () => {
    const { id, payment } = await out('cut_off_after')
    const inquiry = service.items('payment').find(({ pk, sk }) => pk.endsWith(payment) && sk.startsWith('attempt#'))!
    service.turnTo(inquiry.due_at!)
    service.before_commit = () => service.runUntil(inquiry.due_at!)
    const ended = await service.end(id)
    expect(ended).toMatchObject({ status: 'deleted', payments: { length: 2 } })
    expect(await service.payment(payment)).toMatchObject({ status: 'captured' })
    await anHourLater()
    expect(service.voids(payment)).toEqual([])
    expect(service.eventTypesOf(id).slice(-2)).toEqual(['subscription.captured', 'subscription.deleted'])
  })

  test.each(['fail_before', 'fail_after', 'conflict'] as const)(
    'after a failure (%s) at any of its calls ends the subscription once when it is repeated',
    async (fate) => {
      for (let at = 1; at <= 4; at++) {
        const { id, payment } = await out('cut_off_after')
        service.points.arm(failingAt(at, fate))
        await service.end(id).catch(() => undefined)
        service.points.disarm()
        expect(await service.end(id)).toMatchObject({ status: 'deleted' })
        await anHourLater()
        expect(service.eventTypesOf(id).slice(-2), `at call ${at}`).toEqual([
          'subscription.captured',
          'subscription.deleted',
        ])
        expect(service.eventTypesOf(payment)).toEqual(['payment.cancelled'])
        expect(service.voids(payment)).toHaveLength(1)
      }
    },
  )
})
