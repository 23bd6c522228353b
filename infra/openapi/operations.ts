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
  { request, method }: DescribedEndpoint,
  schemas: ComponentSchemas,
  examples: readonly RecordedExample[],
) {
  if (!hasParameters(request) || method === 'GET') return {}
  const schema = schemas.refTo(request)
  const component = schemas.components[schema.$ref!.slice(COMPONENTS.length)]!
  const file = examples.find((example) => example.request.file)
  if (file) return { requestBody: { required: true, content: { 'multipart/form-data': fileContent(schema, file) } } }
  const shown = examples
    .filter((example) => example.request.content && hasReachedProvider(example))
    .map(({ name, summary, request }) => [name, { summary, value: request.content }])
  return {
    requestBody: {
      required: (component.required ?? []).length > 0,
      content: {
        'application/json': { schema, ...(shown.length > 0 && { examples: Object.fromEntries(shown) }) },
        'application/x-www-form-urlencoded': { schema, ...encodingOf(component, schemas.components) },
      },
    },
  }
}

const fileContent = (schema: Schema, { name, summary, request: { file } }: RecordedExample) => ({
  schema,
  examples: { [name]: { summary, value: { paper: file!.name } } },
})

/** Whether a request was valid: it succeeded, or its payment was declined. */
const hasReachedProvider = ({ status, body }: RecordedExample): boolean =>
  status < 400 || 'payment' in ((body as { readonly error?: { readonly details?: object } }).error?.details ?? {})

/** How objects and lists are written in a form: `payment_details[type]=paypay`. */
function encodingOf({ properties = {} }: Schema, components: ComponentSchemas['components']) {
  const nested = Object.entries(properties).filter(([, schema]) => isNested(schema, components))
  const encoding = nested.map(([name]) => [name, { style: 'deepObject', explode: true }])
  return encoding.length > 0 ? { encoding: Object.fromEntries(encoding) } : {}
}

/** Whether a value of a schema can be an object or a list. */
function isNested({ $ref, type, anyOf = [], oneOf = [] }: Schema, components: ComponentSchemas['components']): boolean {
  const parts = [...($ref ? [components[$ref.slice(COMPONENTS.length)]!] : []), ...anyOf, ...oneOf]
  return (
    [type].flat().some((one) => one === 'object' || one === 'array') || parts.some((part) => isNested(part, components))
  )
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
  if (!response) throw new Error(`${route} has no schema of its response`)
  const schema = schemas.refTo(response)
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

/** The operation that returns this document. It needs no key. */
export const document_operation = {
  operationId: 'docs-openapi',
  summary: 'Shows this API description',
  description: 'Shows this document as JSON. The endpoint needs no API key.',
  tags: ['documents'],
  security: [],
  responses: {
    200: {
      description: 'The OpenAPI 3.1 document.',
      content: { 'application/json': { schema: { type: 'object', description: 'An OpenAPI 3.1 document.' } } },
    },
    403: { $ref: '#/components/responses/Forbidden' },
    429: { $ref: '#/components/responses/RateLimited' },
  },
} as const
