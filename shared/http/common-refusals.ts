import type { ErrorCode } from '#shared/domain/errors.ts'
import type { Route } from '#shared/routes.ts'

/**
 * The error codes that any endpoint can return, because the request lifecycle or API Gateway refuses the request. Each
 * list applies to the requests that its name describes. The doc comment of a handler lists, after `@refuses`, the
 * codes that the endpoint adds. It repeats a code from here only if the endpoint has a message or details of its own.
 */
export const common_refusals = {
  /**
   * Authentication refuses with `unauthorized` and `forbidden`, the firewall with `forbidden`, `bad_request` and
   * `rate_limited`, the parser of queries with `bad_request`. The others report a fault of the service.
   */
  every_request: [
    'bad_request',
    'forbidden',
    'gateway_timeout',
    'internal_server_error',
    'rate_limited',
    'service_unavailable',
    'unauthorized',
  ],
  /** In test mode, the header `X-Service-Scenario` is read. `invalid_parameter` then names the header as `param`. */
  in_test_mode: ['invalid_parameter'],
  /** A request of any method can have a body, and the body is read. */
  with_body: ['bad_request', 'payload_too_large', 'unsupported_media_type'],
  /** A request that writes can lose against concurrent writes. `GET` writes nothing. */
  writing: ['conflict'],
  /** `POST` and `PATCH` read the header `Idempotency-Key`. `invalid_parameter` then names the header as `param`. */
  with_idempotency_key: ['idempotency_in_flight', 'idempotency_mismatch', 'invalid_parameter'],
} as const satisfies Readonly<Record<string, readonly ErrorCode[]>>

/** Returns the names of the lists in `common_refusals` that apply to requests of a route. */
export function commonListsOf(route: Route): (keyof typeof common_refusals)[] {
  const always = ['every_request', 'in_test_mode', 'with_body'] as const
  if (route.startsWith('GET ')) return [...always]
  return route.startsWith('DELETE ') ? [...always, 'writing'] : [...always, 'writing', 'with_idempotency_key']
}
