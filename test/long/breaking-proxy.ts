import { once } from 'node:events'
import { createServer, request as httpRequest } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A request on its way to the server. */
export interface Passing {
  readonly method: string
  /** Path and query. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
}

/** A response on its way to the client. The names of its headers are in lower case. */
export interface Returning {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Buffer
}

/** A fault: it changes a request, changes a response, or closes the connection without a response (`cut`). */
export interface Breakage {
  request?(request: Passing): Passing
  answer?(answer: Returning, request: Passing): Returning | 'cut'
}

/** A proxy in front of a server that injects faults. */
export interface BreakingProxy {
  readonly url: string
  breakage: Breakage
  /** The requests so far, each with the status of its response. */
  readonly seen: string[]
  stop(): void
}

/** Starts a proxy in front of `upstream` on a free port. The service creates its links from the proxy's host. */
export async function startBreakingProxy(upstream: string): Promise<BreakingProxy> {
  const server = createServer(async (incoming, outgoing) => {
    const body = Buffer.concat(await incoming.toArray())
    const asked = { method: incoming.method!, path: incoming.url!, headers: incoming.headers as Passing['headers'] }
    const { request = (one) => one, answer = (one) => one } = proxy.breakage
    const passing = request(asked)
    const returning = answer(await passedOn(upstream, passing, body), passing)
    if (returning === 'cut') return incoming.socket.destroy()
    proxy.seen.push(`${asked.method} ${asked.path} ${returning.status}`)
    const { 'content-length': _, ...headers } = returning.headers
    return outgoing.writeHead(returning.status, headers).end(returning.body)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const proxy: BreakingProxy = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    breakage: {},
    seen: [],
    stop() {
      server.closeAllConnections()
      server.close()
    },
  }
  return proxy
}

async function passedOn(upstream: string, { method, path, headers }: Passing, body: Buffer): Promise<Returning> {
  const request = httpRequest(upstream + path, { method, headers }).end(body)
  const [response] = await once(request, 'response')
  return {
    status: response.statusCode,
    headers: response.headers,
    body: Buffer.concat(await response.toArray()),
  }
}
