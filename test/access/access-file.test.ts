import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { recorded_access } from '#infra/access/recorded-access.ts'
import { ACCESS_FILE, accessFileText, differencesOf } from './access-file.ts'

describe('accessFileText', () => {
  test('writes a function per entry and a way of access per line', () => {
    const text = accessFileText({ 'toys/create': { gets: ['key', 'toy'], seals: ['webhook_secret'] }, 'toys/show': {} })
    const entries = [
      "  'toys/create': {",
      "    gets: ['key', 'toy'],",
      "    seals: ['webhook_secret'],",
      '  },',
      "  'toys/show': {},",
      '}',
      '',
    ]
    expect(text.endsWith(`= {\n${entries.join('\n')}`)).toBe(true)
  })

  test('breaks a list that does not fit into a line of 120 characters', () => {
    const kinds = (last: string) => ['a'.repeat(50), 'b'.repeat(45), last]
    expect(accessFileText({ 'toys/show': { gets: kinds('c') } })).toMatch(/^ {4}gets: \['a+', 'b+', 'c'\],$/m)
    expect(accessFileText({ 'toys/show': { gets: kinds('c'.repeat(20)) } })).toMatch(
      /^ {4}gets: \[\n {6}'a+',\n {6}'b+',\n {6}'c+',\n {4}\],$/m,
    )
  })

  test('writes the committed file', () => {
    expect(readFileSync(ACCESS_FILE, 'utf8')).toBe(accessFileText(recorded_access))
  })
})

describe('differencesOf', () => {
  test('names each access that a function would gain or lose', () => {
    const committed = { 'toys/create': { gets: ['key', 'toy'] }, 'toys/delete': { deletes: ['toy'] } }
    const recorded = { 'toys/create': { gets: ['key'], puts: ['toy'] }, 'toys/show': { gets: ['toy'] } }
    expect(differencesOf(committed, recorded)).toEqual([
      'toys/create would gain: puts toy',
      'toys/create would lose: gets toy',
      'toys/delete would lose: deletes toy',
      'toys/show would gain: gets toy',
    ])
    expect(differencesOf(committed, committed)).toEqual([])
  })
})
