import { describe, expect, test } from 'vitest'
import type { Schema } from '#shared/docs/api-description.ts'
import { typeOf } from '#shared/docs/schema-words.ts'

describe('typeOf', () => {
  test.each<[Schema, string]>([
    [{ type: 'string' }, 'string'],
    [{ type: ['null', 'integer'] }, 'integer or null'],
    [{ type: 'array', items: { type: 'string' } }, 'list of strings'],
    [{ type: 'array', items: { properties: {} } }, 'list of objects'],
    [{ oneOf: [{ type: 'string' }, { properties: {} }, { type: 'null' }] }, 'string or object or null'],
    [{ enum: ['a', null] }, 'string or null'],
    [{ const: 1 }, 'number'],
    [{}, 'any'],
    [{ $ref: '#/components/schemas/Refund' }, 'object'],
  ])('of %j is %s', (schema, type) => {
    expect(typeOf(schema)).toBe(type)
  })
})
