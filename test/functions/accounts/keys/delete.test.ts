import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Api, openApi } from '#test/fixtures/api.ts'
import { anAccount, opens } from '#test/functions/accounts/keys/account-keys.ts'

let api: Api
beforeAll(async () => {
  api = await openApi()
})
afterAll(() => api.close())

describe('DELETE /accounts/:id/keys/:key', () => {
  test('revokes a key at once, also within its grace time, and answers the same when it is repeated', async () => {
    const { id } = await anAccount(api)
    const { body: made } = await api.request(`POST /accounts/${id}/keys`, { json: { kind: 'secret' } })
    await api.request(`POST /accounts/${id}/keys/${made.id}/roll`)
    await api.advance(10)
    const { body } = await api.request(`DELETE /accounts/${id}/keys/${made.id}`)
    const { key, ...shown } = made
    expect(body).toEqual({ ...shown, revoked_at: '2030-01-02T03:00:10Z' })
    expect(await opens(api, key)).toBe(false)
    await api.advance(10)
    expect((await api.request(`DELETE /accounts/${id}/keys/${made.id}`)).body).toEqual(body)
  })

  test('answers 404 for keys of an account that the caller did not create', async () => {
    const { id } = await anAccount(api)
    const { body } = await api.request(`POST /accounts/${id}/keys`, { json: { kind: 'secret' } })
    const { test: stranger } = await api.newMerchants()
    const path = `DELETE /accounts/${id}/keys/${body.id}`
    expect((await api.request(path, { key: stranger.secret_key })).status).toBe(404)
    expect((await api.request(path, { key: body.key })).status).toBe(404)
    expect(await opens(api, body.key)).toBe(true)
  })
})
