import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Api, openApi } from '#test/fixtures/api.ts'
import { documentOf, partsWith } from '#test/fixtures/documents.ts'
import { expectEnvelope } from '#test/fixtures/envelope.ts'

let api: Api
beforeAll(async () => {
  api = await openApi()
})
afterAll(() => api.close())

describe('GET /files/:id', () => {
  test('returns a file unchanged after more than a year', async () => {
    const { body } = await api.request('POST /files', {
      parts: partsWith(['paper', documentOf(100, 'image/png'), 'a.png']),
    })
    await api.advance(400 * 86_400)
    const shown = await api.request(`GET /files/${body.id}`)
    expect([shown.status, shown.body]).toEqual([200, body])
  })

  test('answers 404 for an unknown id', async () => {
    for (const id of ['fil_1', 'x', 'pay_00000000000000000000000000'])
      expectEnvelope(await api.request(`GET /files/${id}`), 'not_found')
  })
})
