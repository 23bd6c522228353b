import { type ConversionConfig, type JsonSchema, toJsonSchema } from '@valibot/to-json-schema'
import type { GenericSchema } from 'valibot'

type Nested = 'properties' | 'additionalProperties' | 'items' | 'anyOf' | 'oneOf' | 'allOf'

/** A JSON Schema of draft 2020-12, the dialect of OpenAPI 3.1. */
export interface Schema extends Omit<JsonSchema, Nested> {
  properties?: Record<string, Schema>
  additionalProperties?: boolean | Schema
  items?: Schema
  anyOf?: Schema[]
  oneOf?: Schema[]
  allOf?: Schema[]
  /** Whether null is accepted as well. A finished schema says so in `type`, `enum` or `anyOf` instead. */
  nullable?: boolean
}

/**
 * Converts the schema of a request to JSON Schema. It describes the canonical form of every parameter: an amount is an
 * integer, although the service also reads it from text. Defaults are part of the descriptions.
 */
export const requestSchema = (schema: GenericSchema): Schema => withDefaultsInWords(finished(converted(schema)))

/** Converts the schema of the parameters of a query. A query cannot contain null. */
export const querySchema = (schema: GenericSchema): Schema => finished(withoutNull(converted(schema)))

/** Schemas by the names under which the components of the document hold them. */
export type NamedSchemas = Readonly<Record<string, GenericSchema>>

/**
 * Converts the schema of a response to JSON Schema. Where one of the schemas in `named` occurs inside of it, the result
 * refers to the component of that name. The result accepts additional fields, although the service sends none: a client
 * that validates responses must accept the fields of a later version of the document.
 */
export const responseSchema = (schema: GenericSchema, named: NamedSchemas = {}): Schema =>
  extensible(
    finished(converted(schema, Object.fromEntries(Object.entries(named).filter(([, other]) => other !== schema)))),
  )

/** The prefix of a reference to a schema among the components. */
export const COMPONENTS = '#/components/schemas/'

/**
 * `typeMode` is not set, so every step of a pipe contributes to the result: a description at any place of the pipe, and
 * the schema behind a transformation. `errorMode` skips the steps that JSON Schema cannot express.
 */
const config: ConversionConfig = {
  target: 'draft-2020-12',
  errorMode: 'ignore',
  overrideRef: ({ referenceId }) => COMPONENTS + referenceId,
  overrideSchema({ valibotSchema, jsonSchema }) {
    if (valibotSchema.type !== 'lazy') return undefined
    // The converter calls the getter without a value. A schema that depends on the value lists its options.
    const { $ref, ...rest } = jsonSchema
    const { options } = valibotSchema as unknown as { readonly options: readonly GenericSchema[] }
    return { ...rest, anyOf: options.map((option) => converted(option)) } as JsonSchema
  },
}

function converted(schema: GenericSchema, named: NamedSchemas = {}): Schema {
  const definitions = named as ConversionConfig['definitions']
  const { $schema, $defs, ...rest } = toJsonSchema(schema as Parameters<typeof toJsonSchema>[0], {
    ...config,
    definitions,
  })
  return rest as Schema
}

/** Applies `change` to the schemas that a schema contains. */
function mapInner({ ...schema }: Schema, change: (inner: Schema) => Schema): Schema {
  const { properties, additionalProperties, items, anyOf, oneOf, allOf } = schema
  if (properties)
    schema.properties = Object.fromEntries(Object.entries(properties).map(([name, inner]) => [name, change(inner)]))
  if (typeof additionalProperties === 'object') schema.additionalProperties = change(additionalProperties)
  if (items) schema.items = change(items)
  if (anyOf) schema.anyOf = anyOf.map(change)
  if (oneOf) schema.oneOf = oneOf.map(change)
  if (allOf) schema.allOf = allOf.map(change)
  return schema
}

/**
 * Moves each default into the description, unless it is empty: generators of clients take a parameter with the keyword
 * `default` as required.
 */
function withDefaultsInWords(schema: Schema): Schema {
  const { default: fallback, ...rest } = mapInner(schema, withDefaultsInWords)
  if (fallback === undefined || typeof fallback === 'object') return rest
  return { ...rest, description: `${rest.description} Default: \`${fallback}\`.` }
}

const isNull = (schema: Schema): boolean => schema.type === 'null' && Object.keys(schema).length === 1

/**
 * Makes a converted schema more readable: null is one more type of a value, every constant has a type, and a default of
 * null is left out.
 */
function finished(schema: Schema): Schema {
  const { nullable, ...rest } = mapInner(withMergedNull(schema), finished)
  if (rest.default === null) delete rest.default
  if (rest.const !== undefined && rest.const !== null) rest.type = typeof rest.const as 'string' | 'boolean' | 'number'
  if (rest.required?.length === 0) delete rest.required
  return nullable ? withNull(rest) : rest
}

/** Turns a choice between one schema and null into this schema, marked as nullable. */
function withMergedNull(schema: Schema): Schema {
  const { anyOf: [inner, other] = [], ...rest } = schema
  if (!inner || !other || !isNull(other)) return schema
  return { ...inner, ...rest, nullable: true }
}

function withNull(schema: Schema): Schema {
  const { const: constant, ...rest } = schema
  if (constant !== undefined) return withNull({ ...rest, enum: [constant] } as Schema)
  if (rest.type) {
    const type = [...new Set([rest.type, 'null'].flat())]
    return { ...rest, type, ...(rest.enum && { enum: [...rest.enum, null] }) } as Schema
  }
  if (rest.$ref) {
    const { $ref, ...beside } = rest
    return { ...beside, anyOf: [{ $ref }, { type: 'null' }] }
  }
  if (rest.oneOf) return { ...rest, oneOf: [...rest.oneOf, { type: 'null' }] }
  if (rest.anyOf) return { ...rest, anyOf: [...rest.anyOf, { type: 'null' }] }
  return rest
}

/** Returns a schema whose objects accept additional fields. */
function extensible(schema: Schema): Schema {
  const { additionalProperties, ...rest } = mapInner(schema, extensible)
  return additionalProperties === false ? rest : { ...rest, ...(additionalProperties && { additionalProperties }) }
}

/** Returns a schema whose properties do not accept null. */
const withoutNull = ({ nullable, ...schema }: Schema): Schema => mapInner(schema, withoutNull)
