import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { decideAt } from '#test/browser/customer-decision.ts'
import { eventTypesOf, ledgerOf, refusalIn } from '#test/faults/witness.ts'
import { type Api, card, konbini, openApi } from '#test/fixtures/api.ts'
import { sendLargest } from '#test/fixtures/large-metadata.ts'

let api: Api
beforeAll(async () => {
  api = await openApi()
})
afterAll(() => api.close())

const make = async (fields: object = {}) =>
  (await api.request('POST /sessions', { json: { amount: 1000, currency: 'JPY', ...fields } })).body
const pay = (id: string, payment_details: object = card()) =>
  api.request(`POST /sessions/${id}/pay`, { json: { payment_details } })
const cancel = (id: string, key = api.test.secret_key) => api.request(`POST /sessions/${id}/cancel`, { key })
const show = async (id: string) => (await api.request(`GET /sessions/${id}`)).body

describe('POST /sessions/:id/cancel', () => {
  test('returns the cancelled session, also when it is repeated', async () => {
    const before = await make()
    const { status, text, body } = await cancel(before.id)
    expect(status).toBe(200)
    expect(text).toBe(JSON.stringify({ ...before, status: 'cancelled', cancelled_at: '2030-01-02T03:00:00Z' }))
    expect(await show(before.id)).toEqual(body)
    await api.advance(60)
    expect((await cancel(before.id)).text).toBe(text)
  })

  test.each([
    ['a wallet', { type: 'paypay' }],
    ['3-D Secure', card('4100000000000100')],
  ])('cancels a payment that waits for %s and voids the charge', async (_, details) => {
    const { id } = await make()
    const { body: waiting } = await pay(id, details)
    const { status, body } = await cancel(id)
    expect(status).toBe(200)
    expect(body).toMatchObject({ status: 'cancelled', payment: { id: waiting.payment.id, status: 'cancelled' } })
    await decideAt(waiting.redirect_url, 'approve')
    await decideAt(waiting.redirect_url, 'authenticate')
    await api.advance(120)
    expect(await show(id)).toEqual(body)
    expect(await eventTypesOf(api, waiting.payment.id)).toEqual(['payment.cancelled'])
    expect(ledgerOf(api, waiting.payment.id)).toMatchObject([
      { operation: 'charge', result: 'pending' },
      { operation: 'void', amount: 1000, result: 'done' },
    ])
  })

  test('keeps the failed payment of a declined try', async () => {
    const { id } = await make()
    const { payment } = (await pay(id, card('4123111111111000'))).body
    expect((await cancel(id)).body).toMatchObject({ status: 'cancelled', payment })
  })

  test.each([
    ['paid by card', card()],
    ['reserved in cash', konbini],
  ])('refuses a session that is %s', async (_, details) => {
    const { id } = await make()
    await pay(id, details)
    const before = await show(id)
    expect(refusalIn(await cancel(id))).toEqual({ status: 422, code: 'not_cancellable', param: null })
    expect(await show(id)).toEqual(before)
  })

  test('cancels a session in mode customer', async () => {
    const { id } = await make({ mode: 'customer' })
    expect((await cancel(id)).body).toMatchObject({ status: 'cancelled', customer_id: null })
    expect((await pay(id)).status).toBe(422)
    expect((await show(id)).customer_id).toBe(null)
  })

  test('cancels an expired session, which then no longer shows as expired', async () => {
    const { id } = await make({ expires_in_seconds: 1 })
    await api.advance(1)
    expect((await cancel(id)).body).toMatchObject({ status: 'cancelled', expired: false })
  })

  test('refuses a publishable key', async () => {
    const { id } = await make()
    expect((await cancel(id, api.test.publishable_key)).status).toBe(403)
    expect((await show(id)).status).toBe('pending')
  })

  test('answers 409 for a session whose payment is in flight, and keeps the session pending', async () => {
    const { id } = await make()
    const headers = { 'x-service-scenario': 'timeout_after_charge' }
    await api.request(`POST /sessions/${id}/pay`, { json: { payment_details: card() }, headers })
    expect(refusalIn(await cancel(id))).toEqual({ status: 409, code: 'conflict', param: null })
    expect((await show(id)).status).toBe('pending')
  })

  test('refuses a session that would become too large to be kept', async () => {
    const json = { amount: 1000, currency: 'JPY' }
    const { body } = await sendLargest((metadata) => api.request('POST /sessions', { json: { ...json, metadata } }))
    expect(refusalIn(await cancel(body.id))).toEqual({ status: 422, code: 'unprocessable_entity', param: null })
    expect((await show(body.id)).status).toBe('pending')
  })

  test('answers 404 for an unknown id and for a session of another merchant or mode', async () => {
    const { id } = await make()
    const { test: other } = await api.newMerchants()
    expect((await cancel('ses_1')).status).toBe(404)
    for (const key of [other.secret_key, api.live.secret_key]) expect((await cancel(id, key)).status).toBe(404)
    expect((await show(id)).status).toBe('pending')
  })
})
