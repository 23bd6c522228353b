import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Api, openApi } from '#test/fixtures/api.ts'

let api: Api
beforeAll(async () => {
  api = await openApi()
})
afterAll(() => api.close())

const shop = (name: string) => ({ name, default_currency: 'JPY', time_zone: 'Asia/Tokyo' })

describe('POST /accounts', () => {
  test('creates an account with a test merchant and a live merchant', async () => {
    const { status, body } = await api.request('POST /accounts', { form: shop('Bäckerei 山田') })
    expect(status).toBe(200)
    expect(body).toEqual({
      id: expect.stringMatching(/^acc_/),
      resource: 'account',
      name: 'Bäckerei 山田',
      default_currency: 'JPY',
      time_zone: 'Asia/Tokyo',
      live_merchant: expect.stringMatching(/^mer_/),
      test_merchant: expect.stringMatching(/^mer_/),
      display_name: null,
      accent_color: null,
      logo: null,
      accepted_service_agreement_at: null,
      accepted_service_agreement_ip: null,
      created_at: '2030-01-02T03:00:00Z',
      updated_at: '2030-01-02T03:00:00Z',
    })
    expect(body.live_merchant).not.toBe(body.test_merchant)
    expect((await api.request(`GET /accounts/${body.id}`)).body).toEqual(body)
  })

  test('lets the creating merchant act for the new merchant of its own mode, and only for that one', async () => {
    const { body } = await api.request('POST /accounts', { json: shop('Acted for') })
    const as = (key: string, merchant: string, route = 'POST /customers') =>
      api.request(route, {
        key: null,
        headers: { authorization: `Basic ${btoa(`${key}:${merchant}`)}` },
        ...(route.startsWith('POST') && { json: { payment_details: { type: 'paypay' } } }),
      })
    expect((await as(api.test.secret_key, body.test_merchant)).status).toBe(200)
    expect((await as(api.test.secret_key, body.test_merchant, 'GET /customers')).body.total).toBe(1)
    expect((await api.request('GET /customers')).body.total).toBe(0)
    expect((await as(api.test.secret_key, body.live_merchant)).status).toBe(401)
    expect((await as(api.live.secret_key, body.live_merchant)).status).toBe(200)
    const { test: stranger } = await api.newMerchants()
    expect((await as(stranger.secret_key, body.test_merchant)).status).toBe(401)
  })

  test.each([
    [{ name: undefined }, 'missing_parameter', 'name'],
    [{ name: '' }, 'invalid_parameter', 'name'],
    [{ name: '   ' }, 'invalid_parameter', 'name'],
    [{ name: 'x'.repeat(256) }, 'invalid_parameter', 'name'],
    [{ name: 7 }, 'invalid_parameter', 'name'],
    [{ name: 'Pay\u202eevil' }, 'invalid_parameter', 'name'],
    [{ name: 'ac\u200bme' }, 'invalid_parameter', 'name'],
    [{ time_zone: 'asia/tokyo' }, 'invalid_parameter', 'time_zone'],
    [{ default_currency: 'yen' }, 'invalid_currency', 'default_currency'],
    [{ time_zone: undefined }, 'missing_parameter', 'time_zone'],
    [{ time_zone: 'Tokyo' }, 'invalid_parameter', 'time_zone'],
    [{ time_zone: 'Asia/Atlantis' }, 'invalid_parameter', 'time_zone'],
    [{ time_zone: '+09:00' }, 'invalid_parameter', 'time_zone'],
  ])('refuses the fields %o with %s of %s', async (fields, code, param) => {
    const { status, body } = await api.request('POST /accounts', { json: { ...shop('Refused'), ...fields } })
    expect(status).toBe(422)
    expect(body.error).toMatchObject({ code, param })
  })

  test.each(['America/Argentina/Buenos_Aires', 'UTC', 'Etc/GMT+9', 'Asia/Calcutta'])(
    'accepts the time zone %s',
    async (time_zone) => {
      const { body } = await api.request('POST /accounts', { json: { ...shop(`In ${time_zone}`), time_zone } })
      expect(body.time_zone).toBe(time_zone)
    },
  )

  test('accepts each account name once in the whole service, also under concurrent requests', async () => {
    const { test: stranger } = await api.newMerchants()
    const keys = Array.from({ length: 10 }, (_, index) => (index % 2 ? api.test.secret_key : stranger.secret_key))
    const replies = await Promise.all(keys.map((key) => api.request('POST /accounts', { key, json: shop('Wanted') })))
    expect(replies.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(422)])
    for (const { status, body } of replies)
      if (status !== 200) expect(body.error).toMatchObject({ code: 'invalid_parameter', param: 'name' })
    const again = await api.request('POST /accounts', { json: shop(' Wanted ') })
    expect(again.status).toBe(422)
  })
})
