import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { PlatformUnavailable } from '#shared/platform/ports.ts'
import { eventsOf, eventTypesOf, itemsOf, ledgerOf, refusalIn } from '#test/faults/witness.ts'
import { type Api, card, konbini, openApi } from '#test/fixtures/api.ts'

let api: Api
/**
 * While this is true, the acquirer does not answer. `asked` holds the times of the inquiries in seconds of the clock.
 */
let silent = false
let asked: number[] = []

beforeAll(async () => {
  api = await openApi({
    around: (platform) => {
      const heard = (keys: readonly { pk: string }[]) => {
        if (!silent || !keys.some(({ pk }) => pk.startsWith('sandbox#'))) return
        asked.push(platform.clock.now() / 1000)
        throw new PlatformUnavailable('the acquirer is silent')
      }
      const table = new Proxy(platform.table, {
        get(target, name) {
          if (name === 'get')
            return async (keys: Parameters<typeof target.get>[0]) => {
              heard(keys)
              return target.get(keys)
            }
          const value: unknown = Reflect.get(target, name, target)
          return typeof value === 'function' ? value.bind(target) : value
        },
      })
      return { ...platform, table }
    },
  })
})
afterEach(() => {
  silent = false
  asked = []
})
afterAll(() => api.close())

const DAY = 86_400
const now = () => api.platform.clock.now() / 1000

/** Creates a payment whose charge has an unknown outcome. */
async function unknown(scenario: string, fields: object = {}): Promise<string> {
  const json = { amount: 1000, currency: 'JPY', payment_details: card(), ...fields }
  const reply = await api.request('POST /payments', { json, headers: { 'x-service-scenario': scenario } })
  expect(reply.status).toBe(504)
  return reply.body.error.details.payment
}
const show = async (id: string) => (await api.request(`GET /payments/${id}`)).body
const attemptsOf = (id: string) => itemsOf(api, 'payment').filter(({ pk, sk }) => pk.endsWith(id) && sk !== 'payment')
const unresolved = (id: string) =>
  api.logs.filter(({ event, payment }) => event === 'charge_unresolved' && payment === id)

describe('resolveAttempt with a silent acquirer', () => {
  test('inquires after 1 minute, 5 minutes, 1 hour and daily five times, and then logs one error', async () => {
    const id = await unknown('timeout_after_charge')
    const began = now()
    silent = true
    await api.advance(4 * DAY)
    expect(unresolved(id)).toEqual([])
    await api.advance(16 * DAY)
    expect(asked.map((at) => at - began)).toEqual([60, 360, 3960, ...[1, 2, 3, 4, 5].map((days) => 3960 + days * DAY)])
    const ids = { merchant: api.test.id, payment: id }
    const lines = api.logs.filter(({ unresolved_seconds }) => unresolved_seconds !== undefined)
    const waits = asked.map((at) => at - began)
    expect(lines).toEqual([
      ...waits
        .slice(0, -1)
        .map((wait) => ({ level: 'info', event: 'charge_unknown', ...ids, unresolved_seconds: wait })),
      { level: 'error', event: 'charge_unresolved', ...ids, unresolved_seconds: waits.at(-1) },
    ])
    expect((await show(id)).status).toBe('pending')
    expect(attemptsOf(id)).toMatchObject([{ inquiries: 8, inquire_at: null, outcome: null }])
    expect(attemptsOf(id)[0]).not.toHaveProperty('due_at')
  })

  test('records the outcome at the first inquiry that is answered', async () => {
    const id = await unknown('timeout_after_charge')
    const began = now()
    silent = true
    await api.advance(2 * DAY)
    silent = false
    await api.advance(DAY)
    expect((await show(id)).status).toBe('captured')
    const [{ created_at }] = (await api.request('GET /events?type=payment.captured')).body.data
    expect(Date.parse(created_at) / 1000 - began).toBe(3960 + 2 * DAY)
    expect(unresolved(id)).toEqual([])
  })

  test('keeps the amount of a refund reserved until its outcome is known', async () => {
    const json = { amount: 1000, currency: 'JPY', payment_details: card() }
    const { id } = (await api.request('POST /payments', { json })).body
    const refund = (amount: number, headers: Record<string, string> = {}) =>
      api.request(`POST /payments/${id}/refund`, { json: { amount }, headers })
    await refund(600, { 'x-service-scenario': 'timeout_after_charge' })
    silent = true
    await api.advance(3 * DAY)
    silent = false
    expect(refusalIn(await refund(401))).toMatchObject({ status: 422, param: 'amount' })
    await api.advance(DAY)
    expect(await show(id)).toMatchObject({ amount_refunded: 600, status: 'captured' })
    expect(ledgerOf(api, id).filter(({ operation }) => operation === 'refund')).toHaveLength(1)
  })
})

describe('resolveAttempt of a late success', () => {
  test('voids the charge after the deadline, and the payment stays expired', async () => {
    const id = await unknown('timeout_after_charge', { payment_details: { ...konbini, expiry_days: 0 } })
    silent = true
    await api.advance(DAY)
    expect((await show(id)).status).toBe('expired')
    silent = false
    await api.advance(2 * DAY)
    expect(await show(id)).toMatchObject({ status: 'expired' })
    expect(ledgerOf(api, id)).toEqual([
      { operation: 'charge', amount: 1190, result: 'authorized' },
      { operation: 'void', amount: 1000, result: 'done' },
    ])
    expect(await eventTypesOf(api, id)).toEqual(['payment.expired'])
    expect(attemptsOf(id).map(({ outcome }) => outcome !== null)).toEqual([true, true])
  })

  test('voids the charge after a cancel, and resolves every attempt', async () => {
    const id = await unknown('timeout_after_charge')
    silent = true
    const cancelled = await api.request(`POST /payments/${id}/cancel`)
    expect([cancelled.status, (await show(id)).status]).toEqual([504, 'pending'])
    silent = false
    await api.advance(DAY)
    expect((await show(id)).status).not.toBe('pending')
    expect(ledgerOf(api, id).some(({ operation, result }) => operation === 'void' && result === 'done')).toBe(true)
    expect(attemptsOf(id).every(({ outcome }) => outcome !== null)).toBe(true)
  })
})

describe('resolveAttempt of an operation that never arrived', () => {
  test('fails the payment, and the acquirer rejects the order from then on', async () => {
    const id = await unknown('timeout_before_charge')
    await api.advance(60)
    expect((await show(id)).status).toBe('failed')
    expect(ledgerOf(api, id)).toMatchObject([{ result: 'never_arrived' }])
  })

  test('sends a void that never arrived', async () => {
    const json = { amount: 1000, currency: 'JPY', capture: false, payment_details: card() }
    const { id } = (await api.request('POST /payments', { json })).body
    await api.request(`POST /payments/${id}/cancel`, { headers: { 'x-service-scenario': 'timeout_before_charge' } })
    expect(ledgerOf(api, id)).toHaveLength(1)
    await api.advance(60)
    expect(ledgerOf(api, id).at(-1)).toEqual({ operation: 'void', amount: 1000, result: 'done' })
    expect((await show(id)).status).toBe('cancelled')
  })
})

describe('expiry at the deadline', () => {
  test.each([
    ['an authorized card', { capture: false }, 30],
    ['a konbini payment', { payment_details: konbini }, 3],
    ['a wallet', { payment_details: { type: 'paypay' } }, 1],
    ['3-D Secure', { payment_details: card('4100000000000100') }, 1],
  ])('of %s comes at the deadline and not before', async (_, fields, days) => {
    const json = { amount: 1000, currency: 'JPY', payment_details: card(), ...fields }
    const { body: before } = await api.request('POST /payments', { json })
    const japanese_day = Math.floor((now() + 9 * 3600) / DAY)
    const deadline = (japanese_day + days + 1) * DAY - 9 * 3600 - 1
    expect(Date.parse(before.payment_deadline) / 1000).toBe(deadline)
    await api.advance(deadline - now() - 1)
    expect((await show(before.id)).status).toBe(before.status)
    await api.advance(1)
    expect(await show(before.id)).toEqual({ ...before, status: 'expired' })
    const event = (await eventsOf(api, before.id)).at(-1)
    expect(event).toMatchObject({
      type: 'payment.expired',
      created_at: before.payment_deadline,
      data: { status: 'expired' },
    })
  })

  test('voids the authorization of a card', async () => {
    const json = { amount: 1000, tax: 100, currency: 'JPY', capture: false, payment_details: card() }
    const { id } = (await api.request('POST /payments', { json })).body
    await api.advance(32 * DAY)
    expect(ledgerOf(api, id)).toEqual([
      { operation: 'charge', amount: 1100, result: 'authorized' },
      { operation: 'void', amount: 1100, result: 'done' },
    ])
    expect(await eventTypesOf(api, id)).toEqual(['payment.authorized', 'payment.expired'])
  })

  test.each([
    ['captured', {}],
    ['failed', { payment_details: card('4123111111111000') }],
  ])('does not affect a payment that is %s', async (status, fields) => {
    const json = { amount: 1000, currency: 'JPY', payment_details: card(), ...fields }
    const { body } = await api.request('POST /payments', { json })
    const id = body.id ?? body.error.details.payment
    await api.advance(40 * DAY)
    expect((await show(id)).status).toBe(status)
  })

  test('waits for a capture in flight, and follows if nothing was captured', async () => {
    const json = { amount: 1000, currency: 'JPY', capture: false, payment_details: card() }
    const { id, payment_deadline } = (await api.request('POST /payments', { json })).body
    await api.advance(Date.parse(payment_deadline) / 1000 - now() - 30)
    await api.request(`POST /payments/${id}/capture`, { headers: { 'x-service-scenario': 'timeout_before_charge' } })
    await api.advance(30)
    expect((await show(id)).status).toBe('authorized')
    await api.advance(DAY)
    expect((await show(id)).status).toBe('expired')
  })

  test('comes in time if the deadline falls into a minute that a sweep has passed', async () => {
    await api.advance(3600)
    const day_end = (Math.floor((now() + 9 * 3600) / DAY) + 1) * DAY - 9 * 3600 - 1
    await api.advance(day_end - now() - 100)
    await unknown('timeout_before_charge')
    await api.advance(60)
    const json = { amount: 1000, currency: 'JPY', payment_details: { ...konbini, expiry_days: 0 } }
    const { id, payment_deadline } = (await api.request('POST /payments', { json })).body
    expect(Date.parse(payment_deadline) / 1000 - now()).toBe(40)
    await api.advance(40)
    expect((await show(id)).status).toBe('expired')
  })
})

describe('a void that the acquirer declines', () => {
  test('is repeated to the end of the inquiry schedule, and then logged as an error', async () => {
    const json = { amount: 1000, currency: 'JPY', capture: false, payment_details: card() }
    const { id, payment_deadline } = (await api.request('POST /payments', { json })).body
    const declined = { result: 'declined', code: 'other_error' }
    const row = {
      pk: `sandbox#${api.test.id}#${id}-3`,
      sk: 'sandbox',
      version: 1,
      operation: 'void',
      outcome: declined,
    }
    await api.platform.table.write([{ put: row, was: 0 }])
    await api.advance(Date.parse(payment_deadline) / 1000 - now() + 4 * DAY)
    expect((await show(id)).status).toBe('expired')
    const errors = () => api.logs.filter(({ event, payment }) => event === 'charge_unresolved' && payment === id)
    expect(errors()).toHaveLength(0)
    await api.advance(3 * DAY)
    expect(errors()).toHaveLength(1)
  })
})
