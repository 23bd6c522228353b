import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { metadata, new_metadata } from '#shared/resources/metadata.ts'
import { parse } from '#shared/resources/parse.ts'
import { refusalOf } from '#test/fixtures/refusals.ts'

const Create = v.object({ metadata })
const Update = v.object({ metadata: new_metadata })
const read = (input: unknown) => parse(Create, { metadata: input }).metadata
const refused = (input: unknown) => refusalOf(Create, { metadata: input })

describe('metadata', () => {
  test('keeps every value exactly as it was sent', () => {
    const sent = { a: '', b: ' x ', c: '1.0', d: 1.5, e: 0, f: true, g: false, 日本: '語', 'a[b]': '\u0000' }
    expect(read(sent)).toStrictEqual(sent)
    expect(Object.keys(read(sent))).toEqual(Object.keys(sent))
  })

  test('accepts 50 keys of 40 characters with 2,000 characters each, and no more', () => {
    const full = Object.fromEntries(
      Array.from({ length: 50 }, (_, nth) => [String(nth).padStart(40, 'k'), 'あ'.repeat(2_000)]),
    )
    expect(read(full)).toStrictEqual(full)
    expect(refused({ ...full, one_more: '' })).toMatchObject({ code: 'invalid_parameter', param: 'metadata' })
    expect(refused({ a: 'x'.repeat(2_001) })).toMatchObject({ code: 'invalid_parameter', param: 'metadata[a]' })
    expect(refused({ ['k'.repeat(41)]: '' })).toMatchObject({ code: 'invalid_parameter', param: 'metadata' })
    expect(refused({ '': 'a' })).toMatchObject({ code: 'invalid_parameter', param: 'metadata' })
  })

  test.each([{ a: {} }, { a: [] }, { a: null }, { a: ['x'] }, { a: Number.POSITIVE_INFINITY }])(
    'rejects the value in %j and names its key',
    (input) => {
      expect(refused(input)).toMatchObject({ code: 'invalid_parameter', param: 'metadata[a]' })
    },
  )

  test.each([[['a']], [[]], ['text'], [5], [true]])('rejects %j, which is not an object', (input) => {
    expect(refused(input)).toMatchObject({ code: 'invalid_parameter', param: 'metadata' })
  })

  test('keeps keys that are names of object properties', () => {
    const sent = JSON.parse('{"__proto__": "a", "constructor": "b", "prototype": "c", "hasOwnProperty": "d"}')
    const kept = read(sent)
    expect(JSON.stringify(kept)).toBe(JSON.stringify(sent))
    expect(Object.getPrototypeOf(kept)).toBe(Object.prototype)
    expect(refused(JSON.parse('{"__proto__": {"polluted": true}}')).param).toBe('metadata[__proto__]')
    expect(({} as Record<string, unknown>).polluted).toBeUndefined()
  })

  test('is empty by default, and an update without metadata changes nothing', () => {
    expect(parse(Create, {})).toStrictEqual({ metadata: {} })
    expect(parse(Update, {})).toStrictEqual({})
  })

  test.each([null, ''])('is emptied by %j', (blank) => {
    expect(read(blank)).toStrictEqual({})
    expect(parse(Update, { metadata: blank })).toStrictEqual({ metadata: {} })
  })
})
