import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { publishable } from '#shared/routes.ts'
import { type Api, openApi } from '#test/fixtures/api.ts'
import { histories, interference, secretAnswers } from '#test/fixtures/kinds-of-key.ts'
import { type Row, rowsWithRequests } from '#test/fixtures/route-requests.ts'

const HISTORIES = Number(process.env.HISTORIES ?? 300)

const upload = {
  route: 'POST /files',
  method: 'POST',
  path: '/files',
  file: 'files/create',
  status: 200,
  contents: [{ paper: '%PDF-1.7\n%%EOF\n' }],
} as const satisfies Row

// The settlement comes first, because it advances the clock by a week.
const rows: readonly Row[] = [...rowsWithRequests(), upload].toSorted(
  (one, other) => Number(other.path.startsWith('/settlements')) - Number(one.path.startsWith('/settlements')),
)
const public_rows = rows.filter(({ route }) => publishable.has(route))

let api: Api
beforeAll(async () => {
  api = await openApi()
})
afterAll(() => api.close())

describe.each(public_rows)('an idempotency key of $route with a publishable key', (public_row) => {
  test.each(rows)('does not interfere with the same key of $route with a secret key', async (row) => {
    expect(await interference(api, public_row, row)).toEqual([])
  })
})

test(`responses to a secret key do not depend on requests with publishable keys in ${HISTORIES} histories`, async () => {
  const property = fc.asyncProperty(histories, async (history) => {
    const alone = await secretAnswers(api, history, ['secret'])
    expect(await secretAnswers(api, history, ['secret', 'publishable'])).toEqual(alone)
  })
  await fc.assert(property, { numRuns: HISTORIES })
})
