import { describe, expect, test } from 'vitest'
import { itemSize } from '#infra/local/item-size.ts'
import type { Value } from '#shared/platform/ports.ts'

describe('itemSize', () => {
  const empty = itemSize({ pk: 'p', sk: 's', version: 1 })
  /** The bytes of a value, in an attribute whose name has one byte. */
  const sizeOf = (a: Value) => itemSize({ pk: 'p', sk: 's', version: 1, a }) - empty - 1

  test('counts names and values', () => {
    expect(empty).toBe('pkpsksversion'.length + 2)
  })

  test.each<[string, Value, number]>([
    ['empty text', '', 0],
    ['text', 'abc', 3],
    ['text in UTF-8', 'é決😀', 2 + 3 + 4],
    ['true', true, 1],
    ['null', null, 1],
    ['zero', 0, 2],
    ['one digit', 7, 2],
    ['two digits', 42, 2],
    ['three digits', 123, 3],
    ['three digits and zeros', 123_000, 3],
    ['a negative number', -123, 4],
    ['a fraction', 0.00123, 3],
    ['17 digits', 0.1 + 0.2, 10],
    ['an empty list', [], 3],
    ['a list', ['ab', 1], 3 + (1 + 2) + (1 + 2)],
    ['an object', { ab: 'cd' }, 3 + (1 + 2 + 2)],
    ['an object in a list', [{ a: '' }], 3 + 1 + (3 + 1 + 1)],
    ['an undefined member', { a: undefined as never }, 3],
  ])('counts %s', (_, value, bytes) => {
    expect(sizeOf(value)).toBe(bytes)
  })
})
