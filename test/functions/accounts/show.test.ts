import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Api, openApi } from '#test/fixtures/api.ts'

let api: Api
beforeAll(async () => {
  api = await openApi()
})
afterAll(() => api.close())

describe('GET /accounts/:id', () => {
  test('shows an account only to the merchant and the mode that created it', async () => {
    const json = { name: 'Mine', default_currency: 'JPY', time_zone: 'Asia/Tokyo' }
    const { body } = await api.request('POST /accounts', { json })
    expect((await api.request(`GET /accounts/${body.id}`)).body).toEqual(body)
    const { test: stranger } = await api.newMerchants()
    for (const key of [stranger.secret_key, api.live.secret_key])
      expect((await api.request(`GET /accounts/${body.id}`, { key })).status).toBe(404)
    expect((await api.request('GET /accounts/acc_none')).status).toBe(404)
  })
})
