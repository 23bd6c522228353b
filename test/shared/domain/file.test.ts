import { describe, expect, test } from 'vitest'
import { abandoned, beginUpload, isGivenUp, stored } from '#shared/domain/file.ts'

const NOW = Date.parse('2030-01-02T03:00:00.600Z')
const MINUTE_MS = 60_000
const begun = beginUpload({ id: 'fil_1', filename: 'a.pdf', size: 7, mime_type: 'application/pdf' }, NOW)

describe('StoredFile', () => {
  test('starts as uploading, and is given up after 15 minutes', () => {
    expect(begun).toMatchObject({ version: 0, state: 'uploading', give_up_at: '2030-01-02T03:15:00Z' })
    expect([begun.created_at, begun.updated_at]).toEqual(['2030-01-02T03:00:00Z', '2030-01-02T03:00:00Z'])
    expect(isGivenUp(begun, Date.parse('2030-01-02T03:15:00Z') - 1)).toBe(false)
    expect(isGivenUp(begun, Date.parse('2030-01-02T03:15:00Z'))).toBe(true)
  })

  test('is never given up once it is stored, and keeps its other fields', () => {
    expect(stored(begun)).toEqual({ ...begun, state: 'stored', give_up_at: null })
    expect(isGivenUp(stored(begun), NOW + 1_000_000 * MINUTE_MS)).toBe(false)
  })

  test('keeps its give-up time when it is abandoned', () => {
    expect(abandoned(begun)).toEqual({ ...begun, state: 'abandoned' })
    expect(isGivenUp(abandoned(begun), NOW + 15 * MINUTE_MS)).toBe(true)
  })
})
