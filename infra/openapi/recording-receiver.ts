import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Lets a server listen on a free port of this machine and returns its origin. */
export async function listen(server: Server): Promise<string> {
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** The merchant's server of a recording. It accepts every webhook and keeps the bodies. */
export async function openReceiver(): Promise<{ origin: string; bodies: string[]; close: () => void }> {
  const bodies: string[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk)
    bodies.push(Buffer.concat(chunks).toString())
    response.writeHead(200, { 'Content-Type': 'text/plain' }).end('ok')
  })
  const origin = await listen(server)
  const close = () => {
    server.closeAllConnections()
    server.close()
  }
  return { origin, bodies, close }
}
