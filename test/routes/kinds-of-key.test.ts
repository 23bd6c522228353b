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
  test.each(rows)('does not interfere with the same key of $route with a secret key', async (row) => {
    // The long suite sends every body to every row.
    expect(await interference(api, public_row, row, { only: rows.indexOf(row) })).toEqual([])
  })
})

test('responses to a secret key do not depend on requests with publishable keys', async () => {
  const property = fc.asyncProperty(histories, async (history) => {
    const alone = await secretAnswers(api, history, ['secret'])
    expect(await secretAnswers(api, history, ['secret', 'publishable'])).toEqual(alone)
  })
  // The long suite tries hundreds of histories.
  await fc.assert(property, { numRuns: 5 })
})
