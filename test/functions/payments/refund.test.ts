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

const charge = async (fields: object = {}) => {
  const json = { amount: 1000, tax: 100, currency: 'JPY', payment_details: card(), ...fields }
  return (await api.request('POST /payments', { json })).body
}
const refund = (id: string, json?: object, headers: Record<string, string> = {}) =>
  api.request(`POST /payments/${id}/refund`, { json, headers })
const show = async (id: string) => (await api.request(`GET /payments/${id}`)).body

describe('POST /payments/:id/refund', () => {
  test('refunds a part, then the rest, and emits an event for each refund and for the end', async () => {
    const before = await charge()
    const part = await refund(before.id, { amount: 400, description: 'broken cup' })
    expect(part.status).toBe(200)
    const [first] = part.body.refunds
    expect(first.id).toMatch(/^ref_/)
    expect(part.text).toBe(
      JSON.stringify({
        ...before,
        amount_refunded: 400,
        refunds: [
          {
            id: first.id,
            resource: 'refund',
            amount: 400,
            currency: 'JPY',
            payment: before.id,
            description: 'broken cup',
            chargeback: false,
            status: 'succeeded',
            created_at: '2030-01-02T03:00:00Z',
          },
        ],
      }),
    )
    const rest = await refund(before.id)
    expect(rest.body).toMatchObject({
      status: 'refunded',
      amount_refunded: 1100,
      refunds: [first, { amount: 700, description: null }],
    })
    expect(await eventsOf(api, before.id)).toMatchObject([
      { type: 'payment.captured', data: before },
      { type: 'payment.refund.created', data: part.body },
      { type: 'payment.refund.created', data: rest.body },
      { type: 'payment.refunded', data: rest.body },
    ])
    expect(ledgerOf(api, before.id).slice(1)).toEqual([
      { operation: 'refund', amount: 400, result: 'done' },
      { operation: 'refund', amount: 700, result: 'done' },
    ])
    expect(refusalIn(await refund(before.id))).toEqual({ status: 422, code: 'not_refundable', param: null })
  })

  test.each(['paypay', 'merpay', 'rakutenpay', 'aupay', 'linepay', 'alipay', 'wechatpay', 'paidy'])(
    'refunds a payment by %s',
    async (type) => {
      const { id } = await charge({ payment_details: { type } })
      expect(refusalIn(await refund(id)).code).toBe('not_refundable')
      await api.request(`POST /_local/payments/${id}/pay`)
      expect((await refund(id)).body).toMatchObject({ status: 'refunded', amount_refunded: 1100 })
    },
  )

  test.each([
    ['an authorized card payment', { capture: false }],
    ['a payment that waits for 3-D Secure', { payment_details: card('4100000000000100') }],
    [
      'a prepaid payment',
      { payment_details: { type: 'bit_cash', email: 'a@example.com', prepaid_number: '12345678' } },
    ],
    ['an unpaid cash payment', { payment_details: konbini }],
  ])('refuses %s', async (_, fields) => {
    const { id } = await charge(fields)
    expect(refusalIn(await refund(id))).toEqual({ status: 422, code: 'not_refundable', param: null })
  })

  test.each([
    [{ amount: 801 }],
    [{ amount: 0 }],
    [{ amount: -5 }],
    [{ amount: null }],
    [{ amount: '' }],
    [{ amount: 1.5 }],
  ])('refuses %j when 800 is left, without a call to the acquirer', async (json) => {
    const { id } = await charge()
    const before = (await refund(id, { amount: '300' })).body
    expect(refusalIn(await refund(id, json))).toEqual({ status: 422, code: 'invalid_parameter', param: 'amount' })
    expect(await show(id)).toEqual(before)
    expect(ledgerOf(api, id)).toHaveLength(2)
  })

  test('answers 402 and releases the amount if the acquirer declines', async () => {
    const before = await charge()
    await foretell(api, before.id, { result: 'declined', code: 'other_error' })
    const reply = await refund(before.id)
    expect(refusalIn(reply)).toMatchObject({ status: 402, code: 'other_error' })
    expect(reply.body.error.details).toEqual({ payment: before.id })
    expect(await show(before.id)).toEqual(before)
    expect((await refund(before.id)).body.status).toBe('refunded')
  })

  test('answers 504 and reserves the amount if the outcome is unknown, and refunds once the outcome is known', async () => {
    const before = await charge()
    const reply = await refund(before.id, { amount: 600 }, { 'x-service-scenario': 'timeout_after_charge' })
    expect(refusalIn(reply)).toMatchObject({ status: 504, code: 'gateway_timeout' })
    expect(reply.body.error.details).toEqual({ payment: before.id })
    expect(await show(before.id)).toEqual(before)
    expect(refusalIn(await refund(before.id, { amount: 501 }))).toMatchObject({ status: 422, param: 'amount' })
    expect((await refund(before.id, { amount: 500 })).body).toMatchObject({ status: 'captured', amount_refunded: 500 })
    await api.advance(60)
    expect(await show(before.id)).toMatchObject({ status: 'refunded', amount_refunded: 1100 })
    expect(await eventTypesOf(api, before.id)).toEqual([
      'payment.captured',
      'payment.refund.created',
      'payment.refund.created',
      'payment.refunded',
    ])
  })

  test('releases the amount if the refund never arrived', async () => {
    const before = await charge()
    await refund(before.id, {}, { 'x-service-scenario': 'timeout_before_charge' })
    expect(refusalIn(await refund(before.id)).status).toBe(422)
    await api.advance(60)
    expect(await show(before.id)).toEqual(before)
    expect((await refund(before.id)).body.status).toBe('refunded')
  })

  test('never refunds more than was paid under concurrent requests, at the acquirer as well', async () => {
    const { id } = await charge()
    const replies = await Promise.all(Array.from({ length: 20 }, () => refund(id, { amount: 100 })))
    const statuses = replies.map(({ status }) => status)
    expect(statuses.filter((status) => ![200, 409, 422, 504].includes(status))).toEqual([])
    await api.advance(60)
    const asked = ledgerOf(api, id).filter(({ operation }) => operation === 'refund')
    expect(asked.length).toBe(statuses.filter((status) => status === 200 || status === 504).length)
    expect(asked.length).toBeLessThanOrEqual(11)
    const { amount_refunded, refunds } = await show(id)
    expect(amount_refunded).toBe(asked.length * 100)
    expect(new Set(refunds.map((entry: { id: string }) => entry.id)).size).toBe(asked.length)
  })

  test('refuses a payment that would become too large to be kept, and asks the acquirer for nothing', async () => {
    const { id } = await charge()
    await sendLargest((metadata) => api.request(`PATCH /payments/${id}`, { json: { metadata } }))
    expect(refusalIn(await refund(id))).toEqual({ status: 422, code: 'unprocessable_entity', param: null })
    expect(ledgerOf(api, id)).toHaveLength(1)
  })

  test('answers 503 in live mode without an acquirer', async () => {
    const reply = await replyWithoutAcquirer('POST /payments/pay_1/refund')
    expect(refusalIn(reply)).toEqual({ status: 503, code: 'service_unavailable', param: null })
  })

  test('answers 404 for an unknown id and for a payment of another mode', async () => {
    const { id } = await charge()
    expect((await refund('pay_1')).status).toBe(404)
    expect((await api.request(`POST /payments/${id}/refund`, { key: api.live.secret_key })).status).toBe(404)
  })
})
