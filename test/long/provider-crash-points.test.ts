import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { handler as chores } from '#functions/background/chores.ts'
import type { Payment } from '#shared/domain/payment.ts'
import { CrashPoints, failingAt } from '#test/faults/crash-points.ts'
import { itemsOf } from '#test/faults/witness.ts'
import { card, konbini } from '#test/fixtures/api.ts'
import { type LiveApi, openLiveApi } from '#test/fixtures/live-api.ts'
import { atStripe, StandInProvider } from '#test/fixtures/stand-in-provider.ts'
import { callWorker } from '#test/functions/background/call-worker.ts'

/**
 * Each step of a live payment is killed at each of its calls of the platform, before and after the call is done. Then
 * the client retries, the sweep runs, and the payment must agree with the provider to the yen.
 */

const crash = new CrashPoints()
let api: LiveApi
const provider = new StandInProvider()
beforeAll(async () => {
  api = await openLiveApi(crash.around)
})
beforeEach(() => {
  atStripe(provider)
})
afterEach(() => crash.disarm())
afterAll(() => api.close())

let requests = 0
const price = { amount: 1000, currency: 'JPY' }

/** Returns a function that sends a request, and sends it again under the same idempotency key. */
function request(route: string, json: object = {}): () => Promise<unknown> {
  const headers = { 'idempotency-key': `crash-${++requests}` }
  return () => api.live_request(route, { json, headers })
}

/** Returns a function that calls the worker with the message of a record that falls due. */
async function due(id: string, sk: string): Promise<() => Promise<unknown>> {
  const item = itemsOf(api, 'payment').find((each) => each.pk.endsWith(id) && each.sk.startsWith(sk))!
  const message = { kind: item.due_shard!.split('#')[1]!, pk: item.pk, sk: item.sk, due_at: item.due_at! }
  api.platform.clock.turnTo(Date.parse(message.due_at))
  return () => callWorker(chores, api, [message])
}

const operation = async (name: string, fields: object, json: object = {}) =>
  request(`POST /payments/${await api.pay(fields)}/${name}`, json)

/** The steps. Each returns what is killed. */
const steps: Readonly<Record<string, () => Promise<() => Promise<unknown>>>> = {
  'a charge': async () => request('POST /payments', { ...price, payment_details: card() }),
  'a hold': async () => request('POST /payments', { ...price, capture: false, payment_details: card() }),
  'a reservation': async () => request('POST /payments', { ...price, payment_details: konbini }),
  'a capture in part': () => operation('capture', { capture: false }, { amount: 600 }),
  'a refund in part': () => operation('refund', {}, { amount: 300 }),
  'a cancel of a hold': () => operation('cancel', { capture: false }),
  async 'a cancel of a voucher that is paid meanwhile'() {
    const id = await api.pay({ payment_details: konbini })
    provider.move(id, 'paid')
    return request(`POST /payments/${id}/cancel`)
  },
  async 'the deadline of a voucher'() {
    return due(await api.pay({ payment_details: konbini }), 'payment')
  },
  async 'the deadline of a voucher that is paid meanwhile'() {
    const id = await api.pay({ payment_details: konbini })
    provider.move(id, 'paid')
    return due(id, 'payment')
  },
  async 'the look-up of a voucher that was paid'() {
    const id = await api.pay({ payment_details: konbini })
    provider.move(id, 'paid')
    return due(id, 'attempt')
  },
  async 'the inquiry about a lost charge'() {
    provider.fault = 'after'
    const id = await api.pay()
    provider.fault = undefined
    return due(id, 'attempt')
  },
}

/** Returns how the payments of the test differ from those of the provider, one sentence each. */
async function differences(): Promise<string[]> {
  const items = itemsOf(api, 'payment').filter(({ pk, sk }) => sk === 'payment' && asked().has(pk.split('#').at(-1)!))
  return items.flatMap((item) => differencesOf(item as unknown as Payment))
}
const asked = () => new Set(provider.asked.map(({ order }) => order.payment))

function differencesOf({ id, status, in_flight, total, amount_refunded, provider: at }: Payment): string[] {
  const charges = provider.asked.filter(
    ({ call, order }) => call === 'send' && order.payment === id && order.operation === 'charge',
  )
  const keys = new Set(charges.map(({ order }) => order.key))
  const { state, returned, order } =
    charges.length > 0 ? provider.chargeOf(id) : { state: 'ended', returned: 0, order: undefined }
  const taken =
    state === 'paid' ? (status === 'captured' || status === 'refunded' ? total : order!.amount) - returned : 0
  const ours = status === 'captured' || status === 'refunded' ? total - amount_refunded : 0
  return [
    ...(at === 'stripe' ? [] : [`${id} is at ${at}`]),
    ...(keys.size > 1 ? [`${id} was charged under ${keys.size} keys`] : []),
    ...(in_flight.length > 0 ? [`${id} has an operation in flight`] : []),
    ...(taken === ours ? [] : [`${id} is ${status} with ${ours} JPY, and ${state} there with ${taken} JPY`]),
    ...(status === 'authorized' && !['held', 'waiting'].includes(state)
      ? [`${id} is authorized, and ${state} there`]
      : []),
    ...(['failed', 'cancelled', 'expired'].includes(status) && state === 'held' ? [`${id} holds money`] : []),
  ]
}

describe.each(Object.entries(steps))('%s', (_, prepare) => {
  test.each(['fail_before', 'fail_after'] as const)('that is killed at any call (%s) loses no money', async (fate) => {
    const clean = await prepare()
    crash.arm()
    await clean()
    const calls = crash.calls
    crash.disarm()
    expect(calls).toBeGreaterThan(1)
    for (let at = 1; at <= calls; at++) {
      const act = await prepare()
      crash.arm(failingAt(at, fate, { is_killed: true }))
      await act().catch(() => undefined)
      crash.disarm()
      await act().catch(() => undefined)
      await api.advance(60)
      await act().catch(() => undefined)
    }
    await api.advance(7200)
    expect(await differences()).toEqual([])
  })
})
