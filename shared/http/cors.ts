import { publishable, type Route } from '#shared/routes.ts'

/** What lets a page of any origin read an answer. */
export const readable = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers': 'X-Request-Id, Idempotent-Replayed, Retry-After',
} as const

/** What every answer of a route carries so that a page in a browser may read it; nothing where the route is not for browsers. */
export function corsHeaders(route: Route): Readonly<Record<string, string>> {
  return publishable.has(route) ? readable : {}
}
