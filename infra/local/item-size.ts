import type { Item, Value } from '#shared/platform/ports.ts'

const ITEM_BYTES_MAX = 400 * 1024
const NESTING_MAX = 32
const NUMBER_MIN = 1e-130

/**
 * Returns the size of an item in bytes as DynamoDB counts it: names and text in UTF-8, numbers by their digits. Throws
 * for what DynamoDB or its SDK rejects: an item above 400 KB, nesting deeper than 32 levels, an empty name, a value
 * that JSON cannot express, and a number out of range.
 */
export function itemSize(item: Item): number {
  let bytes = 0
  for (const [name, value] of Object.entries(item))
    if (value !== undefined) bytes += nameSize(name) + valueSize(value, 1)
  if (bytes > ITEM_BYTES_MAX) throw new Error(`an item of ${bytes} bytes is above ${ITEM_BYTES_MAX}`)
  return bytes
}

function valueSize(value: Value, depth: number): number {
  if (typeof value === 'string') return Buffer.byteLength(value)
  if (typeof value === 'number') return numberSize(value)
  if (typeof value === 'boolean' || value === null) return 1
  if (depth > NESTING_MAX) throw new Error(`a value is nested deeper than ${NESTING_MAX} levels`)
  let bytes = 3
  if (Array.isArray(value)) {
    for (const element of value) bytes += 1 + valueSize(element, depth + 1)
    return bytes
  }
  if (typeof value !== 'object' || Object.getPrototypeOf(value) !== Object.prototype)
    throw new Error(`a value of type ${typeof value} cannot be stored`)
  for (const [name, member] of Object.entries(value))
    if (member !== undefined) bytes += 1 + nameSize(name) + valueSize(member, depth + 1)
  return bytes
}

function nameSize(name: string): number {
  if (name === '') throw new Error('an attribute must have a name')
  return Buffer.byteLength(name)
}

/** Returns the size of a number: one byte per two digits, one for the exponent and one for a minus sign. */
function numberSize(value: number): number {
  const size = Math.abs(value)
  // The SDK rejects numbers beyond JavaScript's safe integers, so DynamoDB's own upper bound is never reached.
  if (!(size <= Number.MAX_SAFE_INTEGER) || (size !== 0 && size < NUMBER_MIN))
    throw new Error(`the number ${value} cannot be stored`)
  const digits = size.toExponential().split('e')[0]!.replace('.', '').length
  return Math.ceil(digits / 2) + 1 + (value < 0 ? 1 : 0)
}
