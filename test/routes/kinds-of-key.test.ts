import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { publishable } from '#shared/routes.ts'
import { type Api, openApi } from '#test/fixtures/api.ts'
import { histories, interference, secretAnswers, takesKey } from '#test/fixtures/kinds-of-key.ts'
import { rowsUnlike } from '#test/fixtures/route-requests.ts'

const rows = rowsUnlike().filter(takesKey)
const public_rows = rows.filter(({ route }) => publishable.has(route))

let api: Api
beforeAll(async () => {
  api = await openApi()
})
afterAll(() => api.close())

describe.each(public_rows)('an idempotency key of $route with a publishable key', (public_row) => {
  test.each(rows)('is another one than that of $route with a secret key', async (row) => {
    // The long suite sends every body to every row.
    expect(await interference(api, public_row, row, { only: rows.indexOf(row) })).toEqual([])
  })
})

test('no answer to a secret key depends on what publishable keys sent', async () => {
  const property = fc.asyncProperty(histories, async (history) => {
    const alone = await secretAnswers(api, history, ['secret'])
    expect(await secretAnswers(api, history, ['secret', 'publishable'])).toEqual(alone)
  })
  // The long suite tries hundreds of histories.
  await fc.assert(property, { numRuns: 5 })
})
