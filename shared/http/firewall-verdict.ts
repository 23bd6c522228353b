import { Refusal } from '#shared/domain/errors.ts'
import { header, type SentHeaders } from './header.ts'

/**
 * `firewallRefusal` is the refusal of a request that the firewall marked because of its path or headers, and undefined
 * for any other request. The mark is a header, whose value does not matter. A client that sends this header itself only
 * causes its own requests to be refused.
 */
export function firewallRefusal({ headers }: SentHeaders): Refusal | undefined {
  if (header(headers, 'x-amzn-waf-request') === undefined) return undefined
  return new Refusal('forbidden', {
    message:
      'The firewall refused this request because of its path or its headers. If the request is genuine, contact support with its request id.',
  })
}

/**
 * `oversizeRefusal` is the refusal of a request whose headers are larger than the firewall inspects, and undefined for
 * any other request. The firewall cannot see a key beyond the inspected headers, so its limit per key would not count
 * the request.
 */
export function oversizeRefusal({ headers }: SentHeaders): Refusal | undefined {
  if (header(headers, 'x-amzn-waf-headers') === undefined) return undefined
  return new Refusal('bad_request', {
    message: 'The headers of the request are too large. Send at most 8 KB in at most 200 headers.',
  })
}

/**
 * Reports whether the firewall found the client's address on a reputation list. Such a request is logged, and never
 * refused for this reason.
 */
export const isFromListedAddress = ({ headers }: SentHeaders): boolean =>
  header(headers, 'x-amzn-waf-address') !== undefined
