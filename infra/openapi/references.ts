import { COMPONENTS, type Schema } from './json-schema.ts'

/** The annotations that a reference can carry beside `$ref`. */
const annotations = ['description', 'default', 'examples'] as const

/**
 * Returns `schemas` together with those of `parts` that occur in them. Each occurrence becomes a reference to the part,
 * which keeps the annotations of the occurrence. A part that can also be null becomes a choice.
 */
export function withReferences(
  schemas: Readonly<Record<string, Schema>>,
  parts: Readonly<Record<string, Schema>>,
): Record<string, Schema> {
  const names = new Map(Object.entries(parts).map(([name, part]) => [textOf(part), name]))
  const used = new Set<string>()
  const visit = (value: unknown, inside?: string): unknown => {
    if (Array.isArray(value)) return value.map((inner) => visit(inner))
    if (!value || typeof value !== 'object') return value
    const schema = value as Schema
    const name = names.get(textOf(schema))
    if (name && name !== inside) {
      used.add(name)
      return { $ref: COMPONENTS + name, ...annotationsOf(schema) }
    }
    const nullable = names.get(textOf(notNull(schema)))
    if (nullable && nullable !== inside) {
      used.add(nullable)
      return { anyOf: [{ $ref: COMPONENTS + nullable }, { type: 'null' }], ...annotationsOf(schema) }
    }
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, visit(inner)]))
  }
  const result = mapValues(schemas, (schema) => visit(schema) as Schema)
  const shown = mapValues(parts, (part, name) => visit(part, name) as Schema)
  return { ...result, ...Object.fromEntries(Object.entries(shown).filter(([name]) => used.has(name))) }
}

const mapValues = <T>(record: Readonly<Record<string, T>>, change: (value: T, name: string) => T): Record<string, T> =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => [name, change(value, name)]))

const annotationsOf = (schema: Schema): Schema =>
  Object.fromEntries(annotations.flatMap((name) => (schema[name] === undefined ? [] : [[name, schema[name]]])))

/** The text of a schema without its annotations, by which equal schemas are found. */
function textOf(schema: Schema): string {
  const { description, default: fallback, examples, ...rest } = schema
  return JSON.stringify(Object.entries(rest).sort(([a], [b]) => (a < b ? -1 : 1)))
}

/** A schema without null among its types and values. */
function notNull(schema: Schema): Schema {
  const { type, enum: values, ...rest } = schema
  if (!Array.isArray(type) || !type.includes('null')) return schema
  const others = type.filter((one) => one !== 'null')
  return {
    ...(values && { enum: values.filter((one) => one !== null) }),
    type: others.length === 1 ? others[0] : others,
    ...rest,
  } as Schema
}
