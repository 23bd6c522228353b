import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { momentOf, timestamp } from '#shared/domain/timestamp.ts'

const at = Date.UTC(2024, 1, 29, 12, 34, 56)

describe('timestamp', () => {
  test('returns UTC in whole seconds, and never rounds up', () => {
    expect(timestamp(at + 999)).toBe('2024-02-29T12:34:56Z')
  })

  test('returns text that momentOf reads as the same moment', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 200_000_000_000 }), (second) => {
        expect(momentOf(timestamp(second * 1000))).toBe(second * 1000)
      }),
    )
  })
})

describe('momentOf', () => {
  test.each([
    ['2024-02-29T12:34:56Z', at],
    ['2024-02-29T21:34:56+09:00', at],
    ['2024-02-29T21:34:56+0900', at],
    ['2024-02-29T08:04:56-04:30', at],
    ['2024-02-29T12:34:56.789Z', at + 789],
    ['2024-02-29T12:34:56.7Z', at + 700],
    ['2024-02-29T12:34:56.789999999Z', at + 789],
    ['2024-02-29T12:34Z', at - 56_000],
    ['2024-03-01T00:00:00+09:00', Date.UTC(2024, 1, 29, 15)],
  ])('reads %s', (text, moment) => {
    expect(momentOf(text)).toBe(moment)
  })

  test.each([
    '',
    'now',
    '1709210096',
    '2024-02-29',
    '2024-02-29T12:34:56',
    '2024-02-29 12:34:56Z',
    '2024-02-30T12:34:56Z',
    '2023-02-29T12:34:56Z',
    '2024-13-01T12:34:56Z',
    '2024-01-00T12:34:56Z',
    '2024-02-29T24:00:00Z',
    '2024-02-29T12:60:00Z',
    '2024-02-29T12:34:60Z',
    '2024-02-29T12:34:56+24:00',
    '2024-02-29T12:34:56+09:60',
    '2024-02-29T12:34:56 09:00',
    '2024-02-29T12:34:56Z\n',
    'Thu, 29 Feb 2024 12:34:56 GMT',
  ])('rejects %j', (text) => {
    expect(momentOf(text)).toBeNaN()
  })
})
