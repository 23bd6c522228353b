import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Api, openApi } from '#test/fixtures/api.ts'
import { anAccount, opens } from '#test/functions/accounts/keys/account-keys.ts'

let api: Api
beforeAll(async () => {
  api = await openApi()
})
afterAll(() => api.close())

describe('POST /accounts/:id/keys', () => {
  test("creates a key of the account's merchant in the caller's mode, and stores no copy of it in plain text", async () => {
    const account = await anAccount(api)
    const { status, body } = await api.request(`POST /accounts/${account.id}/keys`, { json: { kind: 'secret' } })
    expect(status).toBe(200)
    expect(body).toEqual({
      id: expect.stringMatching(/^key_/),
      resource: 'key',
      account: account.id,
      merchant: account.test_merchant,
      mode: 'test',
      kind: 'secret',
      created_at: '2030-01-02T03:00:00Z',
      revoked_at: null,
      key: expect.stringMatching(/^sk_test_[0-9a-z]{32}$/),
    })
    expect(await opens(api, body.key)).toBe(true)
    for (const { pk, sk, ...item } of api.platform.table.items())
      expect(JSON.stringify([pk, item])).not.toContain(body.key)
  })

  test('creates a publishable key that opens only the endpoints for browsers', async () => {
    const { id } = await anAccount(api)
    const { body } = await api.request(`POST /accounts/${id}/keys`, { json: { mode: 'test', kind: 'publishable' } })
    expect(body.key).toMatch(/^pk_test_/)
    expect((await api.request('GET /customers', { key: body.key })).status).toBe(403)
    expect((await api.request('GET /payment_methods', { key: body.key })).status).toBe(200)
  })

  test('creates live keys, and no test keys, for an account that a live key created', async () => {
    const { id, live_merchant } = await anAccount(api, api.live.secret_key)
    const key = api.live.secret_key
    const { body } = await api.request(`POST /accounts/${id}/keys`, { key, json: { mode: 'live', kind: 'secret' } })
    expect(body).toMatchObject({ merchant: live_merchant, key: expect.stringMatching(/^sk_live_/) })
    const wrong = await api.request(`POST /accounts/${id}/keys`, { key, json: { mode: 'test', kind: 'secret' } })
    expect(wrong.body.error).toMatchObject({ code: 'invalid_parameter', param: 'mode' })
  })

  test('refuses the other mode, a missing or unknown kind, and an account of another merchant', async () => {
    const { id } = await anAccount(api)
    const refusal = async (json: object, key?: string) => {
      const { body } = await api.request(`POST /accounts/${id}/keys`, { json, ...(key && { key }) })
      return [body.error.code, body.error.param]
    }
    expect(await refusal({ mode: 'live', kind: 'secret' })).toEqual(['invalid_parameter', 'mode'])
    expect(await refusal({})).toEqual(['missing_parameter', 'kind'])
    expect(await refusal({ kind: 'private' })).toEqual(['invalid_parameter', 'kind'])
    const { test: stranger } = await api.newMerchants()
    expect(await refusal({ kind: 'secret' }, stranger.secret_key)).toEqual(['not_found', null])
  })
})
