import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openSession, see, submit } from '#test/browser/browsing.ts'
import { type Api, card, openApi } from '#test/fixtures/api.ts'

let api: Api
beforeAll(async () => {
  api = await openApi()
})
afterAll(() => api.close())

describe('POST /pages/sessions/:merchant/:id/cancel', () => {
  test('cancels the session and sends the customer back to the shop', async () => {
    const { id, session_url } = await openSession(api)
    const { status, location } = await submit(`${session_url}/cancel?locale=en`, {})
    expect({ status, location }).toEqual({ status: 303, location: `${session_url}?locale=en` })
    expect((await see(location!)).continues_to).toContain(`session_id=${id}`)
    expect((await api.request(`GET /sessions/${id}`)).body.status).toBe('cancelled')
  })

  test('does not cancel a completed session', async () => {
    const { id, session_url } = await openSession(api)
    await api.request(`POST /sessions/${id}/pay`, { json: { payment_details: card() } })
    expect((await submit(`${session_url}/cancel`, {})).status).toBe(303)
    expect((await api.request(`GET /sessions/${id}`)).body.status).toBe('completed')
  })

  test('does not cancel a session whose charge has an unknown outcome, and shows no form', async () => {
    const { id, session_url } = await openSession(api)
    const headers = { 'x-service-scenario': 'timeout_after_charge' }
    const { status } = await api.request(`POST /sessions/${id}/pay`, { headers, json: { payment_details: card() } })
    expect(status).toBe(504)
    const { location } = await submit(`${session_url}/cancel`, {})
    expect(location).toContain(session_url)
    const { html } = await see(location!)
    expect(html).not.toContain('name="number"')
    expect((await api.request(`GET /sessions/${id}`)).body).toMatchObject({ status: 'pending', expired: false })
    await api.advance(3_600)
    expect((await api.request(`GET /sessions/${id}`)).body.status).toBe('completed')
  })

  test('answers 403 for a form of another site', async () => {
    const { id, session_url } = await openSession(api)
    expect((await submit(`${session_url}/cancel`, {}, { origin: 'https://evil.example' })).status).toBe(403)
    expect((await api.request(`GET /sessions/${id}`)).body.status).toBe('pending')
  })
})
