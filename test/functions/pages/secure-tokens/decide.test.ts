import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { RETURN_URL, see, submit } from '#test/browser/browsing.ts'
import { type Api, card, openApi } from '#test/fixtures/api.ts'

let api: Api
beforeAll(async () => {
  api = await openApi()
})
afterAll(() => api.close())

const made = async () => {
  const payment_details = card('4100000000000100')
  const json = { amount: 1000, currency: 'JPY', return_url: RETURN_URL, payment_details }
  return (await api.request('POST /secure_tokens', { json })).body
}
const statusOf = async (id: string) => (await api.request(`GET /secure_tokens/${id}`)).body.verification_status
const pay = async (id: string) =>
  (await api.request('POST /payments', { json: { amount: 1000, currency: 'JPY', payment_details: id } })).body

describe('POST /pages/secure_tokens/:merchant/:id', () => {
  test('verifies the token, which then pays once without 3-D Secure', async () => {
    const { id, authentication_url } = await made()
    const { location } = await submit(authentication_url, { decision: 'authenticate' })
    expect((await see(location!)).continues_to).toBe(`${RETURN_URL}&secure_token=${id}`)
    expect(await statusOf(id)).toBe('OK')
    expect(await pay(id)).toMatchObject({ status: 'captured' })
    expect((await pay(id)).error.code).toBe('invalid_token')
  })

  test('keeps a failed token failed, and refuses to charge it', async () => {
    const { id, authentication_url } = await made()
    await submit(authentication_url, { decision: 'fail' })
    await submit(authentication_url, { decision: 'authenticate' })
    expect(await statusOf(id)).toBe('ERRORED')
    expect((await pay(id)).error.code).toBe('invalid_token')
  })

  test('sends the customer back on "close" and lets them decide later', async () => {
    const { id, authentication_url } = await made()
    const { continues_to } = await submit(authentication_url, { decision: 'close' })
    expect(continues_to).toBe(`${RETURN_URL}&secure_token=${id}`)
    expect(await statusOf(id)).toBe('NEEDS_VERIFY')
    await submit(authentication_url, { decision: 'authenticate' })
    expect(await statusOf(id)).toBe('OK')
  })

  test('ignores a decision from another site and a decision after the token has expired', async () => {
    const { id, authentication_url } = await made()
    const foreign = await submit(authentication_url, { decision: 'authenticate' }, { origin: 'https://evil.example' })
    expect(foreign.status).toBe(403)
    expect(await statusOf(id)).toBe('NEEDS_VERIFY')
    await api.advance(3_600)
    await submit(authentication_url, { decision: 'authenticate' })
    expect((await pay(id)).error.code).toBe('invalid_token')
  })
})
