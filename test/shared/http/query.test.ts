import { describe, expect, test } from 'vitest'
import { readQuery } from '#shared/http/query.ts'

describe('readQuery', () => {
  test('nests names and lists as a form does, and takes the last of a repeated name', () => {
    expect(readQuery({ 'a[b]': ['1'], 'status[]': ['captured', 'refunded'], page: ['1', '2'] })).toEqual({
      a: { b: '1' },
      status: ['captured', 'refunded'],
      page: '2',
    })
  })

  test('is empty without a query', () => {
    expect(readQuery(null)).toEqual({})
    expect(readQuery({ a: undefined })).toEqual({})
  })
})
