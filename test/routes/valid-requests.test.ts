import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Api, openApi } from '#test/fixtures/api.ts'
import { formPairs } from '#test/fixtures/form-pairs.ts'
import { type Ask, askAs, readyPath, rowsWithRequests, things } from '#test/fixtures/route-requests.ts'

let api: Api
let ask: Ask
beforeAll(async () => {
  api = await openApi()
  ask = askAs(api)
  for (const make of Object.values(things)) await make(ask)
})
afterAll(() => api.close())

describe.each(rowsWithRequests())('$route', (row) => {
  test.each(row.contents.map((content, index) => ({ content, index })))(
    'answers the valid request $index with 200 and ignores none of its parameters',
    async ({ content }) => {
      const path = await readyPath(row, ask)
      const reply =
        row.method === 'GET'
          ? await api.request(`GET ${path}?${new URLSearchParams(formPairs(content))}`)
          : await api.request(`${row.method} ${path}`, { json: content })
      expect(reply.status, reply.text).toBe(200)
      expect(reply.headers.get('x-service-ignored-parameters')).toBeNull()
      if (reply.body.resource === 'list') expect(reply.body.total).toBeGreaterThan(0)
    },
  )
})
