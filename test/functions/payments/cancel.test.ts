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

const make = async (fields: object = {}, headers: Record<string, string> = {}) => {
  const json = { amount: 1000, currency: 'JPY', payment_details: card(), ...fields }
  const { body } = await api.request('POST /payments', { json, headers })
  return body.id ? body : (await api.request(`GET /payments/${body.error.details.payment}`)).body
}
const cancel = (id: string, headers: Record<string, string> = {}) =>
  api.request(`POST /payments/${id}/cancel`, { headers })
const show = async (id: string) => (await api.request(`GET /payments/${id}`)).body

describe('POST /payments/:id/cancel', () => {
  test.each([
    ['an authorized card payment', { capture: false }],
    ['an unpaid konbini payment', { payment_details: konbini }],
    ['a pending wallet payment', { payment_details: { type: 'paypay' } }],
    ['a payment that waits for 3-D Secure', { payment_details: card('4100000000000100') }],
  ])('cancels %s and emits payment.cancelled', async (_, fields) => {
    const before = await make(fields)
    const { status, text, body } = await cancel(before.id)
    expect(status).toBe(200)
    expect(text).toBe(JSON.stringify({ ...before, status: 'cancelled' }))
    expect((await eventsOf(api, before.id)).at(-1)).toMatchObject({ type: 'payment.cancelled', data: body })
    expect(ledgerOf(api, before.id).at(-1)).toEqual({ operation: 'void', amount: 1000, result: 'done' })
    expect(refusalIn(await cancel(before.id))).toEqual({ status: 422, code: 'not_cancellable', param: null })
    expect((await api.request(`POST /_local/payments/${before.id}/pay`)).body.error.code).toBe('not_capturable')
  })

  test.each([
    ['captured', {}],
    ['failed', { payment_details: card('4123111111111000') }],
  ])('refuses a payment that is %s', async (status, fields) => {
    const { id } = await make(fields)
    expect((await show(id)).status).toBe(status)
    expect(refusalIn(await cancel(id))).toEqual({ status: 422, code: 'not_cancellable', param: null })
  })

  test('answers 402 and keeps the payment unchanged if the acquirer declines', async () => {
    const before = await make({ capture: false })
    await foretell(api, before.id, { result: 'declined', code: 'other_error' })
    expect(refusalIn(await cancel(before.id))).toMatchObject({ status: 402, code: 'other_error' })
    expect(await show(before.id)).toEqual(before)
  })

  test.each(['timeout_before_charge', 'timeout_after_charge'])(
    'answers 504 after %s and cancels once the outcome is known',
    async (scenario) => {
      const before = await make({ capture: false })
      const reply = await cancel(before.id, { 'x-service-scenario': scenario })
      expect(refusalIn(reply)).toMatchObject({ status: 504, code: 'gateway_timeout' })
      expect(reply.body.error.details).toEqual({ payment: before.id })
      expect(await show(before.id)).toEqual(before)
      expect(refusalIn(await cancel(before.id))).toMatchObject({ status: 409, code: 'conflict' })
      await api.advance(60)
      expect((await show(before.id)).status).toBe('cancelled')
      expect(await eventTypesOf(api, before.id)).toEqual(['payment.authorized', 'payment.cancelled'])
      expect(ledgerOf(api, before.id).filter(({ operation }) => operation === 'void')).toHaveLength(1)
    },
  )

  test('cancels a payment whose charge has an unknown outcome, and voids the charge', async () => {
    const { id } = await make({}, { 'x-service-scenario': 'timeout_after_charge' })
    expect((await cancel(id)).body.status).toBe('cancelled')
    await api.advance(86_400)
    expect((await show(id)).status).toBe('cancelled')
    expect(await eventTypesOf(api, id)).toEqual(['payment.cancelled'])
    expect(ledgerOf(api, id).some(({ operation, result }) => operation === 'void' && result === 'done')).toBe(true)
  })

  test('cancels a payment whose charge never arrived, and nothing is charged later', async () => {
    const { id } = await make({}, { 'x-service-scenario': 'timeout_before_charge' })
    expect((await cancel(id)).body.status).toBe('cancelled')
    await api.advance(86_400)
    expect(await eventTypesOf(api, id)).toEqual(['payment.cancelled'])
    expect(ledgerOf(api, id).filter(({ operation }) => operation === 'charge')).toEqual([
      { operation: 'charge', amount: 0, result: 'declined' },
    ])
  })

  test('applies one of a concurrent cancel and capture', async () => {
    const { id } = await make({ capture: false })
    const replies = await Promise.all([cancel(id), api.request(`POST /payments/${id}/capture`)])
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1)
    const { status } = await show(id)
    expect(await eventTypesOf(api, id)).toEqual(['payment.authorized', `payment.${status}`])
    expect(ledgerOf(api, id)).toHaveLength(2)
  })

  test('refuses a payment that would become too large to be kept, and asks the acquirer for nothing', async () => {
    const { id } = await make({ capture: false })
    await sendLargest((metadata) => api.request(`PATCH /payments/${id}`, { json: { metadata } }))
    expect(refusalIn(await cancel(id))).toEqual({ status: 422, code: 'unprocessable_entity', param: null })
    expect(ledgerOf(api, id)).toHaveLength(1)
  })

  test('answers 503 in live mode without an acquirer', async () => {
    const reply = await replyWithoutAcquirer('POST /payments/pay_1/cancel')
    expect(refusalIn(reply)).toEqual({ status: 503, code: 'service_unavailable', param: null })
  })

  test('answers 404 for an unknown id and for a payment of another mode', async () => {
    const { id } = await make({ capture: false })
    expect((await cancel('pay_1')).status).toBe(404)
    expect((await api.request(`POST /payments/${id}/cancel`, { key: api.live.secret_key })).status).toBe(404)
  })
})
