import { isIP, connect as netConnect, type Socket } from 'node:net'
import { connect as tlsConnect } from 'node:tls'
import { hostOf, isLocalName, isLoopback, isPublic, portOf } from './address.ts'

/** The target of a connection, and the rules that restrict it. */
export interface ConnectionTarget {
  readonly url: URL
  /** Allows loopback addresses too. The value is true only in test mode on a local run. */
  readonly allow_loopback: boolean
  /** Reports whether an address and port belong to this service's own server, which is never a receiver. */
  isOwnServer(address: string, port: number): boolean
  /** Returns the IP addresses of a host name. Throws if the name has none. */
  resolve(host: string): Promise<readonly string[]>
}

/** The limits of a connection: `connect_ms` limits its opening, and `signal` closes the connection at any time. */
export interface ConnectionLimits {
  readonly connect_ms: number
  readonly signal: AbortSignal
}

/** The error for a receiver whose address or URL scheme is not allowed. */
export class Blocked extends Error {}

/** The error for a host name that has no address, or for which no name server responds. */
export class NotResolved extends Error {}

/** The error for a receiver that does not respond in time. */
export class TimedOut extends Error {}

/** The error for a failed TLS handshake, for example with a certificate that is not valid for the host. */
export class TlsFailed extends Error {}

/** The number of addresses that are tried per address family. The tried addresses share `connect_ms` equally. */
const TRIED_PER_FAMILY = 2

/**
 * Opens a connection to a host, with TLS for `https` URLs. Every address of the host must be allowed. The connection
 * uses the checked addresses, so a later change of the host's DNS records cannot redirect it. The address of the open
 * socket is checked again before any byte is sent. `signal` closes every socket. Throws `Blocked`, `NotResolved`,
 * `TimedOut`, `TlsFailed` or the error of the socket.
 */
export async function connectTo(route: ConnectionTarget, hold: ConnectionLimits): Promise<Socket> {
  const { url } = route
  const host = hostOf(url)
  const addresses = isIP(host) ? [host] : await beforeAbort(addressesOf(route, host), hold.signal)
  if (addresses.length === 0) throw new NotResolved(host)
  const port = portOf(url)
  if (!addresses.every((address) => isAllowed(route, address, port))) throw new Blocked(host)
  const socket = await firstOpen(addresses, port, hold)
  // The remote address is undefined if the receiver has closed the connection already.
  if (socket.remoteAddress === undefined) throw new Error('closed as soon as it was open')
  if (!isAllowed(route, socket.remoteAddress, socket.remotePort ?? port)) throw new Blocked(host)
  return url.protocol === 'https:' ? await secured(socket, host) : socket
}

const isAllowed = ({ allow_loopback, isOwnServer }: ConnectionTarget, address: string, port: number): boolean =>
  (isPublic(address) || (allow_loopback && isLoopback(address))) && !isOwnServer(address, port)

/** Returns the addresses of a host. `localhost` needs no look-up. */
async function addressesOf({ resolve }: ConnectionTarget, host: string): Promise<readonly string[]> {
  if (isLocalName(host)) return ['127.0.0.1', '::1']
  try {
    return await resolve(host)
  } catch {
    throw new NotResolved(host)
  }
}

/**
 * Connects to the first address that accepts a connection. The target is an IP address, so no host name is resolved
 * again.
 */
async function firstOpen(
  addresses: readonly string[],
  port: number,
  { connect_ms, signal }: ConnectionLimits,
): Promise<Socket> {
  const tried = addresses.filter((address, index) => {
    const before = addresses.slice(0, index).filter((other) => isIP(other) === isIP(address))
    return before.length < TRIED_PER_FAMILY
  })
  let failure: unknown
  for (const address of tried) {
    signal.throwIfAborted()
    const socket = netConnect({ host: address, port })
    // The signal as an option of `connect` would add a tenth to the cost of a delivery.
    signal.addEventListener('abort', () => socket.destroy(signal.reason), { once: true })
    socket.setTimeout(connect_ms / tried.length, () => socket.destroy(new TimedOut()))
    try {
      await opened(socket, 'connect')
      socket.setTimeout(0)
      return socket
    } catch (error) {
      failure = error
      if (signal.aborted) break
    }
  }
  throw failure
}

/** Adds TLS to an open socket. A certificate must be trusted and valid for the host. */
async function secured(socket: Socket, host: string): Promise<Socket> {
  // Server Name Indication allows only host names, not IP addresses.
  const servername = isIP(host) ? undefined : host
  const secure = tlsConnect({ socket, servername, host, ALPNProtocols: ['http/1.1'], rejectUnauthorized: true })
  try {
    await opened(secure, 'secureConnect')
    return secure
  } catch (error) {
    throw new TlsFailed('no secure connection', { cause: error })
  }
}

function opened(socket: Socket, event: 'connect' | 'secureConnect'): Promise<void> {
  return new Promise((resolve, reject) => {
    socket.once(event, resolve)
    // The listener stays for the life of the socket: an unhandled `error` event would end the process.
    socket.on('error', reject)
    socket.once('close', () => reject(new Error('closed before it was open')))
  })
}

/** Settles like the promise, or rejects with the reason of the signal if the signal aborts first. */
function beforeAbort<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason)
    signal.addEventListener('abort', abort, { once: true })
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort))
  })
}
