import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { RETURN_URL, see } from '#test/browser/browsing.ts'
import { type Api, card, openApi } from '#test/fixtures/api.ts'

let api: Api
beforeAll(async () => {
  api = await openApi()
})
afterAll(() => api.close())

const made = async (number?: string) => {
  const json = { amount: 1000, currency: 'JPY', return_url: RETURN_URL, payment_details: card(number) }
  return (await api.request('POST /secure_tokens', { json })).body
}
const statusOf = async (id: string) => (await api.request(`GET /secure_tokens/${id}`)).body.verification_status

describe('GET /pages/secure_tokens/:merchant/:id', () => {
  test('sends the customer of a card without 3-D Secure straight back', async () => {
    const { id, authentication_url } = await made()
    expect(await statusOf(id)).toBe('NEEDS_VERIFY')
    expect((await see(authentication_url)).continues_to).toBe(`${RETURN_URL}&secure_token=${id}`)
    expect(await statusOf(id)).toBe('SKIPPED')
  })

  test('asks for the decision if the card needs 3-D Secure, and changes nothing by itself', async () => {
    const { id, authentication_url } = await made('4100000000000100')
    const { html, continues_to } = await see(authentication_url)
    for (const decision of ['authenticate', 'fail', 'close']) expect(html).toContain(`value="${decision}"`)
    expect(continues_to).toBeUndefined()
    expect(html).not.toContain('4100000000000100')
    expect(await statusOf(id)).toBe('NEEDS_VERIFY')
  })

  test('shows no form after an hour and sends the customer back', async () => {
    const { id, authentication_url } = await made('4100000000000100')
    await api.advance(3_600)
    const { html, continues_to } = await see(authentication_url)
    expect(html).not.toContain('value="authenticate"')
    expect(continues_to).toBe(`${RETURN_URL}&secure_token=${id}`)
  })
})
