import { expect, test } from 'vitest'
import { jsonText } from '#shared/docs/json-text.ts'

test('jsonText writes short lists and objects on one line, and the outermost value on several', () => {
  const value = { a: [1, 2], b: { c: 'x', d: null }, long: ['x'.repeat(40), 'y'.repeat(40)], none: {}, empty: [] }
  expect(jsonText(value)).toBe(`{
  "a": [1, 2],
  "b": { "c": "x", "d": null },
  "long": [
    "${'x'.repeat(40)}",
    "${'y'.repeat(40)}"
  ],
  "none": {},
  "empty": []
}`)
  expect(JSON.parse(jsonText(value))).toEqual(value)
})

test.each([1, 'a "b"', null, [], {}, [{ a: [{}] }]])('jsonText writes %j as JSON', (value) => {
  expect(JSON.parse(jsonText(value))).toEqual(value)
})
