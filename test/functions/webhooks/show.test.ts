import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { refusalIn } from '#test/faults/witness.ts'
import { type Api, openApi } from '#test/fixtures/api.ts'

let api: Api
beforeAll(async () => {
  api = await openApi()
})
afterAll(() => api.close())

describe('GET /webhooks/:id', () => {
  test('returns the same webhook as its creation', async () => {
    const json = { url: 'https://shop.example.com/hook', event_list: ['ping'], secret_token: 'whsec_canary' }
    const made = await api.request('POST /webhooks', { json })
    await api.advance(60)
    const { status, text } = await api.request(`GET /webhooks/${made.body.id}`)
    expect([status, text]).toEqual([200, made.text])
  })

  test('answers 404 for an unknown id and for a webhook of another merchant or mode', async () => {
    const json = { url: 'https://shop.example.com/hook', event_list: ['ping'] }
    const { id } = (await api.request('POST /webhooks', { json })).body
    for (const reply of [
      await api.request('GET /webhooks/whk_1'),
      await api.request(`GET /webhooks/${id}`, { key: api.live.secret_key }),
      await api.request(`GET /webhooks/${id}`, { key: (await api.newMerchants()).test.secret_key }),
    ])
      expect(refusalIn(reply)).toEqual({ status: 404, code: 'not_found', param: null })
  })
})
