import { bracedPath, type Method, operationId, publishable, shortPaths } from '#shared/routes.ts'
import type { DescribedEndpoint } from './endpoints.ts'
import type { ExampleRequest } from './examples/example-step.ts'
import { headersOf, type ResponseHeader } from './headers.ts'
import { COMPONENTS, querySchema, type Schema } from './json-schema.ts'
import type { RecordedExample } from './recorded-examples.ts'
import { errorResponses, type SharedResponses } from './refusals.ts'
import { type ComponentSchemas, hasParameters } from './schemas.ts'
import { tagOf } from './tags.ts'

const request_headers_of: Readonly<Record<Method, readonly string[]>> = {
  GET: ['Scenario'],
  POST: ['IdempotencyKey', 'Scenario'],
  PATCH: ['IdempotencyKey', 'Scenario'],
  DELETE: ['Scenario'],
}

/** The descriptions of the parameters in paths. */
const path_parameters: Readonly<Record<string, string>> = {
  key: 'The id of the API key (`key_…`), not the key itself.',
}

/**
 * Returns the operation of an endpoint, with the examples that were recorded at the endpoint. Adds the error responses
 * that the operation refers to to `shared`.
 */
export function operationOf(
  endpoint: DescribedEndpoint,
  schemas: ComponentSchemas,
  recorded: readonly RecordedExample[],
  shared: SharedResponses,
) {
  const { summary, method, path, route } = endpoint
  const examples = recorded.filter((example) => example.route === route)
  const succeeded = examples.filter(({ status }) => status < 400)
  return {
    operationId: operationId(endpoint),
    summary,
    description: descriptionOf(endpoint),
    tags: [tagOf(path)],
    security: [{ secret_key: [] }, ...(publishable.has(route) ? [{ publishable_key: [] }] : [])],
    parameters: [
      ...pathParameters(path, succeeded[0]?.request),
      ...(method === 'GET' ? queryParameters(endpoint, succeeded) : []),
      ...request_headers_of[method].map((name) => ({ $ref: `#/components/parameters/${name}` })),
    ],
    ...requestBody(endpoint, schemas, examples),
    responses: { ...successResponse(endpoint, schemas, succeeded), ...errorResponses(endpoint, examples, shared) },
  }
}

function descriptionOf({ description, route }: DescribedEndpoint): string {
  const shorts = [...shortPaths()].flatMap(([short, long]) => (long === route ? [short.split(' ')[1]] : []))
  return [description, ...shorts.map((short) => `The short path \`${short}\` does the same.`)].join('\n\n')
}

function pathParameters(path: string, request: ExampleRequest | undefined) {
  const resource = tagOf(path).replaceAll('_', ' ').replace(/ies$/, 'y').replace(/s$/, '')
  return [...bracedPath(path).matchAll(/{(\w+)}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    description: path_parameters[name!] ?? `The id of the ${resource}.`,
    schema: { type: 'string', minLength: 1 },
    ...(request?.params && { example: request.params[name!] }),
  }))
}

function queryParameters({ request }: DescribedEndpoint, succeeded: readonly RecordedExample[]) {
  const { properties = {}, required = [] } = request ? querySchema(request) : {}
  return Object.entries(properties).map(([name, { description, ...schema }]) => {
    const example = succeeded.find(({ request: { content = {} } }) => name in content)?.request.content?.[name]
    return {
      name,
      in: 'query',
      required: required.includes(name),
      description,
      schema,
      style: 'form',
      ...(example !== undefined && { example }),
    }
  })
}

function requestBody(
  { request, method, route }: DescribedEndpoint,
  schemas: ComponentSchemas,
  examples: readonly RecordedExample[],
) {
  if (!hasParameters(request) || method === 'GET') return {}
  const schema = schemas.refTo(request)
  const component = schemas.components[schema.$ref!.slice(COMPONENTS.length)]!
  if (route === 'POST /files')
    return { requestBody: { required: true, content: { 'multipart/form-data': { schema } } } }
  const shown = examples
    .filter((example) => example.request.content && hasReachedProvider(example))
    .map(({ name, summary, request }) => [name, { summary, value: request.content }])
  return {
    requestBody: {
      required: (component.required ?? []).length > 0,
      content: {
        'application/json': { schema, ...(shown.length > 0 && { examples: Object.fromEntries(shown) }) },
        'application/x-www-form-urlencoded': { schema, ...encodingOf(component) },
      },
    },
  }
}

/** Whether a request was valid: it succeeded, or its payment was declined. */
const hasReachedProvider = ({ status, body }: RecordedExample): boolean =>
  status < 400 || 'payment' in ((body as { readonly error?: { readonly details?: object } }).error?.details ?? {})

/** How objects and lists are written in a form: `payment_details[type]=paypay`. */
function encodingOf({ properties = {} }: Schema) {
  const nested = Object.entries(properties).filter(([, schema]) =>
    /"(object|array)"|"\$ref"/.test(JSON.stringify(schema)),
  )
  const encoding = nested.map(([name]) => [name, { style: 'deepObject', explode: true }])
  return encoding.length > 0 ? { encoding: Object.fromEntries(encoding) } : {}
}

function successResponse(
  { response, method, route }: DescribedEndpoint,
  schemas: ComponentSchemas,
  succeeded: readonly RecordedExample[],
) {
  const status = succeeded[0]?.status ?? 200
  const headers: ResponseHeader[] = ['X-Request-Id', 'X-Service-Ignored-Parameters']
  if (method === 'POST' || method === 'PATCH') headers.push('Idempotent-Replayed')
  if (status === 302) headers.push('Location')
  const examples = succeeded.map(({ name, summary, body }) => [name, { summary, value: body }])
  const schema = response ? schemas.refTo(response) : { type: route === 'GET /payment_methods' ? 'array' : 'object' }
  return {
    [status]: {
      description:
        status === 302 ? 'The file. The header `Location` has the address of its content.' : 'The request succeeded.',
      headers: headersOf(headers),
      content: {
        'application/json': { schema, ...(examples.length > 0 && { examples: Object.fromEntries(examples) }) },
      },
    },
  }
}
