import type { Server } from 'node:http'
import { isIP } from 'node:net'
import { networkInterfaces } from 'node:os'

/** A server that listens on one of these addresses listens on every address of this machine. */
const ALL_INTERFACES = ['0.0.0.0', '::']

/** The form of a `Host` header: a name or an IP address, with an optional port. */
const HOST_HEADER = /^([\w.-]+|\[[\da-f:.]+\])(:\d{1,5})?$/i

/**
 * The HTTP server of this process. Checks whether an address leads to the server and whether a `Host` header names it.
 */
export class OwnServer {
  #server: Server | undefined
  #host: string | undefined

  /** Sets the server, which need not listen yet, and the name or address on which it is configured to listen. */
  set(server: Server, host: string): void {
    this.#server = server
    this.#host = canonicalHost(host)
  }

  /** Whether a connection to this IP address and port leads to this server. False before the server listens. */
  isAt(address: string, port: number): boolean {
    if (port !== this.#listening()?.port) return false
    const host = canonicalHost(address)
    return isLoopback(host) || ownAddresses().includes(host)
  }

  /**
   * Whether a `Host` header names this machine: `localhost`, a loopback address or the configured host, with any port.
   * If the server listens on all interfaces, each IP address of this machine names it as well. Other names are not
   * accepted, because the owner of a name can point it to this machine.
   */
  isNamedBy(header: string): boolean {
    const url = HOST_HEADER.test(header) ? URL.parse(`http://${header}`) : null
    if (!url) return false
    const host = withoutBrackets(url.hostname)
    if (host === 'localhost' || host === this.#host || isLoopback(host)) return true
    return ALL_INTERFACES.includes(this.#listening()?.address ?? '') && ownAddresses().includes(host)
  }

  #listening() {
    const listening = this.#server?.address()
    return listening && typeof listening === 'object' ? listening : undefined
  }
}

/** Whether a canonical host is a loopback address. */
const isLoopback = (host: string): boolean => (isIP(host) === 4 ? host.startsWith('127.') : host === '::1')

/** Returns the current IP addresses of this machine. They can change at any time, so they are not cached. */
const ownAddresses = (): string[] =>
  Object.values(networkInterfaces()).flatMap((addresses) => (addresses ?? []).map(({ address }) => address))

/** Returns a host as a URL spells it: a name in lower case, an IP address in its shortest form and without brackets. */
function canonicalHost(host: string): string {
  const url = URL.parse(`http://${host.includes(':') ? `[${host}]` : host}`)
  return withoutBrackets(url?.hostname ?? '')
}

const withoutBrackets = (hostname: string): string => hostname.replace(/^\[|\]$/g, '')
