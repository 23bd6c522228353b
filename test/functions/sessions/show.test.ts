import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { refusalIn } from '#test/faults/witness.ts'
import { type Api, card, openApi } from '#test/fixtures/api.ts'

let api: Api
beforeAll(async () => {
  api = await openApi()
})
afterAll(() => api.close())

const order = { amount: 1000, currency: 'JPY' }
const make = async (fields: object = {}) =>
  (await api.request('POST /sessions', { json: { ...order, ...fields } })).body
const show = (id: string, key = api.test.secret_key) => api.request(`GET /sessions/${id}`, { key })

describe('GET /sessions/:id', () => {
  test('returns the same session as its creation', async () => {
    const made = await make({ metadata: { a: 1 }, line_items: [{ description: 'tea' }] })
    expect(await show(made.id)).toMatchObject({ status: 200, text: JSON.stringify(made) })
  })

  test('shows the payment of a completed session as GET /payments/:id shows it', async () => {
    const { id } = await make()
    await api.request(`POST /sessions/${id}/pay`, { json: { payment_details: card() } })
    const { body } = await show(id)
    expect(body).toMatchObject({ status: 'completed', completed_at: '2030-01-02T03:00:00Z', cancelled_at: null })
    expect(body.payment).toEqual((await api.request(`GET /payments/${body.payment.id}`)).body)
    await api.request(`POST /payments/${body.payment.id}/refund`, { json: {} })
    expect((await show(id)).body).toMatchObject({ status: 'completed', payment: { status: 'refunded' } })
  })

  test('accepts a publishable key from a browser', async () => {
    const made = await make()
    const { status, body, headers } = await show(made.id, api.test.publishable_key)
    expect([status, headers.get('access-control-allow-origin')]).toEqual([200, '*'])
    expect(body).toEqual(made)
  })

  test('shows a session as expired from the second in which it expires', async () => {
    const { id } = await make({ expires_in_seconds: 60 })
    await api.advance(59)
    expect((await show(id)).body).toMatchObject({ status: 'pending', expired: false })
    await api.advance(1)
    expect((await show(id)).body).toMatchObject({ status: 'pending', expired: true })
  })

  test('expires after a day by default', async () => {
    const { id } = await make()
    await api.advance(86_399)
    expect((await show(id)).body.expired).toBe(false)
    await api.advance(1)
    expect((await show(id)).body.expired).toBe(true)
  })

  test('never shows a completed session as expired', async () => {
    const { id } = await make({ expires_in_seconds: 60 })
    await api.request(`POST /sessions/${id}/pay`, { json: { payment_details: card() } })
    await api.advance(3_600)
    expect((await show(id)).body).toMatchObject({ status: 'completed', expired: false })
  })

  test('answers 404 for an unknown id and for a session of another merchant or mode', async () => {
    const { id } = await make()
    const { test: other } = await api.newMerchants()
    const not_found = { status: 404, code: 'not_found', param: null }
    expect(refusalIn(await show('ses_1'))).toEqual(not_found)
    for (const key of [other.secret_key, other.publishable_key, api.live.secret_key, api.live.publishable_key])
      expect(refusalIn(await show(id, key))).toEqual(not_found)
  })
})
