import { describe, expect, test } from 'vitest'
import type { Schema } from '#shared/docs/api-description.ts'
import { factsOf, typeOf } from '#shared/docs/schema-words.ts'

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

describe('factsOf', () => {
  test.each<[Schema, string]>([
    [{ type: ['boolean', 'string'], enum: [true, false, 'true', 'false'] }, 'One of true, false.'],
    [{ type: 'array', minItems: 1 }, 'At least 1 entry.'],
    [{ type: 'array', minItems: 2 }, 'At least 2 entries.'],
    [{ type: 'string', maxLength: 1 }, 'At most 1 character.'],
    [{ type: 'array', minItems: 1, maxItems: 100 }, 'From 1 to 100 entries.'],
    [{ type: 'integer', minimum: 1, default: 1 }, 'At least 1. Default: 1.'],
    [{ type: 'string' }, ''],
  ])('of %j are %j', (schema, facts) => {
    expect(
      String(factsOf(schema))
        .replaceAll(/<\/?code>/g, '')
        .trim(),
    ).toBe(facts)
  })
})
