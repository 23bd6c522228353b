import { type ErrorCode, Refusal } from '#shared/domain/errors.ts'
import { PlatformUnavailable, WriteConflict } from '#shared/platform/ports.ts'
import { errorPage } from '#shared/routes.ts'
import { type Arrived, baseUrl } from './base-url.ts'
import { requestId } from './request-id.ts'

/** A response in the format that API Gateway expects from a function. */
export interface Answer {
  readonly statusCode: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly isBase64Encoded: boolean
}

/** The HTTP status of every error code. */
export const statusOf: Readonly<Record<ErrorCode, number>> = {
  bad_request: 400,
  unauthorized: 401,
  card_declined: 402,
  insufficient_funds: 402,
  exceeds_limit: 402,
  bad_verification_value: 402,
  card_expired: 402,
  invalid_number: 402,
  invalid_account: 402,
  restricted_account: 402,
  used_number: 402,
  other_error: 402,
  forbidden: 403,
  not_found: 404,
  method_not_allowed: 405,
  conflict: 409,
  idempotency_in_flight: 409,
  payload_too_large: 413,
  unsupported_media_type: 415,
  missing_parameter: 422,
  invalid_parameter: 422,
  invalid_token: 422,
  invalid_currency: 422,
  invalid_payment_type: 422,
  not_capturable: 422,
  not_refundable: 422,
  not_cancellable: 422,
  unprocessable_entity: 422,
  fraudulent: 422,
  idempotency_mismatch: 422,
  rate_limited: 429,
  internal_server_error: 500,
  service_unavailable: 503,
  gateway_timeout: 504,
}

/** The response headers of an error code. Waits are in seconds. */
const headersOf: Readonly<Partial<Record<ErrorCode, Readonly<Record<string, string>>>>> = {
  unauthorized: { 'WWW-Authenticate': 'Basic realm="Payment API", charset="UTF-8"' },
  rate_limited: { 'Retry-After': '60' },
  service_unavailable: { 'Retry-After': '5' },
}

/** Returns a 200 response with `body` as JSON. */
export function okAnswer(body: unknown, request_id: string): Answer {
  return jsonAnswer(200, body, request_id)
}

/** Returns the same response as a 302 that redirects the client. */
export function foundAnswer(answer: Answer, location: string): Answer {
  return { ...answer, statusCode: 302, headers: { ...answer.headers, Location: location } }
}

/**
 * Returns the error envelope of a refusal, with the status of its code. `doc_url` leads to the code in the reference
 * pages of the service that the request addressed. `headers` are added and override the headers of the code.
 */
export function errorAnswer(refusal: Refusal, request: Refused, headers?: Readonly<Record<string, string>>): Answer {
  const { code, message, param, retry_after_seconds } = refusal
  const request_id = requestId(request)
  const doc_url = baseUrl(request) + errorPage(code)
  const error = { code, message, param, details: detailsOf(refusal), request_id, doc_url }
  return jsonAnswer(statusOf[code], { error }, request_id, {
    ...headersOf[code],
    ...(retry_after_seconds !== null && { 'Retry-After': String(retry_after_seconds) }),
    ...headers,
  })
}

/** The parts of a request that its error response comes from. */
type Refused = Arrived & { readonly requestContext: { readonly requestId?: string } }

/** Adds `errors` to a 422 with a single fault, so that clients always find faults in the same place. */
function detailsOf({ code, message, param, details }: Refusal): Refusal['details'] {
  if (details || param === null || statusOf[code] !== 422) return details
  return { errors: [{ code, message, param }] }
}

function jsonAnswer(
  statusCode: number,
  body: unknown,
  request_id: string,
  headers?: Readonly<Record<string, string>>,
): Answer {
  return {
    statusCode,
    headers: {
      'Content-Type': 'application/json; charset=utf-8',
      'Cache-Control': 'no-store',
      'X-Request-Id': request_id,
      ...headers,
    },
    body: JSON.stringify(body),
    isBase64Encoded: false,
  }
}

/**
 * Turns any error into the refusal that a merchant sees. An error that is not a refusal reveals nothing of its cause to
 * the merchant: the cause goes to the log.
 */
export function fromUnknown(error: unknown): Refusal {
  if (error instanceof Refusal) return error
  if (error instanceof PlatformUnavailable) return new Refusal('service_unavailable')
  if (error instanceof WriteConflict) return new Refusal('conflict')
  return new Refusal('internal_server_error')
}
