import { type Method, publishable } from '#shared/routes.ts'
import type { Answer } from './answers.ts'
import { readable } from './cors.ts'
import { matchRoute } from './match-route.ts'

/**
 * Returns the value of the header `Allow` for the methods of a path. A path that serves `GET` serves `HEAD` as well.
 */
export const allowHeader = (allow: readonly Method[]): string =>
  allow.flatMap((method) => (method === 'GET' ? [method, 'HEAD'] : [method])).join(', ')

/**
 * Returns the response to OPTIONS on a path that serves the methods `allow`: 204, with the CORS preflight headers for
 * the methods that browsers may call.
 */
export function optionsAnswer(path: string, allow: readonly Method[], request_id: string): Answer {
  return {
    statusCode: 204,
    headers: { 'X-Request-Id': request_id, Allow: allowHeader(allow), ...preflightHeaders(path, allow) },
    body: '',
    isBase64Encoded: false,
  }
}

function preflightHeaders(path: string, allow: readonly Method[]): Readonly<Record<string, string>> {
  const methods = allow.filter((method) => {
    const match = matchRoute(method, path)
    return match && 'route' in match && publishable.has(match.route)
  })
  if (methods.length === 0) return {}
  return {
    ...readable,
    'Access-Control-Allow-Methods': methods.join(', '),
    'Access-Control-Allow-Headers': 'authorization, content-type, idempotency-key, x-service-scenario, *',
    'Access-Control-Max-Age': '7200',
  }
}
