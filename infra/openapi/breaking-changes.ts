import { type Direction, narrowings, type Sides } from './narrowings.ts'

/** The parts of a document that are compared. */
export interface ComparedDocument {
  readonly paths?: Readonly<Record<string, Readonly<Record<string, ComparedOperation>>>>
  readonly webhooks?: Readonly<Record<string, Readonly<Record<string, ComparedOperation>>>>
  readonly components?: object
}

interface ComparedParameter {
  readonly name: string
  readonly in: string
  readonly required?: boolean
  readonly schema?: object
}

interface ComparedBody {
  readonly required?: boolean
  readonly content?: Readonly<Record<string, { readonly schema?: object }>>
}

interface ComparedOperation {
  readonly parameters?: readonly (ComparedParameter | { readonly $ref: string })[]
  readonly requestBody?: ComparedBody
  readonly responses?: Readonly<Record<string, ComparedBody | { readonly $ref: string }>>
  readonly security?: readonly object[]
}

/**
 * Returns the changes between two documents that can break a client, one sentence each. A client sends what the earlier
 * document allows and reads what it promises. New endpoints, optional parameters, fields, events, error codes and values
 * break no client, because the document asks clients to ignore what they do not know.
 */
export function breakingChanges(before: ComparedDocument, after: ComparedDocument): string[] {
  return [
    ...eachOperation(before.paths).flatMap(({ path, method, operation }) => {
      const name = `${method.toUpperCase()} ${path}`
      const next = after.paths?.[path]?.[method]
      return next
        ? ofOperation(operation, next, { before, after }).map((change) => `${name}: ${change}`)
        : [`${name} was removed`]
    }),
    ...eachOperation(before.webhooks).flatMap(({ path, method, operation }) => {
      const next = after.webhooks?.[path]?.[method]
      if (!next) return [`the webhook ${path} was removed`]
      const changes = ofContent(operation.requestBody, next.requestBody, { before, after }, 'response')
      return changes.map((change) => `the webhook ${path}: ${change}`)
    }),
  ]
}

const eachOperation = (paths: ComparedDocument['paths'] = {}) =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  )

function ofOperation(before: ComparedOperation, after: ComparedOperation, sides: Sides): string[] {
  const removed_keys = (before.security ?? [])
    .flatMap((keys) => Object.keys(keys))
    .filter((key) => !(after.security ?? []).some((keys) => key in keys))
  return [
    ...removed_keys.map((key) => `${key} is no longer accepted`),
    ...ofParameters(before, after, sides),
    ...(after.requestBody?.required && !before.requestBody?.required ? ['a body is now required'] : []),
    ...ofContent(before.requestBody, after.requestBody, sides, 'request'),
    ...ofResponses(before, after, sides),
  ]
}

function ofParameters(before: ComparedOperation, after: ComparedOperation, sides: Sides): string[] {
  const earlier = (before.parameters ?? []).map((one) => resolved(one, sides.before) as ComparedParameter)
  const later = (after.parameters ?? []).map((one) => resolved(one, sides.after) as ComparedParameter)
  const same = (one: ComparedParameter) => (other: ComparedParameter) => one.name === other.name && one.in === other.in
  return [
    ...earlier
      .filter((one) => !later.some(same(one)))
      .map(({ name, in: place }) => `the ${place} parameter ${name} was removed`),
    ...later
      .filter((one) => one.required && !earlier.find(same(one))?.required)
      .map(({ name, in: place }) => `the ${place} parameter ${name} is now required`),
    ...earlier.flatMap((one) => {
      const next = later.find(same(one))
      const changes = next ? narrowings(one.schema ?? {}, next.schema ?? {}, sides, 'request') : []
      return changes.map((change) => `the ${one.in} parameter ${one.name}${change}`)
    }),
  ]
}

/** Compares successful responses. Errors may change their codes, which all share one form. */
function ofResponses(before: ComparedOperation, after: ComparedOperation, sides: Sides): string[] {
  return Object.entries(before.responses ?? {})
    .filter(([status]) => /^[23]/.test(status))
    .flatMap(([status, response]) => {
      const next = after.responses?.[status]
      if (!next) return [`the response ${status} was removed`]
      const [one, other] = [resolved(response, sides.before), resolved(next, sides.after)] as ComparedBody[]
      return ofContent(one, other, sides, 'response')
    })
}

function ofContent(before: ComparedBody = {}, after: ComparedBody = {}, sides: Sides, direction: Direction): string[] {
  return Object.entries(before.content ?? {}).flatMap(([type, { schema = {} }]) => {
    const next = after.content?.[type]
    if (!next) return [`${direction} bodies of type ${type} were removed`]
    // A form has the schema of the JSON body, whose changes are listed already.
    if (type === 'application/x-www-form-urlencoded') return []
    return narrowings(schema, next.schema ?? {}, sides, direction).map((change) => `the ${direction}${change}`)
  })
}

function resolved(value: object, document: ComparedDocument): object {
  if (!('$ref' in value)) return value
  const steps = String(value.$ref).split('/').slice(1)
  return steps.reduce((part: object, name) => (part as Readonly<Record<string, object>>)[name] ?? {}, document)
}
