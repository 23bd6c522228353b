import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Api, openApi } from '#test/fixtures/api.ts'
import { documentOf, partsWith } from '#test/fixtures/documents.ts'
import { expectEnvelope } from '#test/fixtures/envelope.ts'

let api: Api
beforeAll(async () => {
  api = await openApi()
})
afterAll(() => api.close())

test('GET /files/:id answers a file as it was when it was made, for ever', async () => {
  const { body } = await api.request('POST /files', {
    parts: partsWith(['paper', documentOf(100, 'image/png'), 'a.png']),
  })
  await api.advance(400 * 86_400)
  const shown = await api.request(`GET /files/${body.id}`)
  expect([shown.status, shown.body]).toEqual([200, body])
})

test('GET /files/:id finds nothing under an id that nobody has', async () => {
  for (const id of ['fil_1', 'x', 'pay_00000000000000000000000000'])
    expectEnvelope(await api.request(`GET /files/${id}`), 'not_found')
})
