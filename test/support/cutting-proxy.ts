import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Passes every request on to a server, and lets a test decide whether its answer comes back. */
export interface CuttingProxy {
  readonly url: string
  /** How many of the next answers are lost: the server does what it was asked, and the connection is cut. */
  cut: number
  requests: number
  stop(): void
}

/** A proxy in front of `upstream`, on a free port. */
export async function startCuttingProxy(upstream: string): Promise<CuttingProxy> {
  const server = createServer(async (request, response) => {
    proxy.requests++
    const body = Buffer.concat(await request.toArray())
    const { host, connection, 'content-length': _, ...headers } = request.headers
    const answer = await fetch(upstream, { method: 'POST', headers: headers as Record<string, string>, body })
    const text = await answer.text()
    if (proxy.cut-- > 0) request.socket.destroy()
    else response.writeHead(answer.status, Object.fromEntries(answer.headers)).end(text)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const proxy: CuttingProxy = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cut: 0,
    requests: 0,
    stop: () => server.close(),
  }
  return proxy
}
