import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { base32, creationTimeOf, type IdKind, idOf, letters, prefixes, timeLetters } from '#shared/domain/ids.ts'

const kinds = Object.keys(prefixes) as IdKind[]
const entropy = fc.uint8Array({ minLength: 16, maxLength: 16 })
const moment = fc.integer({ min: 0, max: 32 ** 10 - 1 })

describe('idOf and bornAt', () => {
  test('prefixes differ between kinds, except that tokens and secure tokens share one', () => {
    expect(new Set(Object.values(prefixes)).size).toBe(kinds.length - 1)
    expect(prefixes.secure_token).toBe(prefixes.token)
    for (const kind of kinds) expect(prefixes[kind]).toMatch(/^[a-z]{3}_$/)
  })

  test('an id contains its creation time to the millisecond, for any kind and any random bytes', () => {
    fc.assert(
      fc.property(fc.constantFrom(...kinds), moment, entropy, (kind, born, bytes) => {
        const id = idOf(kind, born, bytes)
        expect(id).toMatch(/^[a-z]{3}_[0-9a-hjkmnp-tv-z]{26}$/)
        expect(creationTimeOf(id)).toBe(born)
      }),
    )
  })

  test('ids sort by creation time, whatever their random bytes', () => {
    fc.assert(
      fc.property(moment, moment, entropy, entropy, (one, other, a, b) => {
        fc.pre(one !== other)
        expect(idOf('payment', one, a) < idOf('payment', other, b)).toBe(one < other)
      }),
    )
  })

  test.each(['', 'pay', 'pay_', 'pay_123456789', 'evt_il00000000abc', 'evt_0000000U00abc', 'evt_00000 0000abc'])(
    'bornAt returns NaN for %j, which is not an id',
    (text) => {
      expect(creationTimeOf(text)).toBeNaN()
    },
  )
})

test('base32 texts sort like their numbers', () => {
  const numbers = [0, 1, 9, 10, 31, 32, 1_000, 32 ** 4 - 1]
  expect(numbers.map((number) => base32(number, 4))).toEqual([
    '0000',
    '0001',
    '0009',
    '000a',
    '000z',
    '0010',
    '00z8',
    'zzzz',
  ])
  expect(numbers.map((number) => base32(number, 4)).toSorted()).toEqual(numbers.map((number) => base32(number, 4)))
  expect(timeLetters(Date.parse('2030-01-02T03:00:00Z'))).toHaveLength(10)
})

test('letters maps five bits of each byte to a letter', () => {
  expect(letters(Uint8Array.of(0, 1, 31, 32, 255))).toBe('01z0z')
})
