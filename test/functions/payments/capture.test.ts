import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eventsOf, eventTypesOf, foretell, ledgerOf, refusalIn } from '#test/faults/witness.ts'
import { type Api, card, konbini, openApi } from '#test/fixtures/api.ts'
import { sendLargest } from '#test/fixtures/large-metadata.ts'
import { replyWithoutAcquirer } from '#test/fixtures/without-acquirer.ts'

let api: Api
beforeAll(async () => {
  api = await openApi()
})
afterAll(() => api.close())

const hold = async (fields: object = {}) => {
  const json = { amount: 1000, tax: 100, currency: 'JPY', capture: false, payment_details: card(), ...fields }
  const { body } = await api.request('POST /payments', { json })
  return body.id ? body : { id: body.error.details.payment }
}
const capture = (id: string, json?: object, headers: Record<string, string> = {}) =>
  api.request(`POST /payments/${id}/capture`, { json, headers })
const show = async (id: string) => (await api.request(`GET /payments/${id}`)).body

describe('POST /payments/:id/capture', () => {
  test('captures the whole authorized amount without a body, and emits payment.captured', async () => {
    const before = await hold()
    await api.advance(60)
    const { status, text, body } = await capture(before.id)
    expect(status).toBe(200)
    expect(body.captured_at > before.created_at).toBe(true)
    expect(text).toBe(JSON.stringify({ ...before, status: 'captured', captured_at: body.captured_at }))
    expect(await eventsOf(api, before.id)).toMatchObject([
      { type: 'payment.authorized', data: before },
      { type: 'payment.captured', data: body },
    ])
    expect(ledgerOf(api, before.id)).toEqual([
      { operation: 'charge', amount: 1100, result: 'authorized' },
      { operation: 'capture', amount: 1100, result: 'done' },
    ])
  })

  test.each([
    [{ amount: 600 }, { amount: 600, tax: 100, total: 700 }],
    [
      { amount: 600, tax: 60 },
      { amount: 600, tax: 60, total: 660 },
    ],
    [
      { amount: '600', tax: 'auto' },
      { amount: 600, tax: 60, total: 660 },
    ],
    [{ amount: 1050 }, { amount: 1050, tax: 50, total: 1100 }],
    [{ tax: 0 }, { amount: 1000, tax: 0, total: 1000 }],
  ])('captures the part %j, which becomes the amount of the payment', async (json, expected) => {
    const { id } = await hold()
    expect((await capture(id, json)).body).toMatchObject({ status: 'captured', ...expected })
    expect(ledgerOf(api, id).at(-1)).toMatchObject({ operation: 'capture', amount: expected.total })
    expect((await api.request(`POST /payments/${id}/refund`)).body).toMatchObject({
      status: 'refunded',
      amount_refunded: expected.total,
    })
  })

  test.each([
    [{ amount: 1101 }, 'amount'],
    [{ amount: 1000, tax: 101 }, 'tax'],
    [{ tax: 101 }, 'tax'],
    [{ amount: 0 }, 'amount'],
    [{ amount: null }, 'amount'],
    [{ amount: '' }, 'amount'],
    [{ tax: null }, 'tax'],
    [{ tax: -1 }, 'tax'],
  ])('refuses %j without a call to the acquirer', async (json, param) => {
    const before = await hold()
    expect(refusalIn(await capture(before.id, json))).toEqual({ status: 422, code: 'invalid_parameter', param })
    expect(await show(before.id)).toEqual(before)
    expect(ledgerOf(api, before.id)).toHaveLength(1)
  })

  test.each([
    ['captured', { capture: true }],
    ['pending', { payment_details: card('4100000000000100') }],
    ['failed', { payment_details: card('4123111111111000') }],
    ['authorized', { payment_details: konbini }],
  ])('refuses a payment that is %s, unless it is an authorized card payment', async (status, fields) => {
    const { id } = await hold(fields)
    expect((await show(id)).status).toBe(status)
    expect(refusalIn(await capture(id))).toEqual({ status: 422, code: 'not_capturable', param: null })
  })

  test('answers 402 and keeps the payment authorized if the acquirer declines', async () => {
    const before = await hold()
    await foretell(api, before.id, { result: 'declined', code: 'exceeds_limit' })
    const reply = await capture(before.id)
    expect(refusalIn(reply)).toEqual({ status: 402, code: 'exceeds_limit', param: null })
    expect(reply.body.error.details).toEqual({ payment: before.id })
    expect(await show(before.id)).toEqual(before)
    expect(await eventTypesOf(api, before.id)).toEqual(['payment.authorized'])
    expect((await capture(before.id)).body.status).toBe('captured')
  })

  test('answers 504 if the outcome is unknown, refuses other operations with 409, and captures once the outcome is known', async () => {
    const before = await hold()
    const reply = await capture(before.id, { amount: 600 }, { 'x-service-scenario': 'timeout_after_charge' })
    expect(refusalIn(reply)).toMatchObject({ status: 504, code: 'gateway_timeout' })
    expect(reply.body.error.details).toEqual({ payment: before.id })
    expect(await show(before.id)).toEqual(before)
    expect(refusalIn(await capture(before.id))).toMatchObject({ status: 409, code: 'conflict' })
    expect(refusalIn(await api.request(`POST /payments/${before.id}/cancel`)).status).toBe(409)
    await api.advance(60)
    expect(await show(before.id)).toMatchObject({ status: 'captured', amount: 600, total: 700 })
    expect(await eventTypesOf(api, before.id)).toEqual(['payment.authorized', 'payment.captured'])
  })

  test('keeps the payment authorized if the capture never arrived', async () => {
    const before = await hold()
    await capture(before.id, {}, { 'x-service-scenario': 'timeout_before_charge' })
    await api.advance(60)
    expect(await show(before.id)).toEqual(before)
    expect((await capture(before.id)).body.status).toBe('captured')
  })

  test('captures once under concurrent requests', async () => {
    const { id } = await hold()
    const replies = await Promise.all(Array.from({ length: 8 }, () => capture(id)))
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(ledgerOf(api, id).filter(({ operation }) => operation === 'capture')).toHaveLength(1)
    expect(await eventTypesOf(api, id)).toEqual(['payment.authorized', 'payment.captured'])
  })

  test('answers 402 to a retry with the same idempotency key if the capture never arrived', async () => {
    const { id } = await hold()
    const headers = { 'idempotency-key': 'never arrived' }
    await capture(id, {}, { ...headers, 'x-service-scenario': 'timeout_before_charge' })
    await api.advance(60)
    const reply = await capture(id, {}, headers)
    expect(refusalIn(reply)).toEqual({ status: 402, code: 'other_error', param: null })
    expect(reply.body.error.details).toEqual({ payment: id })
  })

  test('refuses a payment that would become too large to be kept, and asks the acquirer for nothing', async () => {
    const { id } = await hold()
    await sendLargest((metadata) => api.request(`PATCH /payments/${id}`, { json: { metadata } }))
    expect(refusalIn(await capture(id))).toEqual({ status: 422, code: 'unprocessable_entity', param: null })
    expect(ledgerOf(api, id)).toHaveLength(1)
  })

  test('answers 503 in live mode without an acquirer', async () => {
    const reply = await replyWithoutAcquirer('POST /payments/pay_1/capture')
    expect(refusalIn(reply)).toEqual({ status: 503, code: 'service_unavailable', param: null })
  })

  test('answers 404 for an unknown id and for a payment of another mode', async () => {
    const { id } = await hold()
    expect((await capture('pay_1')).status).toBe(404)
    expect((await api.request(`POST /payments/${id}/capture`, { key: api.live.secret_key })).status).toBe(404)
  })
})
