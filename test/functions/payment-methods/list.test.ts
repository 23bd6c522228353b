import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { payment_types } from '#shared/domain/payment-details.ts'
import { type Api, openApi } from '#test/fixtures/api.ts'

let api: Api
beforeAll(async () => {
  api = await openApi()
})
afterAll(() => api.close())

describe('GET /payment_methods', () => {
  test('returns a plain array of all payment types with names in three languages', async () => {
    const { status, body } = await api.request('GET /payment_methods')
    expect(status).toBe(200)
    expect(body.map(({ type_slug }: { type_slug: string }) => type_slug)).toEqual(payment_types)
    expect(body[0]).toEqual({
      type_slug: 'credit_card',
      name_en: 'Credit card',
      name_ja: 'クレジットカード',
      name_ko: '신용카드',
      currency: 'JPY',
    })
    for (const method of body) {
      expect(Object.keys(method)).toEqual(['type_slug', 'name_en', 'name_ja', 'name_ko', 'currency'])
      for (const text of Object.values(method)) expect(text).toMatch(/\S/)
    }
  })

  test('accepts a publishable key from a browser', async () => {
    const { status, headers } = await api.request('GET /payment_methods', { key: api.live.publishable_key })
    expect([status, headers.get('access-control-allow-origin')]).toEqual([200, '*'])
  })

  test('answers 401 without a key', async () => {
    expect((await api.request('GET /payment_methods', { key: null })).status).toBe(401)
  })
})
