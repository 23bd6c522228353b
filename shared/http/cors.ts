import { publishable, type Route } from '#shared/routes.ts'

/** The headers that let a page of any origin read a response. */
export const readable = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers': 'X-Request-Id, Idempotent-Replayed, Retry-After, X-Service-Ignored-Parameters',
} as const

/**
 * Returns the headers that let a page in a browser read the responses of a route. There are none for a route that is
 * not for browsers.
 */
export function corsHeaders(route: Route): Readonly<Record<string, string>> {
  return publishable.has(route) ? readable : {}
}
