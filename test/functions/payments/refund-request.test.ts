import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { allKept, eventsOf, refusalIn } from '#test/faults/witness.ts'
import { type Api, card, konbini, openApi } from '#test/fixtures/api.ts'
import { sendLargest } from '#test/fixtures/large-metadata.ts'

let api: Api
beforeAll(async () => {
  api = await openApi()
})
afterAll(() => api.close())

const email = 'taro@example.com'
const names = { family_name: 'Y', family_name_kana: 'ワイ', given_name: 'T', given_name_kana: 'ティー' }

const request = {
  amount: 300,
  customer_name: 'Taro Yamada',
  bank_name: 'Mizuho',
  branch_number: '001',
  account_type: 'normal',
  account_number: '1234567',
}

/** Creates a payment of 1,000 JPY and pays it if its payment type waits for the customer. */
const paid = async (payment_details: object = konbini) => {
  const json = { amount: 1000, currency: 'JPY', payment_details }
  const { body } = await api.request('POST /payments', { json })
  return body.status === 'captured' ? body : (await api.request(`POST /_local/payments/${body.id}/pay`)).body
}
const ask = (id: string, fields: object = {}) =>
  api.request(`POST /payments/${id}/refund_request`, { json: { ...request, ...fields } })

describe('POST /payments/:id/refund_request', () => {
  test('returns the payment with the request, and emits payment.updated with it', async () => {
    const before = await paid()
    const { status, text, body } = await ask(before.id, {
      bank_code: '0001',
      branch_name: 'Ginza',
      include_payment_method_fee: 'true',
      description: 'broken cup',
    })
    expect(status).toBe(200)
    const [record] = body.refund_requests
    expect(record.id).toMatch(/^rrq_/)
    expect(JSON.parse(text)).toEqual({ ...before, refund_requests: [record] })
    expect(JSON.stringify(record)).toBe(
      JSON.stringify({
        id: record.id,
        resource: 'refund_request',
        ...request,
        account_number: '****567',
        bank_code: '0001',
        branch_name: 'Ginza',
        include_payment_method_fee: true,
        description: 'broken cup',
        status: 'pending',
        created_at: '2030-01-02T03:00:00Z',
      }),
    )
    expect((await eventsOf(api, before.id)).at(-1)).toMatchObject({ type: 'payment.updated', data: body })
    expect(allKept(api)).not.toContain('1234567')
  })

  test('sets optional fields to null and excludes the fee by default', async () => {
    const { id } = await paid()
    expect((await ask(id)).body.refund_requests).toMatchObject([
      { bank_code: null, branch_name: null, include_payment_method_fee: false, description: null },
    ])
  })

  test.each([
    konbini,
    { type: 'pay_easy', email, phone: '1', ...names },
    { type: 'bank_transfer', email, phone: '1', ...names },
    { type: 'bit_cash', email, prepaid_number: '12345678' },
    { type: 'net_cash', email, prepaid_number: '12345678' },
    { type: 'web_money', email, prepaid_number: '12345678' },
    { type: 'retailer_account', user_no: '7', user_password: 'x' },
    { type: 'paysafe_cash', email },
    { type: 'mobile', email },
    { type: 'japan_mobile', email, brand: 'au' },
  ])('accepts a payment by %j', async (payment_details) => {
    const { id } = await paid(payment_details)
    expect((await ask(id)).status).toBe(200)
  })

  test.each([[card()], [{ type: 'paypay' }], [{ type: 'paidy' }]])(
    'refuses a payment by %j, which is refunded by POST /payments/:id/refund',
    async (details) => {
      const { id } = await paid(details)
      expect(refusalIn(await ask(id))).toEqual({ status: 422, code: 'not_refundable', param: null })
    },
  )

  test('refuses an unpaid payment', async () => {
    const json = { amount: 1000, currency: 'JPY', payment_details: konbini }
    const { body } = await api.request('POST /payments', { json })
    expect(refusalIn(await ask(body.id))).toMatchObject({ status: 422, code: 'not_refundable' })
  })

  test('refuses an amount if refunds and pending requests would exceed the total', async () => {
    const { id, total } = await paid()
    const limit = `At most ${total} JPY can be refunded, in the smallest unit of the currency. Refunds already made`
    expect((await ask(id, { amount: total + 1 })).body.error.message).toBe(`${limit} are deducted.`)
    const first = (await ask(id)).body.refund_requests[0].id
    await ask(id, { amount: 400 })
    const too_much = { status: 422, code: 'invalid_parameter', param: 'amount' }
    const refused = await ask(id, { amount: total - 699 })
    expect(refusalIn(refused)).toEqual(too_much)
    expect(refused.body.error.message).toContain('Refunds already made and pending refund requests are deducted.')
    await api.request(`POST /_local/refund_requests/${first}`, { json: { status: 'completed' } })
    expect(refusalIn(await ask(id, { amount: total - 699 }))).toEqual(too_much)
    expect((await ask(id, { amount: total - 700 })).status).toBe(200)
  })

  test('never requests more than was paid under concurrent requests', async () => {
    const { id, total } = await paid()
    const replies = await Promise.all(Array.from({ length: 6 }, () => ask(id)))
    const { refund_requests } = (await api.request(`GET /payments/${id}`)).body
    expect(refund_requests).toHaveLength(replies.filter(({ status }) => status === 200).length)
    expect(refund_requests.length * 300).toBeLessThanOrEqual(total)
  })

  test.each([
    [{ amount: undefined }, 'missing_parameter', 'amount'],
    [{ amount: null }, 'invalid_parameter', 'amount'],
    [{ amount: 1191 }, 'invalid_parameter', 'amount'],
    [{ customer_name: undefined }, 'missing_parameter', 'customer_name'],
    [{ bank_name: undefined }, 'missing_parameter', 'bank_name'],
    [{ branch_number: undefined }, 'missing_parameter', 'branch_number'],
    [{ account_type: undefined }, 'missing_parameter', 'account_type'],
    [{ account_type: 'ordinary' }, 'invalid_parameter', 'account_type'],
    [{ account_number: undefined }, 'missing_parameter', 'account_number'],
    [{ include_payment_method_fee: 'maybe' }, 'invalid_parameter', 'include_payment_method_fee'],
  ])('refuses %j with %s of %s', async (fields, code, param) => {
    const { id } = await paid()
    expect(refusalIn(await ask(id, fields))).toEqual({ status: 422, code, param })
  })

  test('refuses a payment that would become too large to be kept', async () => {
    const { id } = await paid()
    await sendLargest((metadata) => api.request(`PATCH /payments/${id}`, { json: { metadata } }))
    expect(refusalIn(await ask(id))).toEqual({ status: 422, code: 'unprocessable_entity', param: null })
    expect((await api.request(`GET /payments/${id}`)).body.refund_requests).toEqual([])
  })

  test('answers 404 for an unknown id and for a payment of another mode', async () => {
    const { id } = await paid()
    expect((await ask('pay_1')).status).toBe(404)
    const reply = await api.request(`POST /payments/${id}/refund_request`, { key: api.live.secret_key, json: request })
    expect(reply.status).toBe(404)
  })
})
