import type { Server } from 'node:http'
import { isIP } from 'node:net'
import { networkInterfaces } from 'node:os'

/** Addresses that mean every address of this machine when a server listens on them. */
const ALL_INTERFACES = ['0.0.0.0', '::']

/** The form of a `Host` header: a name or an IP address, and perhaps a port. */
const HOST_HEADER = /^([\w.-]+|\[[\da-f:.]+\])(:\d{1,5})?$/i

/** The HTTP server of this process: which addresses lead to it, and which `Host` headers name it. */
export class OwnServer {
  #server: Server | undefined
  #host: string | undefined

  /** Sets the server, which need not listen yet, and the name or address that it is configured to listen on. */
  set(server: Server, host: string): void {
    this.#server = server
    this.#host = canonicalHost(host)
  }

  /** Whether a connection to this IP address and port leads to this server; false before the server listens. */
  isAt(address: string, port: number): boolean {
    if (port !== this.#listening()?.port) return false
    const host = canonicalHost(address)
    return isLoopback(host) || ownAddresses().includes(host)
  }

  /**
   * Whether a `Host` header names this machine: `localhost`, a loopback address or the configured host, with any port. A
   * server that listens on all interfaces has each IP address of this machine as well. No other name counts, because
   * whoever owns a name can let it lead to this machine.
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

/** Whether a canonical IP address is this machine's own, on whichever machine it is used. */
const isLoopback = (host: string): boolean => (isIP(host) === 4 ? host.startsWith('127.') : host === '::1')

/** The IP addresses of this machine now: an interface can get another one at any time. */
const ownAddresses = (): string[] =>
  Object.values(networkInterfaces()).flatMap((addresses) => (addresses ?? []).map(({ address }) => address))

/** A host as a URL spells it: a name in lower case, an IP address in its shortest form, without brackets. */
function canonicalHost(host: string): string {
  const url = URL.parse(`http://${host.includes(':') ? `[${host}]` : host}`)
  return withoutBrackets(url?.hostname ?? '')
}

const withoutBrackets = (hostname: string): string => hostname.replace(/^\[|\]$/g, '')
