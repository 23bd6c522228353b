import { BlockList, isIP } from 'node:net'
import { Refusal } from '#shared/domain/errors.ts'
import type { UnitOfWork } from '#shared/store/unit-of-work.ts'

/**
 * IPv4 ranges that no receiver may be in: this host, private networks, link-local addresses (which include cloud
 * metadata), all reserved ranges, and 168.63.129.16, a public-looking address through which Azure serves its virtual
 * machines.
 */
const not_public = new BlockList()
for (const [network, bits] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['168.63.129.16', 32],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
] as const)
  not_public.addSubnet(network, bits, 'ipv4')

/**
 * Only global unicast addresses (2000::/3) are public in IPv6, except for the ranges below, which embed other addresses
 * or are reserved.
 */
const global_unicast = new BlockList()
global_unicast.addSubnet('2000::', 3, 'ipv6')
const not_public_v6 = new BlockList()
for (const [network, bits] of [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const)
  not_public_v6.addSubnet(network, bits, 'ipv6')

const loopback = new BlockList()
loopback.addSubnet('127.0.0.0', 8, 'ipv4')
const loopback_v6 = new BlockList()
loopback_v6.addAddress('::1', 'ipv6')

/**
 * Reports whether an IP address is on the public internet. An IPv4 address inside an IPv6 address never is, and neither
 * is an address with a zone index (`fe80::1%eth0`).
 */
export function isPublic(address: string): boolean {
  if (address.includes('%')) return false
  if (isIP(address) === 4) return !not_public.check(address, 'ipv4')
  return isIP(address) === 6 && global_unicast.check(address, 'ipv6') && !not_public_v6.check(address, 'ipv6')
}

/**
 * Reports whether an IP address is a loopback address. An IPv4 address inside an IPv6 address is not. The two families
 * have separate block lists, because an IPv4 rule would also match such an address.
 */
export function isLoopback(address: string): boolean {
  if (isIP(address) === 4) return loopback.check(address, 'ipv4')
  return isIP(address) === 6 && loopback_v6.check(address, 'ipv6')
}

/**
 * Returns the host of a URL: a name in lower case, or an IP address in canonical form, without brackets and without
 * dots at the end.
 */
export const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, '').replace(/\.+$/, '')

/** Reports whether a host name is `localhost` or ends in `.localhost`. Such a name always means this host. */
export const isLocalName = (host: string): boolean => /(^|\.)localhost$/.test(host)

/** Returns the port of a URL: the explicit port, or the default port of its scheme. */
export const portOf = ({ protocol, port }: URL): number =>
  port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port)

/**
 * Refuses with `invalid_parameter` a webhook URL that can never be called: a URL without `https` in live mode, or a
 * host that is a private address in any spelling. On a local run, webhooks of test mode may call this host, but no
 * webhook may call the service's own server. Host names are resolved when a delivery is made, not here.
 */
export function refuseUnsafeUrl({ platform, mode }: UnitOfWork, url: string, param: string): void {
  const parsed = new URL(url)
  const refuse = (fault: string) => {
    throw new Refusal('invalid_parameter', { param, message: `${param} ${fault}.` })
  }
  if (mode === 'live' && parsed.protocol !== 'https:') refuse('must be an https URL in live mode')
  const host = hostOf(parsed)
  const isThisHost = isLoopback(host) || isLocalName(host)
  const address = isLocalName(host) ? '127.0.0.1' : host
  if (isIP(address) !== 0 && platform.isOwnServer(address, portOf(parsed)))
    refuse('must not lead to this service itself: give the address of your own server')
  if (isThisHost && platform.loopback_webhooks && mode === 'test') return
  if (isThisHost || (isIP(host) !== 0 && !isPublic(host))) refuse('must lead to a public address')
}
