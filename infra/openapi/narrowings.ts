import { isDeepStrictEqual } from 'node:util'

/** Whether a client sends a value (a request) or reads it (a response). */
export type Direction = 'request' | 'response'

/** The documents in which the references of two schemas are looked up. */
export interface Sides {
  readonly before: object
  readonly after: object
}

interface Schema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly items?: Schema
  readonly additionalProperties?: boolean | Schema
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly allOf?: readonly Schema[]
  readonly pattern?: string
}

const lower_bounds = ['minimum', 'minLength', 'minItems', 'minProperties'] as const
const upper_bounds = ['maximum', 'maxLength', 'maxItems', 'maxProperties'] as const

/** A comparison in progress. `visited` has the pairs of references that are being compared, so recursion ends. */
interface Comparison {
  readonly sides: Sides
  readonly direction: Direction
  readonly visited: ReadonlySet<string>
}

/**
 * Returns how a schema became narrower for requests, or promises less in responses. Each result is the rest of a
 * sentence, which begins with the path of the value: `[amount] must now be at most 5`.
 */
export const narrowings = (before: object, after: object, sides: Sides, direction: Direction): string[] =>
  compare(before, after, { sides, direction, visited: new Set() })

function compare(earlier: Schema, later: Schema, comparison: Comparison): string[] {
  const pair = `${earlier.$ref} ${later.$ref}`
  if (earlier.$ref && comparison.visited.has(pair)) return []
  const inner = { ...comparison, visited: new Set([...comparison.visited, pair]) }
  const before = dereferenced(earlier, comparison.sides.before)
  const after = dereferenced(later, comparison.sides.after)
  const choices = isChoice(before) || isChoice(after) ? ofAlternatives(before, after, inner) : []
  // One schema against a choice: the alternatives are all that can be compared.
  if (isChoice(before) !== isChoice(after)) return choices
  const of_both = [
    ...choices,
    ...ofTypes(before, after, inner),
    ...ofProperties(before, after, inner),
    ...ofItems(before, after, inner),
  ]
  if (inner.direction === 'response') return of_both
  return [...of_both, ...ofValues(before, after), ...ofBounds(before, after), ...ofConditions(before, after)]
}

/** Resolves a reference. Keywords beside the reference replace those of the component. */
function dereferenced({ $ref, ...beside }: Schema, document: object): Schema {
  if (!$ref) return beside
  const steps = $ref.split('/').slice(1)
  const found = steps.reduce((part: object, name) => (part as Readonly<Record<string, object>>)[name] ?? {}, document)
  const { properties, ...rest } = dereferenced(found, document)
  return { ...rest, ...beside, ...(properties && { properties: { ...properties, ...beside.properties } }) }
}

/**
 * Compares choices. A request must still accept each earlier alternative, and a response may only be one of them. An
 * alternative is compared with the one that is most like it.
 */
function ofAlternatives(before: Schema, after: Schema, comparison: Comparison): string[] {
  const [earlier, later] = [alternativesOf(before), alternativesOf(after)]
  const nearest = (candidates: readonly string[][]) => candidates.toSorted((a, b) => a.length - b.length)[0] ?? []
  return comparison.direction === 'request'
    ? earlier.flatMap((one) => nearest(later.map((other) => compare(one, other, comparison))))
    : later.flatMap((other) => nearest(earlier.map((one) => compare(one, other, comparison))))
}

const isChoice = ({ anyOf, oneOf }: Schema): boolean => (anyOf ?? oneOf) !== undefined

const alternativesOf = (schema: Schema): readonly Schema[] => schema.anyOf ?? schema.oneOf ?? [schema]

function ofTypes(before: Schema, after: Schema, { direction }: Comparison): string[] {
  const [earlier, later] = [typesOf(before), typesOf(after)]
  if (direction === 'response') {
    if (earlier.length === 0) return []
    if (later.length === 0) return [' can now be of any type']
    return later.filter((type) => !isAmong(type, earlier)).map((type) => ` can now be of type ${type}`)
  }
  if (later.length === 0) return []
  if (earlier.length === 0) return [` must now be of type ${later.join(' or ')}`]
  return earlier.filter((type) => !isAmong(type, later)).map((type) => ` can no longer be of type ${type}`)
}

const typesOf = ({ type }: Schema): readonly string[] => (type === undefined ? [] : [type].flat())

const isAmong = (type: string, types: readonly string[]): boolean =>
  types.includes(type) || (type === 'integer' && types.includes('number'))

function ofProperties(before: Schema, after: Schema, comparison: Comparison): string[] {
  const { direction } = comparison
  const [earlier, later] = [before.properties ?? {}, after.properties ?? {}]
  const newly = (one: Schema, other: Schema) =>
    (other.required ?? []).filter((name) => !(one.required ?? []).includes(name))
  const removed = Object.keys(earlier).filter((name) => !Object.hasOwn(later, name))
  return [
    ...removed.map((name) => (direction === 'request' ? `[${name}] is no longer read` : `[${name}] was removed`)),
    ...(direction === 'request' ? newly(before, after).map((name) => `[${name}] is now required`) : []),
    ...(direction === 'response' ? newly(after, before) : [])
      .filter((name) => !removed.includes(name))
      .map((name) => `[${name}] may now be absent`),
    ...Object.entries(earlier).flatMap(([name, schema]) => {
      const next = later[name]
      return next ? compare(schema, next, comparison).map((change) => `[${name}]${change}`) : []
    }),
  ]
}

function ofItems(before: Schema, after: Schema, comparison: Comparison): string[] {
  const items = before.items && after.items ? compare(before.items, after.items, comparison) : []
  const [earlier, later] = [before.additionalProperties, after.additionalProperties]
  const values = typeof earlier === 'object' && typeof later === 'object' ? compare(earlier, later, comparison) : []
  return [...items, ...values].map((change) => `[]${change}`)
}

function ofValues(before: Schema, after: Schema): string[] {
  const [earlier, later] = [valuesOf(before), valuesOf(after)]
  if (!later) return []
  if (!earlier) return [` must now be one of ${later.map((value) => JSON.stringify(value)).join(', ')}`]
  return earlier.filter((value) => !later.includes(value)).map((value) => ` can no longer be ${JSON.stringify(value)}`)
}

const valuesOf = (schema: Schema): readonly unknown[] | undefined =>
  schema.enum ?? ('const' in schema ? [schema.const] : undefined)

type Bounds = Readonly<Record<string, number | undefined>>

function ofBounds(before: Schema, after: Schema): string[] {
  const [earlier, later] = [before, after] as unknown as [Bounds, Bounds]
  return [
    ...lower_bounds
      .filter((name) => (later[name] ?? -Infinity) > (earlier[name] ?? -Infinity))
      .map((name) => ` has a ${name} of ${later[name]} now`),
    ...upper_bounds
      .filter((name) => (later[name] ?? Infinity) < (earlier[name] ?? Infinity))
      .map((name) => ` has a ${name} of ${later[name]} now`),
    ...(after.pattern !== undefined && after.pattern !== before.pattern
      ? [` must now match the pattern ${after.pattern}`]
      : []),
  ]
}

function ofConditions(before: Schema, after: Schema): string[] {
  const added = (after.allOf ?? []).filter(
    (one) => !(before.allOf ?? []).some((other) => isDeepStrictEqual(one, other)),
  )
  return added.length > 0 ? [' has a new condition'] : []
}
