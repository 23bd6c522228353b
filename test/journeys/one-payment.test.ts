import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Api, card, konbini, openApi } from '#test/fixtures/api.ts'

let api: Api
beforeAll(async () => {
  api = await openApi()
})
afterAll(() => api.close())

describe('one payment from its creation to its end', () => {
  test('a konbini payment is paid at the counter and returned by a refund request', async () => {
    const { body } = await api.request('POST /payments', {
      json: { amount: 3000, currency: 'JPY', payment_details: konbini },
    })
    expect(body).toMatchObject({
      status: 'authorized',
      payment_method_fee: 190,
      total: 3190,
      payment_deadline: '2030-01-05T14:59:59Z',
    })
    expect((await api.request(`POST /_local/payments/${body.id}/pay`)).body.status).toBe('captured')
    const asked = await api.request(`POST /payments/${body.id}/refund_request`, {
      json: {
        amount: 3000,
        customer_name: 'Taro',
        bank_name: 'Mizuho',
        branch_number: '001',
        account_type: 'normal',
        account_number: '1234567',
      },
    })
    expect(asked.body.refund_requests[0]).toMatchObject({ status: 'pending', account_number: '****567', amount: 3000 })
    const done = await api.request(`POST /_local/refund_requests/${asked.body.refund_requests[0].id}`, {
      json: { status: 'completed' },
    })
    expect(done.body).toMatchObject({ amount_refunded: 3000, status: 'captured' })
  })

  test('an unpaid konbini payment expires at its deadline', async () => {
    const { body } = await api.request('POST /payments', {
      json: { amount: 3000, currency: 'JPY', payment_details: konbini },
    })
    await api.advance(4 * 86_400)
    expect((await api.request(`GET /payments/${body.id}`)).body.status).toBe('expired')
    const { body: list } = await api.request('GET /events?type=payment.expired')
    expect(list.data[0].created_at).toBe('2030-01-05T14:59:59Z')
  })

  test('a charge with an unknown outcome is resolved by an inquiry, and the same key returns the payment', async () => {
    const headers = { 'idempotency-key': 'order-1', 'x-service-scenario': 'timeout_after_charge' }
    const order = { json: { amount: 700, currency: 'JPY', payment_details: card() }, headers }
    const unknown = await api.request('POST /payments', order)
    expect(unknown.status).toBe(504)
    const { payment } = unknown.body.error.details
    expect((await api.request(`GET /payments/${payment}`)).body.status).toBe('pending')
    await api.advance(60)
    expect((await api.request(`GET /payments/${payment}`)).body.status).toBe('captured')
    const again = await api.request('POST /payments', order)
    expect(again.body).toMatchObject({ id: payment, status: 'captured' })
  })
})
