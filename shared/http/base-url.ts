import type { APIGatewayProxyEvent } from 'aws-lambda'
import { header } from './header.ts'

/** What of a request tells where it came to. */
type Arrived = Pick<APIGatewayProxyEvent, 'headers' | 'path'> & {
  readonly requestContext: { readonly path?: string; readonly domainName?: string }
}

/** Where the request came to, without its own path: `https://host`, and the stage where it is part of the path. */
export function baseUrl({ headers, requestContext, path }: Arrived): string {
  const stage = (requestContext.path ?? path).slice(0, -path.length)
  return origin({ headers, requestContext }) + stage
}

/**
 * Whether a browser sent the request from a page of ours. A browser that tells no `Origin` may tell the site instead; what
 * tells neither does not count as ours.
 */
export function isFromOurPages({ headers, requestContext }: Pick<Arrived, 'headers' | 'requestContext'>): boolean {
  const from = header(headers, 'origin')
  return from === undefined
    ? header(headers, 'sec-fetch-site') === 'same-origin'
    : from === origin({ headers, requestContext })
}

/** A name or an address, and perhaps a port: nothing else may get into our links. */
const HOST = /^([a-z0-9.-]+|\[[0-9a-f:.]+\])(:\d{1,5})?$/i

/**
 * On AWS the gateway knows under which of its names it was called, whatever the headers claim. Elsewhere the `Host` header
 * tells, and a proxy in front that there was TLS.
 */
function origin({ headers, requestContext }: Pick<Arrived, 'headers' | 'requestContext'>): string {
  if (requestContext.domainName) return `https://${requestContext.domainName}`
  const scheme = header(headers, 'x-forwarded-proto') === 'https' ? 'https' : 'http'
  const host = header(headers, 'host') ?? ''
  return `${scheme}://${HOST.test(host) ? host : 'localhost'}`
}
