import { describe, expect, test } from 'vitest'
import { decideAt } from '#test/browser/customer-decision.ts'
import { card, konbini, type Service } from '#test/fixtures/api.ts'

/** Journeys of sessions and of secure tokens. */
export function sessionJourneys(service: () => Service): void {
  describe('sessions', () => {
    const order = { amount: 1000, currency: 'JPY', return_url: 'https://shop.example.com/done' }
    const post = (path: string, json?: unknown) => service().request(`POST ${path}`, json ? { json } : {})
    const make = async (fields: object = {}): Promise<string> =>
      (
        await post('/sessions', {
          ...order,
          line_items: [{ description: 'お茶' }],
          metadata: { a: 1, 鍵: 'x' },
          ...fields,
        })
      ).body.id
    const pay = (id: string, payment_details: unknown) => post(`/sessions/${id}/pay`, { payment_details })
    const show = async (id: string) => (await service().request(`GET /sessions/${id}`)).body
    const payment = async (id: string) => (await service().request(`GET /payments/${id}`)).body

    test('a card is declined, a wallet payment is abandoned, and another card pays', async () => {
      const id = await make()
      const declined = await pay(id, card('4123111111111000'))
      expect(declined.body).toMatchObject({ redirect_url: null, status: 'pending', error: expect.any(String) })
      const left = (await pay(id, { type: 'paypay' })).body
      expect(left).toMatchObject({ status: 'pending', redirect_url: left.payment.payment_details.redirect_url })
      const paid = await pay(id, card())
      expect(paid.body).toMatchObject({ redirect_url: `${order.return_url}?session_id=${id}`, status: 'completed' })
      expect((await payment(left.payment.id)).status).toBe('cancelled')
      expect(await show(id)).toMatchObject({ status: 'completed', payment: paid.body.payment })
      expect((await pay(id, konbini)).text).toBe(paid.text)
      expect((await post(`/sessions/${id}/cancel`)).body.error.code).toBe('not_cancellable')
    })

    test('a wallet payment is approved on its page and completes the session', async () => {
      const id = await make()
      const { redirect_url, payment: waiting } = (await pay(id, { type: 'paypay' })).body
      expect((await decideAt(redirect_url, 'approve')).status).toBe(303)
      expect(await show(id)).toMatchObject({ status: 'completed', payment: { id: waiting.id, status: 'captured' } })
    })

    test('ten concurrent tries create one payment', async () => {
      const id = await make()
      const replies = await Promise.all(Array.from({ length: 10 }, () => pay(id, card())))
      const { payment: paid, status } = await show(id)
      expect(status).toBe('completed')
      for (const { status, body } of replies) if (status === 200) expect(body.payment.id).toBe(paid.id)
      const { body } = await service().request('GET /payments?per_page=100')
      expect(body.data.filter((each: { session: string }) => each.session === id)).toHaveLength(1)
    })

    test('a cancelled session cannot be paid', async () => {
      const id = await make()
      expect((await post(`/sessions/${id}/cancel`)).body).toMatchObject({ id, status: 'cancelled' })
      expect((await pay(id, card())).status).toBe(422)
    })

    test('a customer stores a card, which is charged later', async () => {
      const id = await make({ mode: 'customer', amount: undefined, currency: undefined })
      expect((await pay(id, card())).body.status).toBe('completed')
      const { customer_id: customer } = await show(id)
      expect((await post('/payments', { amount: 500, currency: 'JPY', customer })).body.status).toBe('captured')
    })

    test('a secure token is verified by its customer and pays once', async () => {
      const made = await post('/secure_tokens', { ...order, payment_details: card('4100000000000100') })
      const { id, authentication_url } = made.body
      const use = () => post('/payments', { amount: 1000, currency: 'JPY', payment_details: id })
      expect((await use()).body.error.code).toBe('invalid_token')
      await decideAt(authentication_url, 'authenticate')
      expect((await service().request(`GET /secure_tokens/${id}`)).body.verification_status).toBe('OK')
      expect((await use()).body.status).toBe('captured')
      expect((await use()).body.error.code).toBe('invalid_token')
    })
  })
}
