import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { decideAt } from '#test/browser/customer-decision.ts'
import { card, type Service } from '#test/fixtures/api.ts'

/** Journeys of payments. */
export function paymentJourneys(service: () => Service): void {
  describe('payments', () => {
    const post = (path: string, json?: unknown) => service().request(`POST ${path}`, json ? { json } : {})
    const show = async (id: string) => (await service().request(`GET /payments/${id}`)).body
    const held = async () =>
      (await post('/payments', { amount: 1000, tax: 'auto', currency: 'JPY', capture: false, payment_details: card() }))
        .body
    const eventsOf = async (id: string): Promise<{ id: string; type: string; data: object }[]> => {
      const { body } = await service().request('GET /events?per_page=100')
      return body.data.filter((event: { data: { id: string } }) => event.data.id === id)
    }
    const eventTypesOf = async (id: string) => (await eventsOf(id)).map(({ type }) => type)

    test('a card payment is authorized, captured in part, and refunded in two parts', async () => {
      const { id, ...payment } = await held()
      expect(payment).toMatchObject({ status: 'authorized', amount: 1000, tax: 100, total: 1100, captured_at: null })
      const captured = await post(`/payments/${id}/capture`, { amount: 800 })
      expect(captured.body).toMatchObject({ status: 'captured', amount: 800, tax: 100, total: 900 })
      const part = await service().request(`POST /payments/${id}/refund`, { form: { amount: '500' } })
      expect(part.body).toMatchObject({ status: 'captured', amount_refunded: 500 })
      const over = await post(`/payments/${id}/refund`, { amount: 401 })
      expect(over.body.error).toMatchObject({ code: 'invalid_parameter', param: 'amount' })
      const rest = await post(`/payments/${id}/refund`)
      expect(rest.body).toMatchObject({ status: 'refunded', amount_refunded: 900 })
      expect(rest.body.refunds.map((refund: { amount: number }) => refund.amount)).toEqual([500, 400])
      expect((await post(`/payments/${id}/refund`)).body.error.code).toBe('not_refundable')
      expect(await show(id)).toEqual(rest.body)
      expect(await eventTypesOf(id)).toEqual([
        'payment.refunded',
        'payment.refund.created',
        'payment.refund.created',
        'payment.captured',
        'payment.authorized',
      ])
    })

    test('a cancelled authorization cannot be captured', async () => {
      const { id } = await held()
      expect((await post(`/payments/${id}/cancel`)).body.status).toBe('cancelled')
      expect((await post(`/payments/${id}/capture`)).body.error.code).toBe('not_capturable')
      expect((await post(`/payments/${id}/cancel`)).body.error.code).toBe('not_cancellable')
      expect(await eventTypesOf(id)).toEqual(['payment.cancelled', 'payment.authorized'])
    })

    test('a declined card leaves a failed payment, which shows the reason in GET, the list and the event', async () => {
      const external_order_num = `declined-${randomUUID()}`
      const order = { amount: 100, currency: 'JPY', external_order_num, payment_details: card('4123111111111059') }
      const { status, body } = await post('/payments', order)
      const { code, message, details } = body.error
      expect([status, code]).toEqual([402, 'card_declined'])
      const declined = await show(details.payment)
      const reason = { failure_code: code, failure_message: message }
      expect(declined).toMatchObject({ status: 'failed', amount_refunded: 0, ...reason })
      const list = await service().request(`GET /payments?external_order_num=${external_order_num}`)
      expect(list.body.data).toEqual([declined])
      const [event, ...others] = await eventsOf(declined.id)
      expect([event?.type, event?.data, others]).toEqual(['payment.failed', declined, []])
    })

    test.each([
      ['fails 3-D Secure', 'fail', card('4100000000000100'), 'failed_authentication'],
      ['declines at the wallet', 'decline', { type: 'paypay' }, 'refused_by_customer'],
    ])('a payment whose customer %s shows that as the reason', async (_, decision, payment_details, failure_code) => {
      const { body } = await post('/payments', { amount: 100, currency: 'JPY', payment_details })
      expect(body).toMatchObject({ status: 'pending', failure_code: null, failure_message: null })
      await decideAt(body.payment_details.redirect_url, decision)
      const failure_message = expect.stringMatching(/^The customer/)
      expect(await show(body.id)).toMatchObject({ status: 'failed', failure_code, failure_message })
    })

    test('a payment by a method without refunds is returned by a refund request', async () => {
      const bit_cash = { type: 'bit_cash', email: 'taro@example.com', prepaid_number: '1234567890123456' }
      const { body } = await post('/payments', { amount: 3000, currency: 'JPY', payment_details: bit_cash })
      expect(body).toMatchObject({ status: 'captured', payment_details: { last_four_digits: '3456' } })
      expect((await post(`/payments/${body.id}/refund`)).body.error.code).toBe('not_refundable')
      const account = {
        customer_name: 'Taro',
        bank_name: 'Mizuho',
        branch_number: '001',
        account_type: 'normal',
        account_number: '1234567',
      }
      const asked = await post(`/payments/${body.id}/refund_request`, { amount: 2000, ...account })
      expect(asked.body.refund_requests).toMatchObject([
        { status: 'pending', amount: 2000, account_number: '****567', customer_name: 'Taro' },
      ])
      const over = await post(`/payments/${body.id}/refund_request`, { amount: 1001, ...account })
      expect(over.body.error).toMatchObject({ code: 'invalid_parameter', param: 'amount' })
      expect(await eventTypesOf(body.id)).toEqual(['payment.updated', 'payment.captured'])
    })

    test('the notes of a merchant are returned unchanged, and an event shows the payment as it was then', async () => {
      const { id } = await held()
      const notes = {
        description: '決済 👩‍👩‍👧',
        external_order_num: 'A-1',
        metadata: { constructor: 'c', n: 1, 'a.b': '' },
      }
      const { body } = await service().request(`PATCH /payments/${id}`, { json: notes })
      expect(body).toMatchObject(notes)
      expect(await show(id)).toEqual(body)
      const [updated, authorized] = await eventsOf(id)
      expect(updated).toMatchObject({ type: 'payment.updated', data: body })
      expect(authorized).toMatchObject({ data: { description: null, external_order_num: null, metadata: {} } })
      expect((await service().request(`GET /events/${authorized!.id}`)).body).toEqual(authorized)
    })
  })
}
