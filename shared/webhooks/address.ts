import { BlockList, isIP } from 'node:net'
import { Refusal } from '#shared/domain/errors.ts'
import type { Work } from '#shared/store/work.ts'

/**
 * Address ranges that no merchant's receiver is in: this host, private networks, link-local with cloud metadata, all that
 * is reserved, and the one address with which a cloud (Azure) speaks to its machines though it looks public.
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

/** Of IPv6, only global unicast is public, and of that not what stands for something else. */
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

/** Whether an IP address is one that anybody on the internet may have. IPv4 inside IPv6 is never, nor what names a link. */
export function isPublic(address: string): boolean {
  if (address.includes('%')) return false
  if (isIP(address) === 4) return !not_public.check(address, 'ipv4')
  return isIP(address) === 6 && global_unicast.check(address, 'ipv6') && !not_public_v6.check(address, 'ipv6')
}

/** Whether an IP address is this very host. An IPv4 address inside IPv6 is not, although a rule for IPv4 would match it. */
export function isLoopback(address: string): boolean {
  if (isIP(address) === 4) return loopback.check(address, 'ipv4')
  return isIP(address) === 6 && loopback_v6.check(address, 'ipv6')
}

/** The host of a URL: a name in lower case or an address in its usual digits, without brackets and dots around it. */
export const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, '').replace(/\.+$/, '')

/** Whether a host name is this very host, wherever it is looked up. */
export const isLocalName = (host: string): boolean => /(^|\.)localhost$/.test(host)

/** The port that a URL leads to, be it said or its scheme's own. */
export const portOf = ({ protocol, port }: URL): number =>
  port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port)

/**
 * Refuses a webhook URL that can never be called: no `https` in live mode, or a host that is literally private, whatever
 * way it is spelt. Names are looked up when they are called. On a local run test-mode webhooks may go to this host, but
 * no webhook may go to the service's own server.
 */
export function refuseUnsafeUrl({ platform, mode }: Work, url: string, param: string): void {
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
