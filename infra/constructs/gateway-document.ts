import { notFound } from '#shared/background.ts'
import { type ErrorCode, sentenceOf } from '#shared/domain/errors.ts'
import {
  BASE_PATH,
  bracedPath,
  errorPage,
  operationId,
  type Route,
  type Row,
  type ServedRoute,
  shortPaths,
} from '#shared/routes.ts'

/** How API Gateway invokes a function, and the role that allows it. */
export interface Invocation {
  readonly uri: string
  readonly credentials: string
}

/**
 * The media types whose bodies reach a function as bytes, in Base64: all of them. As text, an upload would be damaged.
 */
export const binary_media_types = ['*/*']

/**
 * `gatewayDocument` returns the OpenAPI 3 document that API Gateway builds the API from. It has one operation for each
 * endpoint, page, picture and document, `head` beside every `get`, the short onboarding paths with the functions of the long
 * ones, and `not-found` for everything else. Only endpoints require a key. API Gateway responds by itself only
 * where it must, and then in the format of all errors of the API.
 */
export function gatewayDocument(
  {
    rows,
    pages,
    base_url,
  }: {
    readonly rows: readonly Row<Route>[]
    /** The rows whose path is absolute. */
    readonly pages: readonly Row<Exclude<ServedRoute, Route>>[]
    /** The URL of the stage, to which the paths of the pages are appended. It can contain variables of API Gateway. */
    readonly base_url: string
  },
  invocationOf: (file: string) => Invocation,
) {
  const operations = [...rows.flatMap(operationsOf), ...pages.map(operationOfPage)].flatMap(withHead)
  const paths: Record<string, Record<string, unknown>> = {}
  for (const path of ['/{proxy+}', ...operations.flatMap(({ path }) => [path, ...ancestors(path)])]) {
    // API Gateway responds with 403 for a path node without a method, so every node has `not-found` as its default.
    paths[path] = { 'x-amazon-apigateway-any-method': calling(notFound, path, invocationOf) }
  }
  for (const { id, method, path, file, security } of operations) {
    paths[path]![method] = { operationId: id, security, ...calling(file, path, invocationOf) }
  }
  return {
    openapi: '3.0.1',
    info: { title: 'Payment service', version: '1' },
    paths,
    components: {
      securitySchemes: {
        basic: {
          type: 'http',
          scheme: 'basic',
          description: 'An API key as the user name. The functions check it, not the gateway.',
        },
      },
    },
    'x-amazon-apigateway-binary-media-types': binary_media_types,
    'x-amazon-apigateway-gateway-responses': Object.fromEntries(
      gatewayErrors.map((error) => gatewayResponse(error, base_url)),
    ),
  }
}

/** An operation, and for `get` also the same operation as `head`. */
const withHead = <O extends { readonly id: string; readonly method: string }>(operation: O): O[] =>
  operation.method === 'get' ? [operation, { ...operation, id: `head-${operation.id}`, method: 'head' }] : [operation]

const operationOfPage = ({ method, path, file }: Row) => ({
  id: operationId({ path, file }),
  method: method.toLowerCase(),
  path: bracedPath(path),
  file,
  security: [],
})

/** The operations of an endpoint: one for its path, and one for its short path if it has one. */
function operationsOf({ route, method, path, file }: Row<Route>) {
  const operation = (id: string, path: string) => ({
    id,
    method: method.toLowerCase(),
    path: bracedPath(BASE_PATH + path),
    file,
    security: [{ basic: [] }],
  })
  const id = operationId({ path, file })
  const shorts = [...shortPaths()].flatMap(([short, long]) => (long === route ? short : []))
  return [operation(id, path), ...shorts.map((short) => operation(`short-${id}`, short.slice(short.indexOf('/'))))]
}

/** The ancestors of `/api/v1/payments` are `/api/v1`, `/api` and `/`. */
function ancestors(path: string): string[] {
  const parent = path.slice(0, path.lastIndexOf('/'))
  return parent === '' ? ['/'] : [parent, ...ancestors(parent)]
}

function calling(file: string, path: string, invocationOf: (file: string) => Invocation) {
  return {
    parameters: [...path.matchAll(/{([a-z_]+)\+?}/g)].map(([, name]) => ({
      name,
      in: 'path',
      required: true,
      schema: { type: 'string' },
    })),
    responses: { 200: { description: 'The response of the function, which may be an error.' } },
    'x-amazon-apigateway-integration': { type: 'aws_proxy', httpMethod: 'POST', ...invocationOf(file) },
  }
}

/** The responses that API Gateway gives without a function, each with its status and code. */
const gatewayErrors: readonly (readonly [response: string, status: number, code: ErrorCode])[] = [
  ['DEFAULT_4XX', 400, 'bad_request'],
  ['MISSING_AUTHENTICATION_TOKEN', 404, 'not_found'],
  ['REQUEST_TOO_LARGE', 413, 'payload_too_large'],
  ['UNSUPPORTED_MEDIA_TYPE', 415, 'unsupported_media_type'],
  ['THROTTLED', 429, 'rate_limited'],
  // The firewall blocks only requests above a limit.
  ['WAF_FILTERED', 429, 'rate_limited'],
  ['DEFAULT_5XX', 500, 'internal_server_error'],
  ['INTEGRATION_FAILURE', 504, 'gateway_timeout'],
  ['INTEGRATION_TIMEOUT', 504, 'gateway_timeout'],
]

/**
 * The value of `Retry-After`: short for a request above the limit per second of a stage, longer for a request above a
 * limit per minute of the firewall.
 */
const retry_after_seconds: Readonly<Record<string, number>> = { THROTTLED: 1, WAF_FILTERED: 30 }

function gatewayResponse([response, status, code]: (typeof gatewayErrors)[number], base_url: string) {
  const doc_url = base_url + errorPage(code)
  const error = {
    code,
    message: sentenceOf(code),
    param: null,
    details: null,
    request_id: '$context.requestId',
    doc_url,
  }
  return [
    response,
    {
      statusCode: String(status),
      responseParameters: {
        'gatewayresponse.header.X-Request-Id': 'context.requestId',
        // Browsers create tokens. Without this header, their scripts could not read why a request failed.
        'gatewayresponse.header.Access-Control-Allow-Origin': "'*'",
        ...(response in retry_after_seconds && {
          'gatewayresponse.header.Retry-After': `'${retry_after_seconds[response]}'`,
        }),
      },
      responseTemplates: { 'application/json': JSON.stringify({ error }) },
    },
  ] as const
}
