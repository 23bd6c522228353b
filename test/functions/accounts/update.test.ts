import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { refusalIn } from '#test/faults/witness.ts'
import { type Api, openApi } from '#test/fixtures/api.ts'

let api: Api
beforeAll(async () => {
  api = await openApi()
})
afterAll(() => api.close())

describe('PATCH /accounts/:id', () => {
  test('changes the currency and the time zone that the request names, and nothing else', async () => {
    const json = { name: 'Before', default_currency: 'JPY', time_zone: 'Asia/Tokyo' }
    const { body: before } = await api.request('POST /accounts', { json })
    await api.advance(60)
    const path = `PATCH /accounts/${before.id}`
    const updated_at = '2030-01-02T03:01:00Z'
    const { body: currency } = await api.request(path, { form: { default_currency: 'KRW' } })
    expect(currency).toEqual({ ...before, default_currency: 'KRW', updated_at })
    const { body: zone } = await api.request(path, { json: { time_zone: 'Asia/Seoul', name: 'After' } })
    expect(zone).toEqual({ ...currency, time_zone: 'Asia/Seoul' })
    for (const fields of [{ default_currency: null }, { default_currency: 'X' }, { time_zone: '' }])
      expect((await api.request(path, { json: fields })).body.error.param).toBe(Object.keys(fields)[0])
    expect((await api.request(path.replace('PATCH', 'GET'))).body).toEqual(zone)
  })
})

test('PATCH /accounts/:id answers 404 for an unknown id and for an account of another merchant', async () => {
  const json = { name: 'Of another', default_currency: 'JPY', time_zone: 'Asia/Tokyo' }
  const { secret_key: key } = (await api.newMerchants()).test
  const { body: account } = await api.request('POST /accounts', { json, key })
  for (const id of ['acc_1', account.id]) {
    const reply = await api.request(`PATCH /accounts/${id}`, { json: { default_currency: 'KRW' } })
    expect(refusalIn(reply)).toEqual({ status: 404, code: 'not_found', param: null })
  }
})
