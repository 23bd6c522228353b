import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { decideAt } from '#test/browser/customer-decision.ts'
import { refusalIn } from '#test/faults/witness.ts'
import { type Api, card, openApi } from '#test/fixtures/api.ts'

let api: Api
beforeAll(async () => {
  api = await openApi()
})
afterAll(() => api.close())

const make = async (number = '4100000000000100') => {
  const json = { amount: 1000, currency: 'JPY', return_url: 'https://shop.example.com/', payment_details: card(number) }
  return (await api.request('POST /secure_tokens', { json })).body
}
const show = (id: string, key = api.test.secret_key) => api.request(`GET /secure_tokens/${id}`, { key })

describe('GET /secure_tokens/:id', () => {
  test('shows the status of the verification', async () => {
    const { id, authentication_url } = await make()
    const { status, text } = await show(id)
    expect(status).toBe(200)
    const seen = { id, resource: 'secure_token', verification_status: 'NEEDS_VERIFY' }
    expect(text).toBe(JSON.stringify({ ...seen, created_at: '2030-01-02T03:00:00Z' }))
    await decideAt(authentication_url, 'close')
    expect((await show(id)).body.verification_status).toBe('NEEDS_VERIFY')
    await decideAt(authentication_url, 'authenticate')
    expect((await show(id)).body.verification_status).toBe('OK')
    await decideAt(authentication_url, 'fail')
    expect((await show(id)).body.verification_status).toBe('OK')
  })

  test('keeps a failed token failed', async () => {
    const { id, authentication_url } = await make()
    await decideAt(authentication_url, 'fail')
    await decideAt(authentication_url, 'authenticate')
    expect((await show(id)).body.verification_status).toBe('ERRORED')
  })

  test('skips the verification of a card without 3-D Secure when its customer visits the page', async () => {
    const { id, authentication_url } = await make('4111111111111111')
    expect((await show(id)).body.verification_status).toBe('NEEDS_VERIFY')
    const text = await (await fetch(authentication_url)).text()
    expect(text).toContain(`https://shop.example.com/?secure_token=${id}`)
    expect((await show(id)).body.verification_status).toBe('SKIPPED')
  })

  test('shows the token for sixty minutes, also after it is used', async () => {
    const { id, authentication_url } = await make()
    await decideAt(authentication_url, 'authenticate')
    await api.request('POST /payments', { json: { amount: 1000, currency: 'JPY', payment_details: id } })
    await api.advance(3_599)
    expect((await show(id)).body.verification_status).toBe('OK')
    await api.advance(1)
    expect(refusalIn(await show(id))).toMatchObject({ status: 404, code: 'not_found' })
  })

  test('answers 404 for an unknown id and for a token of another merchant or mode', async () => {
    const { id } = await make()
    const { test: other } = await api.newMerchants()
    expect((await show(`tok_${'0'.repeat(26)}`)).status).toBe(404)
    for (const key of [other.secret_key, api.live.secret_key]) expect((await show(id, key)).status).toBe(404)
  })

  test('answers 404 for a token of POST /tokens', async () => {
    const token = (await api.request('POST /tokens', { json: { payment_details: card() } })).body.id
    expect((await show(token)).status).toBe(404)
  })

  test('is shown to a publishable key of its merchant, and to no other publishable key', async () => {
    const made = await make()
    const { status, body } = await show(made.id, api.test.publishable_key)
    expect([status, body]).toEqual([200, (await show(made.id)).body])
    const { test: other } = await api.newMerchants()
    expect((await show(made.id, other.publishable_key)).status).toBe(404)
  })
})
