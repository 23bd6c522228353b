import { isIP, connect as netConnect, type Socket } from 'node:net'
import { connect as tlsConnect } from 'node:tls'
import { hostOf, isLocalName, isLoopback, isPublic, portOf } from './address.ts'

/** Where a connection is to lead. */
export interface Route {
  readonly url: URL
  /** A local run in test mode: this very host is allowed as well. */
  readonly allow_loopback: boolean
  /** Whether an address and port lead to this service's own server, which no receiver is. */
  isOwnServer(address: string, port: number): boolean
  /** The IP addresses of a host name. */
  resolve(host: string): Promise<readonly string[]>
}

/** How long opening a connection may take, and the signal that ends it, open or not. */
export interface Hold {
  readonly connect_ms: number
  readonly signal: AbortSignal
}

/** The address is not one that a receiver may have. */
export class Blocked extends Error {}

/** The host name has no address, or nobody tells it. */
export class NotResolved extends Error {}

/** Nobody answered in time. */
export class TimedOut extends Error {}

/** The host did not show that it is the one that was to be called. */
export class TlsFailed extends Error {}

/** How many addresses of each family are tried: every one takes its share of the time. */
const TRIED_PER_FAMILY = 2

/**
 * A connection to a host, TLS included, all of whose addresses may be called. It leads to an address that was checked,
 * whatever the name resolves to a moment later, and is looked at once more before a byte is sent. Nothing of it outlives
 * the signal.
 */
export async function connectTo(route: Route, hold: Hold): Promise<Socket> {
  const { url } = route
  const host = hostOf(url)
  const addresses = isIP(host) ? [host] : await beforeAbort(addressesOf(route, host), hold.signal)
  if (addresses.length === 0) throw new NotResolved(host)
  const port = portOf(url)
  if (!addresses.every((address) => isAllowed(route, address, port))) throw new Blocked(host)
  const socket = await firstOpen(addresses, port, hold)
  // It has none when the other side has closed already.
  if (socket.remoteAddress === undefined) throw new Error('closed as soon as it was open')
  if (!isAllowed(route, socket.remoteAddress, socket.remotePort ?? port)) throw new Blocked(host)
  return url.protocol === 'https:' ? await secured(socket, host) : socket
}

const isAllowed = ({ allow_loopback, isOwnServer }: Route, address: string, port: number): boolean =>
  (isPublic(address) || (allow_loopback && isLoopback(address))) && !isOwnServer(address, port)

/** `localhost` is this host without asking anybody. */
async function addressesOf({ resolve }: Route, host: string): Promise<readonly string[]> {
  if (isLocalName(host)) return ['127.0.0.1', '::1']
  try {
    return await resolve(host)
  } catch {
    throw new NotResolved(host)
  }
}

/** Connects to one address after the other, in their own digits, so that no name is looked up anew on the way. */
async function firstOpen(addresses: readonly string[], port: number, { connect_ms, signal }: Hold): Promise<Socket> {
  const tried = addresses.filter((address, index) => {
    const before = addresses.slice(0, index).filter((other) => isIP(other) === isIP(address))
    return before.length < TRIED_PER_FAMILY
  })
  let failure: unknown
  for (const address of tried) {
    signal.throwIfAborted()
    const socket = netConnect({ host: address, port })
    // As an option of the connection it would cost a tenth of all that a delivery does.
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

/** TLS on an open socket. A certificate that is not this host's, or that nobody vouches for, ends it. */
async function secured(socket: Socket, host: string): Promise<Socket> {
  // The server may be told a name, never an address.
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
    // It listens for as long as the socket lives: an error that nobody listens to would end the process.
    socket.on('error', reject)
    socket.once('close', () => reject(new Error('closed before it was open')))
  })
}

/** What the promise says, unless the signal comes first: then the reason of the signal. */
function beforeAbort<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason)
    signal.addEventListener('abort', abort, { once: true })
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort))
  })
}
