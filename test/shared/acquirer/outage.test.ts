import { beforeEach, describe, expect, test } from 'vitest'
import { DuplicateOrder, OutcomeUnknown } from '#shared/acquirer/acquirer.ts'
import { refuseDuringOutage, withOutages } from '#shared/acquirer/outage.ts'
import type { Outcome } from '#shared/domain/payment.ts'
import { itemsOf, refusalIn } from '#test/faults/witness.ts'
import { card } from '#test/fixtures/api.ts'
import { orderRecord } from '#test/fixtures/records.ts'
import { openStripeApi } from '#test/fixtures/stripe-api.ts'

let now = 0
let clock = newClock()
beforeEach(() => {
  clock = newClock()
})

function newClock() {
  now = 0
  return { now: () => now, wait: async () => {} }
}

/** Sends one operation, which the acquirer answers with `outcome`, or does not answer. */
const send = (outcome: Outcome | OutcomeUnknown) =>
  withOutages(
    {
      repeats: new Set(),
      accepts() {},
      inquire: async () => ({ result: 'done' }),
      send: async () => answer(outcome),
      verify: async () => answer(outcome) as never,
    },
    clock,
  )
    .send(orderRecord(), 1_000)
    .catch(() => undefined)

function answer(outcome: Outcome | OutcomeUnknown): Outcome {
  if (outcome instanceof OutcomeUnknown) throw outcome
  return outcome
}

const unanswered = async (times: number) => {
  for (let time = 0; time < times; time++) await send(new OutcomeUnknown())
}

const refused = (): number | null => {
  try {
    refuseDuringOutage(clock)
    return null
  } catch (error) {
    return (error as { retry_after_seconds: number }).retry_after_seconds
  }
}

describe('refuseDuringOutage', () => {
  test('lets operations through until five in a row got no answer', async () => {
    await unanswered(4)
    expect(refused()).toBeNull()
    await unanswered(1)
    expect(refused()).toBe(30)
  })

  test.each([
    ['an outcome', { result: 'captured' }],
    ['a decline', { result: 'declined', code: 'card_declined' }],
    ['an answer that does not say the outcome', new DuplicateOrder()],
  ] as const)('counts from the start after %s', async (_what, outcome) => {
    await unanswered(4)
    await send(outcome)
    await unanswered(4)
    expect(refused()).toBeNull()
  })

  test('lets one operation through every 30 seconds, until one is answered', async () => {
    await unanswered(5)
    now += 29_999
    expect(refused()).toBe(1)
    now += 1
    expect([refused(), refused()]).toEqual([null, 30])
    await unanswered(1)
    now += 30_000
    expect([refused(), refused()]).toEqual([null, 30])
    await send({ result: 'done' })
    expect([refused(), refused()]).toEqual([null, null])
  })
})

describe('while a provider does not answer', () => {
  test('live operations are refused before anything is stored, and test mode goes on', async () => {
    const api = await openStripeApi()
    try {
      const paid = await api.pay(card('4242424242424242'))
      const json = { amount: 1000, currency: 'JPY', payment_details: card('4242424242424242') }
      const charge = async () => refusalIn(await api.ask('POST /payments', json))?.status ?? 200
      api.emulator.faults.plan({ fault: 'never_arrives', call: 'any', times: 10_000 })
      for (let time = 0; time < 5; time++) expect(await charge()).toBe(504)
      const stored = itemsOf(api, 'payment').length
      const token = { ...json, return_url: 'https://shop.example/done' }
      const replies = [
        await api.ask('POST /payments', json),
        await api.ask(`POST /payments/${paid.id}/refund`),
        await api.ask('POST /secure_tokens', token),
      ]
      expect(replies.map(({ status, headers }) => [status, headers.get('retry-after')])).toEqual(
        Array(3).fill([503, '30']),
      )
      expect(itemsOf(api, 'payment')).toHaveLength(stored)
      expect((await api.request('POST /payments', { json: { ...json, payment_details: card() } })).status).toBe(200)
      await api.advance(30)
      expect([await charge(), await charge()]).toEqual([504, 503])
      api.emulator.faults.clear()
      await api.advance(30)
      expect([await charge(), await charge()]).toEqual([200, 200])
    } finally {
      await api.close()
    }
  })
})
