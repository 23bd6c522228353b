import { apiDescription, nameOfRef, type Operation, type Parameter, resolved, type Schema } from './api-description.ts'

/** An endpoint with its operation in the API description. */
export interface DescribedEndpoint {
  readonly method: string
  /** The path as the API description states it, such as `/payments/{id}/refund`. */
  readonly path: string
  readonly operation: Operation
  readonly parameters: readonly Parameter[]
}

/** A resource of the API: a page of the reference. */
export interface DescribedResource {
  /** The last segment of the page's path, such as `payments`. */
  readonly slug: string
  readonly title: string
  readonly description: string
  /** Whether it is a record of an application for live payments. */
  readonly is_record: boolean
  readonly endpoints: readonly DescribedEndpoint[]
  /** The objects that the page describes, by name. Each object is described on one page. */
  readonly objects: ReadonlyMap<string, Schema>
}

const methods = ['post', 'get', 'patch', 'delete'] as const

let described: readonly DescribedResource[] | undefined

/** Returns the resources in the order of the API description, each with its endpoints. */
export function resources(): readonly DescribedResource[] {
  described ??= describe()
  return described
}

/** Returns the resource of a page of the reference, or undefined. */
export const resourceOf = (slug: string): DescribedResource | undefined =>
  resources().find((resource) => resource.slug === slug)

function describe(): DescribedResource[] {
  const endpoints = Object.entries(apiDescription.paths).flatMap(([path, item]) =>
    methods.flatMap((method) => endpointOf(path, method, item[method])),
  )
  const bySlug = Map.groupBy(
    endpoints.filter(({ path }) => !path.endsWith('.json')),
    ({ path }) => slugOf(path),
  )
  const owned = new Set(Object.values(more_objects).flat())
  return Array.from(bySlug, ([slug, own]) => ({
    slug,
    title: titleOf(slug),
    description: apiDescription.tags?.find(({ name }) => name === slug)?.description ?? more_descriptions[slug] ?? '',
    is_record: own.some(({ path }) => path.startsWith('/live_application')),
    endpoints: own,
    objects: objectsOf(slug, own, owned),
  }))
}

/** The objects of a page whose endpoints respond with the object of another page. */
const more_objects: Readonly<Record<string, readonly string[]>> = { refunds: ['Refund', 'RefundRequest'] }

/** The descriptions of pages that no tag of the API description describes. */
const more_descriptions: Readonly<Record<string, string>> = {
  refunds:
    'A refund gives back part or all of a captured payment. A refund request does the same for a payment that was made in cash: a person returns the money.',
}

function objectsOf(slug: string, own: readonly DescribedEndpoint[], owned: Set<string>): Map<string, Schema> {
  const names = [...(more_objects[slug] ?? []), ...new Set(namesIn(own)).difference(owned)]
  for (const name of names) owned.add(name)
  return new Map(names.flatMap((name) => schemaOf(name) ?? []))
}

function schemaOf(name: string): [readonly [string, Schema]] | undefined {
  const schema = apiDescription.components?.schemas?.[name] as Schema | undefined
  return schema && [[name, resolved<Schema>(schema)]]
}

function endpointOf(path: string, method: (typeof methods)[number], operation: Operation | undefined) {
  if (!operation) return []
  const parameters = (operation.parameters ?? []).map((parameter) => resolved<Parameter>(parameter))
  return [{ method: method.toUpperCase(), path, operation, parameters }]
}

/**
 * Returns the resource of a path: its first segment, and of the paths below `/live_application` the last one, because
 * each record of an application has a page of its own. Refunds have a page besides that of payments.
 */
export function slugOf(path: string): string {
  const [first = '', ...rest] = path.split('/').slice(1)
  const record = rest.at(-1)
  if (first === 'payments' && record?.startsWith('refund')) return 'refunds'
  return first === 'live_application' && record !== undefined && record !== 'submit' ? record : first
}

/** `secure_tokens` becomes `Secure tokens`. */
const titleOf = (slug: string): string => (slug.charAt(0).toUpperCase() + slug.slice(1)).replaceAll('_', ' ')

/** Returns the schema of an endpoint's successful response, with its status. */
export function successOf({ operation }: DescribedEndpoint) {
  const [status, body] = Object.entries(operation.responses ?? {}).find(([code]) => code.startsWith('2')) ?? []
  if (status === undefined || body === undefined) return undefined
  const content = resolved<typeof body>(body).content ?? {}
  return { status, content: content['application/json'] ?? Object.values(content)[0] }
}

/** Returns the names of the objects that endpoints respond with, also as entries of lists. */
const namesIn = (endpoints: readonly DescribedEndpoint[]): string[] =>
  endpoints.flatMap((endpoint) => {
    const schema = successOf(endpoint)?.content?.schema
    if (!schema) return []
    const entry = resolved<Schema>(schema).properties?.data?.items
    return nameOfRef(entry ?? schema) ?? []
  })

/** Whether a schema is the page of a list. */
export const isList = (schema: Schema): boolean => schema.properties?.data?.type === 'array'
