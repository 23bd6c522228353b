import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { OutcomeUnknown } from '#shared/acquirer/acquirer.ts'
import type { Reports } from '#shared/acquirer/reports.ts'
import { event_types, polled_types } from '#shared/acquirer/stripe/event-types.ts'
import { stripeReports } from '#shared/acquirer/stripe/reports.ts'
import { timestamp } from '#shared/domain/timestamp.ts'
import { stripeAt } from '#test/fixtures/stripe/sdk.ts'
import { type EmulatedAcquirer, emulatedAcquirer } from './emulated-acquirer.ts'

const WITHIN_MS = 10_000

let emulated: EmulatedAcquirer
let reports: Reports
beforeAll(async () => {
  emulated = await emulatedAcquirer()
  reports = stripeReports(emulated.access)
})
afterAll(() => emulated.stop())
beforeEach(() => {
  emulated.emulator.faults.clear()
  emulated.lines.length = 0
})

/** Charges a card, and returns the ids of the payment, its PaymentIntent and its charge. */
async function charged() {
  const order = emulated.charge()
  const { reference } = await emulated.send(order)
  const intent = emulated.emulator.account.payment_intents.get(reference!)!
  return { payment: order.payment, intent: intent.id, charge: String(intent.latest_charge) }
}

const sdk = () => stripeAt(emulated)

describe('report', () => {
  test('returns the ids and the state of the payment of a PaymentIntent, a charge and a refund', async () => {
    const { payment, intent, charge } = await charged()
    const { id: refund } = await sdk().refunds.create({ payment_intent: intent, amount: 300 })
    const refunds = [{ reference: refund, amount: 300, key: null }]
    const expected = { merchant: 'mer_1', payment, reference: intent, state: { state: 'paid', amount: 1100, refunds } }
    expect(await reports.report('payment_intent.succeeded', intent, WITHIN_MS)).toEqual(expected)
    expect(await reports.report('charge.refunded', charge, WITHIN_MS)).toEqual(expected)
    expect(await reports.report('refund.created', refund, WITHIN_MS)).toEqual(expected)
  })

  test('reports no refund after a capture in part, whose rest Stripe lists as a refund', async () => {
    const order = emulated.charge({ capture: false })
    const { reference } = await emulated.send(order)
    await sdk().paymentIntents.capture(reference!, { amount_to_capture: 800 })
    expect((await sdk().refunds.list({ payment_intent: reference! })).data).toHaveLength(1)
    const { state } = (await reports.report('payment_intent.succeeded', reference!, WITHIN_MS))!
    expect(state).toEqual({ state: 'paid', amount: 800, refunds: [] })
  })

  test('reads all refunds of a payment, page by page', async () => {
    const { intent } = await charged()
    for (let n = 0; n < 101; n++) await sdk().refunds.create({ payment_intent: intent, amount: 1 })
    const { state } = (await reports.report('payment_intent.succeeded', intent, WITHIN_MS))!
    expect(state.refunds).toHaveLength(101)
  })

  test('returns null for an object that is unknown or belongs to no payment of this stage', async () => {
    const { intent: foreign } = await charged()
    emulated.emulator.account.payment_intents.get(foreign)!.metadata.stage = 'other'
    const { id: bare } = await sdk().paymentIntents.create({ amount: 100, currency: 'jpy' })
    for (const [type, id] of [
      ['payment_intent.succeeded', foreign],
      ['payment_intent.succeeded', bare],
      ['payment_intent.succeeded', 'pi_unknown'],
      ['charge.refunded', 'ch_unknown'],
      ['refund.created', 're_unknown'],
      ['charge.dispute.created', 'dp_1'],
      ['account.updated', 'acct_1'],
    ] as const)
      expect(await reports.report(type, id, WITHIN_MS), `${type} ${id}`).toBeNull()
    expect(emulated.lines).toEqual([])
  })

  test.each(['never_arrives', 'cut_mid_body', 'not_json', 'unexecuted_500', 'rate_limit', 'key_rolled'] as const)(
    'is unknown after %s',
    async (fault) => {
      const { intent } = await charged()
      emulated.emulator.faults.plan({ fault, call: 'paymentIntents.retrieve' })
      await expect(reports.report('payment_intent.succeeded', intent, WITHIN_MS)).rejects.toThrow(OutcomeUnknown)
    },
  )

  test('raises an alarm for a status that is unknown', async () => {
    const { intent } = await charged()
    Object.assign(emulated.emulator.account.payment_intents.get(intent)!, { status: 'reviewing' })
    await expect(reports.report('payment_intent.succeeded', intent, WITHIN_MS)).rejects.toThrow(OutcomeUnknown)
    expect(emulated.lines).toEqual([
      expect.objectContaining({
        level: 'error',
        event: 'acquirer_unexpected',
        record: intent,
        provider_code: 'status',
      }),
    ])
  })
})

describe('since', () => {
  test('lists the events of payments since a time, newest first, page by page', async () => {
    emulated.clock.advance(3_600)
    const from = timestamp(emulated.clock.now())
    for (let n = 0; n < 110; n++) await charged()
    const first = await reports.since(from, null, WITHIN_MS)
    expect(first.events).toHaveLength(100)
    const listed = [...first.events]
    for (let { next } = first; next !== null; ) {
      const page = await reports.since(from, next, WITHIN_MS)
      listed.push(...page.events)
      next = page.next
    }
    const own = [...emulated.emulator.account.events.values()].filter(
      ({ type, created }) => polled_types.includes(type) && created >= Date.parse(from) / 1000,
    )
    expect(listed.map(({ id }) => id)).toEqual(own.map(({ id }) => id).reverse())
    expect(listed[0]).toMatchObject({ account: null, is_live: false, created_at: from })
  })

  test('is unknown while Stripe does not respond, and raises an alarm if Stripe refuses the page', async () => {
    const from = timestamp(emulated.clock.now())
    emulated.emulator.faults.plan({ fault: 'never_arrives', call: 'events.list' })
    await expect(reports.since(from, null, WITHIN_MS)).rejects.toThrow(OutcomeUnknown)
    expect(emulated.lines).toEqual([])
    await expect(reports.since(from, 'evt_unknown', WITHIN_MS)).rejects.toThrow(OutcomeUnknown)
    expect(emulated.lines).toEqual([expect.objectContaining({ event: 'acquirer_refused', record: 'events' })])
  })
})

test('a list of events is filtered by at most 20 types, all of which are taken', () => {
  expect(polled_types.length).toBeLessThanOrEqual(20)
  expect(polled_types.every((type) => event_types.has(type))).toBe(true)
})
