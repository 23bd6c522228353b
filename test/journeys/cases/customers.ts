import { describe, expect, test } from 'vitest'
import { card, type Service } from '#test/fixtures/api.ts'

/** Journeys of customers and of the tokens that carry their payment details. */
export function customerJourneys(service: () => Service): void {
  describe('customers', () => {
    const request: Service['request'] = (route, options) => service().request(route, options)
    const order = { amount: 500, currency: 'JPY' }
    const tokenOf = async (number?: string): Promise<string> =>
      (await request('POST /tokens', { json: { payment_details: card(number) } })).body.id

    test('a customer is created from a token, charged, given another card, and deleted', async () => {
      const token = await tokenOf()
      const email = 'hanako@example.com'
      const made = await request('POST /customers', { json: { payment_details: token, email, metadata: { n: 1 } } })
      const source = { type: 'credit_card', brand: 'visa', last_four_digits: '1111', month: 12, year: 2035 }
      expect(made.body).toMatchObject({ resource: 'customer', email, source, metadata: { n: 1 } })
      const { id } = made.body
      const again = await request('POST /customers', { json: { payment_details: token } })
      expect([again.status, again.body.error.code]).toEqual([422, 'invalid_token'])

      const paid = await request('POST /payments', { json: { ...order, customer: id } })
      expect(paid.body).toMatchObject({
        status: 'captured',
        customer: id,
        payment_details: { last_four_digits: '1111' },
      })
      const declines = { payment_details: card('4123111111111000') }
      const changed = await request(`PATCH /customers/${id}`, { json: declines })
      expect(changed.body).toMatchObject({ email, source: { last_four_digits: '1000' } })
      const declined = await request('POST /payments', { json: { ...order, customer: id } })
      expect([declined.status, declined.body.error.code]).toEqual([402, 'insufficient_funds'])

      const gone = await request(`DELETE /customers/${id}`)
      expect(gone.body).toMatchObject({ id, email, source: null })
      expect((await request(`GET /customers/${id}`)).status).toBe(404)
      const after = await request('POST /payments', { json: { ...order, customer: id } })
      expect([after.status, after.body.error.param]).toEqual([422, 'customer'])
      expect((await request(`GET /payments?customer=${id}`)).body.total).toBe(2)
      const events = (await request('GET /events?type=customer.created,customer.updated,customer.deleted')).body.data
      expect(events.map(({ type, data }: { type: string; data: object }) => [type, data])).toEqual([
        ['customer.deleted', gone.body],
        ['customer.updated', changed.body],
        ['customer.created', made.body],
      ])
    })

    test('a token is consumed by a charge that fails, but not by a refusal before the charge', async () => {
      const token = await tokenOf('4123111111111059')
      const pay = async (fields: object) => {
        const { status, body } = await request('POST /payments', { json: { ...fields, payment_details: token } })
        return [status, body.error.code]
      }
      expect(await pay({ currency: 'JPY' })).toEqual([422, 'missing_parameter'])
      expect(await pay(order)).toEqual([402, 'card_declined'])
      expect(await pay(order)).toEqual([422, 'invalid_token'])
    })
  })
}
