import { scenarios } from '#shared/domain/scenario.ts'

/** The headers of requests, as parameters that operations refer to. */
export const request_headers = {
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    required: false,
    description:
      'Your name for the request, such as a UUID. For 24 hours, the same request with the same key gets the stored ' +
      'response instead of being executed again.',
    schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[ -~]+$' },
    example: '7d2f0a8e-5b1c-4c59-9a53-0c8a1d0f6b7e',
  },
  Scenario: {
    name: 'X-Service-Scenario',
    in: 'header',
    required: false,
    description:
      'Simulates an outcome that no card number can cause: an unknown outcome before or after the charge, a duplicate ' +
      'answer, or a slow answer of the provider. Only test mode reads it.',
    schema: { type: 'string', enum: [...scenarios] },
  },
} as const

/** The headers of responses. */
export const response_headers = {
  'X-Request-Id': {
    description: 'The id of the request. Send it to support when you have a question about the request.',
    schema: { type: 'string' },
  },
  'Idempotent-Replayed': {
    description: 'Present if the response was stored by an earlier request with the same `Idempotency-Key`.',
    schema: { type: 'string', const: 'true' },
  },
  'X-Service-Ignored-Parameters': {
    description:
      'The parameters of the request that the endpoint does not read, separated by commas. Only test mode sends it, so ' +
      'that you find typing errors.',
    schema: { type: 'string' },
  },
  'Retry-After': {
    description:
      'The number of seconds after which the same request can succeed. With `idempotency_in_flight`, the first request is ' +
      'over by then at the latest, and often earlier.',
    schema: { type: 'string', pattern: '^[0-9]+$' },
  },
  'WWW-Authenticate': {
    description:
      'The scheme of authentication: HTTP Basic. On AWS, the header arrives as `x-amzn-Remapped-WWW-Authenticate`.',
    schema: { type: 'string' },
  },
  Allow: { description: 'The methods that the path allows, separated by commas.', schema: { type: 'string' } },
  Location: { description: 'The address to follow.', schema: { type: 'string', format: 'uri' } },
} as const

/** The name of a header that responses have. */
export type ResponseHeader = keyof typeof response_headers

/** Returns references to headers of responses, by name. Names of components cannot contain every character. */
export const headersOf = (names: readonly ResponseHeader[]) =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))
