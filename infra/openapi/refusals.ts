import { type ErrorCode, error_codes, sentenceOf } from '#shared/domain/errors.ts'
import { statusOf } from '#shared/http/answers.ts'
import { common_refusals, commonListsOf } from '#shared/http/common-refusals.ts'
import type { DocumentedEndpoint } from './endpoints.ts'
import { errorBody, errorExample } from './error-schemas.ts'
import { headersOf, type ResponseHeader } from './headers.ts'
import { pascalCase } from './names.ts'
import type { RecordedExample } from './recorded-examples.ts'

/** The header that the response with an error code has besides `X-Request-Id`. */
const header_of_code: Readonly<Partial<Record<ErrorCode, ResponseHeader>>> = {
  unauthorized: 'WWW-Authenticate',
  method_not_allowed: 'Allow',
  idempotency_in_flight: 'Retry-After',
  rate_limited: 'Retry-After',
  service_unavailable: 'Retry-After',
}

/** All codes that an endpoint can refuse with, in the order of the list of codes. */
export function refusalsOf({ route, refuses }: Pick<DocumentedEndpoint, 'route' | 'refuses'>): ErrorCode[] {
  const codes = new Set<ErrorCode>([...commonListsOf(route).flatMap((list) => common_refusals[list]), ...refuses])
  return error_codes.filter((code) => codes.has(code))
}

/** An error response, or a reference to the component that several operations share. */
type ErrorResponse = ReturnType<typeof errorResponse> | { readonly $ref: string }

/** The most codes of a response whose name as a component is still readable. */
const NAMED_CODES_MAX = 3

/** The error responses that several operations share, by their names. `errorResponses` adds to them. */
export type SharedResponses = Record<string, ReturnType<typeof errorResponse>>

/**
 * Returns the error responses of an endpoint by status. Each lists its codes, with one example of each code: a recorded
 * one, if the scenario has provoked the code at this endpoint. A response with few codes and no recorded example
 * becomes a component in `shared`.
 */
export function errorResponses(
  endpoint: DocumentedEndpoint,
  recorded: readonly RecordedExample[],
  shared: SharedResponses,
): Record<string, ErrorResponse> {
  const codes = refusalsOf(endpoint)
  const statuses = [...new Set(codes.map((code) => statusOf[code]))]
  return Object.fromEntries(
    statuses.map((status) => {
      const own = codes.filter((code) => statusOf[code] === status)
      if (own.length > NAMED_CODES_MAX || own.some((code) => recordedExample(code, recorded)))
        return [String(status), errorResponse(own, recorded)]
      const name = own.map(pascalCase).join('Or')
      shared[name] = errorResponse(own)
      return [String(status), { $ref: `#/components/responses/${name}` }]
    }),
  )
}

/** Returns the response with some codes, which have the same status. */
export function errorResponse(codes: readonly ErrorCode[], recorded: readonly RecordedExample[] = []) {
  return {
    description: codes.map((code) => `\`${code}\`: ${sentenceOf(code)}`).join('\n\n'),
    headers: headersOf(['X-Request-Id', ...codes.flatMap((code) => header_of_code[code] ?? [])]),
    content: {
      'application/json': {
        schema: errorBody(codes),
        examples: Object.fromEntries(codes.map((code) => [code, exampleOf(code, recorded)])),
      },
    },
  }
}

function exampleOf(code: ErrorCode, recorded: readonly RecordedExample[]) {
  const found = recordedExample(code, recorded)
  return found ? { summary: found.summary, value: found.body } : { $ref: `#/components/examples/${code}` }
}

const recordedExample = (code: ErrorCode, recorded: readonly RecordedExample[]) =>
  recorded.find(({ body }) => (body as { readonly error?: { readonly code?: string } }).error?.code === code)

/** The components with one example of each error code that `document` refers to. */
export function errorExamples(document: object) {
  const text = JSON.stringify(document)
  const used = error_codes.filter((code) => text.includes(`"#/components/examples/${code}"`))
  return Object.fromEntries(used.map((code) => [code, { summary: code, value: errorExample(code) }]))
}
