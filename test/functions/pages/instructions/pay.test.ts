import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { see, submit } from '#test/browser/browsing.ts'
import { type Api, konbini, openApi } from '#test/fixtures/api.ts'

let api: Api
beforeAll(async () => {
  api = await openApi()
})
afterAll(() => api.close())

const reserved = async () => {
  const json = { amount: 1000, currency: 'JPY', payment_details: konbini }
  const { id, payment_details } = (await api.request('POST /payments', { json })).body
  return { id, url: payment_details.instructions_url as string }
}
const statusOf = async (id: string) => (await api.request(`GET /payments/${id}`)).body.status

describe('POST /pages/instructions/:merchant/:id', () => {
  test('captures the payment once', async () => {
    const { id, url } = await reserved()
    const { status, location } = await submit(`${url}?locale=en`, {})
    expect({ status, location }).toEqual({ status: 303, location: `${url}?locale=en` })
    expect(await statusOf(id)).toBe('captured')
    expect((await submit(url, {})).status).toBe(303)
    expect((await see(url)).status).toBe(200)
    const { body } = await api.request('GET /events?type=payment.captured')
    expect(body.total).toBe(1)
  })

  test('does not capture a cancelled payment', async () => {
    const { id, url } = await reserved()
    await api.request(`POST /payments/${id}/cancel`)
    await submit(url, {})
    expect(await statusOf(id)).toBe('cancelled')
  })

  test('answers 403 for a form of another site', async () => {
    const { id, url } = await reserved()
    expect((await submit(url, {}, { origin: 'https://evil.example' })).status).toBe(403)
    expect(await statusOf(id)).toBe('authorized')
  })
})
