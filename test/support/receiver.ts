import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** One request as it came in. */
export interface Received {
  readonly method: string
  readonly path: string
  readonly headers: IncomingHttpHeaders
  /** The raw bytes. */
  readonly body: Buffer
  /** When it came, by the clock of the service. */
  readonly at: number
}

/** What a receiver says: a status alone, or with headers and a body. */
export type Said =
  | number
  | { readonly status: number; readonly headers?: Readonly<Record<string, string>>; readonly body?: string | Buffer }

/** A merchant's server. */
export interface Receiver {
  /** Where it listens, without a path. */
  readonly origin: string
  /** All that came, in the order of their coming. */
  readonly received: Received[]
  /** What it says to a request, of which `nth` (from 1) came before and with it; may be changed. */
  says: (request: Received, nth: number) => Said | Promise<Said>
  close(): Promise<void>
}

/** A real HTTP server on a free port of this machine, that notes what comes and answers as it is told: at first with 200. */
export async function openReceiver(now: () => number = Date.now): Promise<Receiver> {
  const server = createServer((request, response) => {
    // A caller that goes away in the midst of it has said what it had to say.
    answer(request, response).catch(() => response.destroy())
  })
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const chunks: Buffer[] = []
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk)
    const { method = '', url: path = '', headers } = request
    const came: Received = { method, path, headers, body: Buffer.concat(chunks), at: now() }
    receiver.received.push(came)
    const said = await receiver.says(came, receiver.received.length)
    const { status, headers: sent, body } = typeof said === 'number' ? { status: said } : said
    response.writeHead(status, sent).end(body)
  }
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const receiver: Receiver = {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received: [],
    says: () => 200,
    async close() {
      server.closeAllConnections()
      await new Promise((closed) => server.close(closed))
    },
  }
  return receiver
}
