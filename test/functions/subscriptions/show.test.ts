import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { refusalIn } from '#test/faults/witness.ts'
import { type Api, card, openApi } from '#test/fixtures/api.ts'

let api: Api
beforeAll(async () => {
  api = await openApi()
})
afterAll(() => api.close())

const make = async () => {
  const person = { payment_details: card(), email: 'a@example.com', currency: 'JPY', metadata: { a: 1 } }
  const { id: customer } = (await api.request('POST /customers', { json: person })).body
  const json = { customer, amount: 1000, currency: 'JPY', period: 'monthly', metadata: { plan: 'gold' } }
  return (await api.request('POST /subscriptions', { json })).body
}
const show = (id: string) => api.request(`GET /subscriptions/${id}`)

describe('GET /subscriptions/:id', () => {
  test('returns the same subscription as its creation', async () => {
    const made = await make()
    const { status, text } = await show(made.id)
    expect([status, text]).toEqual([200, JSON.stringify(made)])
  })

  test('shows the customer and the payment source as they are now', async () => {
    const made = await make()
    const { uuid } = made.customer
    await api.advance(90)
    const changes = { email: 'b@example.com', currency: null, metadata: { b: 2 } }
    const payment_details = { ...card('5555555555554444'), month: 3, year: 2031, email: 'card@example.com' }
    await api.request(`PATCH /customers/${uuid}`, { json: { ...changes, payment_details } })
    expect((await show(made.id)).body).toEqual({
      ...made,
      customer: {
        ...made.customer,
        ...changes,
        updated_at: expect.stringMatching(/^2030-01-02T12:01:30\.000\+09:00$/),
      },
      payment_details: { type: 'credit_card', month: '3', year: '2031', email: 'card@example.com' },
    })
    await api.request(`PATCH /customers/${uuid}`, { json: { payment_details: null } })
    expect((await show(made.id)).body.payment_details).toBeNull()
  })

  test('shows a deleted customer without e-mail address and payment details', async () => {
    const made = await make()
    await api.request(`DELETE /customers/${made.customer.uuid}`)
    const { body } = await show(made.id)
    expect(body).toEqual({
      ...made,
      status: 'deleted',
      customer: { ...made.customer, email: null },
      payment_details: null,
      next_capture_at: null,
      ended_at: body.ended_at,
    })
    expect(body.ended_at).toMatch(/^2030-01-02T03:\d\d:\d\dZ$/)
  })

  test('answers 404 for an unknown id, for the id of a payment, and for a subscription of another merchant or mode', async () => {
    const made = await make()
    const { test: somebody } = await api.newMerchants()
    const asked = [
      show('sub_1'),
      show('x%23y'),
      show(made.payments[0]),
      api.request(`GET /subscriptions/${made.id}`, { key: somebody.secret_key }),
      api.request(`GET /subscriptions/${made.id}`, { key: api.live.secret_key }),
    ]
    for (const reply of await Promise.all(asked))
      expect(refusalIn(reply)).toEqual({ status: 404, code: 'not_found', param: null })
  })

  test('answers 405 to PATCH', async () => {
    const made = await make()
    const reply = await api.request(`PATCH /subscriptions/${made.id}`, { json: { amount: 1 } })
    expect(refusalIn(reply)).toMatchObject({ status: 405, code: 'method_not_allowed' })
    expect((await show(made.id)).body).toEqual(made)
  })
})
