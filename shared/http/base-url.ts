import type { APIGatewayProxyEvent } from 'aws-lambda'
import { header } from './header.ts'

/** The parts of a request that its base URL comes from. */
export type Arrived = Pick<APIGatewayProxyEvent, 'headers' | 'path'> & {
  readonly requestContext: { readonly path?: string; readonly domainName?: string }
}

/**
 * Returns the URL of the service as the request addressed it, without the path of the request: `https://host`, plus the
 * stage if the stage is part of the path.
 */
export function baseUrl({ headers, requestContext, path }: Arrived): string {
  const stage = (requestContext.path ?? path).slice(0, -path.length)
  return origin({ headers, requestContext }) + stage
}

/** Reports whether the connection of a request is encrypted. */
export const isEncrypted = (event: Arrived): boolean => baseUrl(event).startsWith('https:')

/**
 * Reports whether a browser sent the request from one of our pages. Without an `Origin` header, `Sec-Fetch-Site`
 * decides. A request with neither header is not from our pages.
 */
export function isFromOurPages({ headers, requestContext }: Pick<Arrived, 'headers' | 'requestContext'>): boolean {
  const from = header(headers, 'origin')
  return from === undefined
    ? header(headers, 'sec-fetch-site') === 'same-origin'
    : from === origin({ headers, requestContext })
}

/**
 * The characters of a host name or an IP address, with an optional port. A host name has at most 253 characters. A QR
 * code has no room for the link of a longer one.
 */
const HOST = /^([a-z0-9.-]{1,253}|\[[0-9a-f:.]{1,45}\])(:\d{1,5})?$/i

/**
 * Returns the origin that the request was sent to. On AWS, the domain name comes from API Gateway, not from a header
 * that a client can forge. Elsewhere, the host comes from the `Host` header, and a proxy reports TLS in
 * `X-Forwarded-Proto`. A `Host` that makes no valid URL, such as `999.0.0.1`, is replaced by `localhost`, because the
 * host becomes part of our links.
 */
function origin({ headers, requestContext }: Pick<Arrived, 'headers' | 'requestContext'>): string {
  if (requestContext.domainName) return `https://${requestContext.domainName}`
  const scheme = header(headers, 'x-forwarded-proto') === 'https' ? 'https' : 'http'
  const host = header(headers, 'host') ?? ''
  const named = `${scheme}://${host}`
  return HOST.test(host) && URL.canParse(named) ? named : `${scheme}://localhost`
}
