import { apiDescription, type Operation, type Parameter, resolved, type Schema } from './api-description.ts'

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
  readonly endpoints: readonly DescribedEndpoint[]
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
    endpoints.filter(({ path }) => slugOf(path) !== 'openapi.json'),
    ({ path }) => slugOf(path),
  )
  return Array.from(bySlug, ([slug, own]) => ({
    slug,
    title: titleOf(slug),
    description: descriptionOf(own, endpoints),
    endpoints: own,
  }))
}

function endpointOf(path: string, method: (typeof methods)[number], operation: Operation | undefined) {
  if (!operation) return []
  const parameters = (operation.parameters ?? []).map((parameter) => resolved<Parameter>(parameter))
  return [{ method: method.toUpperCase(), path: path.replace(/^\/api\/v1/, ''), operation, parameters }]
}

/**
 * Returns the resource of a path: its first segment, and of the paths below `/live_application` the last one, because
 * each record of an application has a page of its own.
 */
export function slugOf(path: string): string {
  const [first = '', ...rest] = path
    .replace(/^\/api\/v1/, '')
    .split('/')
    .slice(1)
  const record = rest.at(-1)
  return first === 'live_application' && record !== undefined && record !== 'submit' ? record : first
}

/** `secure_tokens` becomes `Secure tokens`. */
const titleOf = (slug: string): string => (slug.charAt(0).toUpperCase() + slug.slice(1)).replaceAll('_', ' ')

/** Returns the description of the tag of the endpoints, if they share the tag with no endpoint of another page. */
function descriptionOf(own: readonly DescribedEndpoint[], all: readonly DescribedEndpoint[]): string {
  const tag = own[0]?.operation.tags?.[0]
  const tagged = all.filter(({ operation }) => operation.tags?.[0] === tag)
  if (tag === undefined || tagged.length !== own.length) return ''
  return apiDescription.tags?.find(({ name }) => name === tag)?.description ?? ''
}

/** Returns the schema of an endpoint's successful response, with its status. */
export function successOf({ operation }: DescribedEndpoint) {
  const [status, body] = Object.entries(operation.responses ?? {}).find(([code]) => code.startsWith('2')) ?? []
  if (status === undefined || body === undefined) return undefined
  const content = resolved<typeof body>(body).content ?? {}
  return { status, content: content['application/json'] ?? Object.values(content)[0] }
}

/** Returns the schemas of the resources that the endpoints of a page respond with, by name, without lists. */
export function schemasOf({ endpoints }: DescribedResource): Map<string, Schema> {
  const refs = endpoints.flatMap((endpoint) => {
    const schema = successOf(endpoint)?.content?.schema
    return [schema, schema?.properties?.data?.items].filter((one) => one?.$ref !== undefined)
  })
  const named = refs.map((schema) => [schema!.$ref!.split('/').at(-1)!, resolved<Schema>(schema!)] as const)
  return new Map(named.filter(([, schema]) => !isList(schema)))
}

/** Whether a schema is the page of a list. */
export const isList = (schema: Schema): boolean => schema.properties?.data?.type === 'array'
