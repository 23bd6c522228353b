import { beforeAll, describe, expect, test } from 'vitest'
import { recorded_access } from '#infra/access/recorded-access.ts'
import { due_kinds } from '#shared/store/keys.ts'
import { ACCESS_FILE, differencesOf } from '#test/access/access-file.ts'
import { recordAccess } from '#test/access/record-access.ts'

const MINUTES_MS = 5 * 60_000

let recorded: Awaited<ReturnType<typeof recordAccess>>
beforeAll(async () => {
  recorded = await recordAccess()
}, MINUTES_MS)

describe('what the functions do while the whole service is used', () => {
  test('is what the committed record of their access says', () => {
    const differences = differencesOf(recorded_access, recorded.access)
    expect(differences, `If this is intended, run "npm run access" and commit ${ACCESS_FILE}`).toEqual([])
  })

  test('includes reading every kind of the due index, by the sweep alone', () => {
    expect(recorded.due.toSorted()).toEqual(due_kinds.map((kind) => `background/sweep reads due#${kind}`).sort())
  })
})
