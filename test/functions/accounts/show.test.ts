import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Api, openApi } from '#test/fixtures/api.ts'

let api: Api
beforeAll(async () => {
  api = await openApi()
})
afterAll(() => api.close())

const show = (id: string, key: string) => api.request(`GET /accounts/${id}`, { key })

describe('GET /accounts/:id', () => {
  test('shows an account to the merchant and the mode that created it, and to no stranger', async () => {
    const json = { name: 'Mine', default_currency: 'JPY', time_zone: 'Asia/Tokyo' }
    const { body } = await api.request('POST /accounts', { json })
    expect((await api.request(`GET /accounts/${body.id}`)).body).toEqual(body)
    const { test: stranger } = await api.newMerchants()
    for (const key of [stranger.secret_key, api.live.secret_key]) expect((await show(body.id, key)).status).toBe(404)
    expect((await api.request('GET /accounts/acc_none')).status).toBe(404)
  })

  test('shows a merchant its own account in both modes', async () => {
    const { body: made } = await api.request('POST /_local/merchants', { json: { name: 'Tea house' }, key: null })
    const { body } = await show(made.account, made.test.secret_key)
    expect(body).toEqual({
      id: made.account,
      resource: 'account',
      name: 'Tea house',
      default_currency: 'JPY',
      time_zone: 'Asia/Tokyo',
      live_merchant: made.live.id,
      test_merchant: made.test.id,
      display_name: null,
      accent_color: null,
      logo: null,
      accepted_service_agreement_at: null,
      accepted_service_agreement_ip: null,
      created_at: '2030-01-02T03:00:00Z',
      updated_at: '2030-01-02T03:00:00Z',
    })
    expect((await show(made.account, made.live.secret_key)).body).toEqual(body)
    expect((await show(made.account, api.test.secret_key)).status).toBe(404)
    expect((await show(made.account, made.test.publishable_key)).status).toBe(403)
  })

  test('shows a name for an account that was created without one', async () => {
    const { body: made } = await api.request('POST /_local/merchants', { key: null })
    expect((await show(made.account, made.live.secret_key)).body.name).toBe(
      `Shop ${made.account.slice(-6).toUpperCase()}`,
    )
  })

  test('shows a sub-merchant its own account, but not the account of its creator', async () => {
    const json = { name: 'Sub', default_currency: 'JPY', time_zone: 'Asia/Tokyo' }
    const { body: made } = await api.request('POST /_local/merchants', { key: null })
    const { body } = await api.request('POST /accounts', { json, key: made.test.secret_key })
    const path = `POST /accounts/${body.id}/keys`
    const { key } = (await api.request(path, { json: { kind: 'secret' }, key: made.test.secret_key })).body
    expect((await show(body.id, key)).body).toEqual(body)
    expect((await show(made.account, key)).status).toBe(404)
  })
})
