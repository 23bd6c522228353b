import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/**
 * How a receiver does: it answers 200; or takes the request and never answers; or takes it and hangs up; or nobody listens
 * there.
 */
export type Health = 'well' | 'hanging' | 'broken' | 'dead'

/** A POST that came to a receiver. */
export interface Arrival {
  readonly url: string
  /** The id of the delivery, as the header tells it. */
  readonly id: string
  readonly body: string
  /** By `machineTime`. */
  readonly at: number
}

/** Many receivers of webhooks, each at an address of its own. */
export interface Receivers {
  /** In the order in which they were asked for. */
  readonly urls: readonly string[]
  /** Changes how those do that do as named. Nobody dies or comes to life. */
  become(health: 'well' | 'hanging' | 'broken', of: 'well' | 'hanging' | 'broken'): void
  close(): Promise<void>
}

/** Milliseconds of a clock that all processes of a machine share. */
export const machineTime = (): number => Number(process.hrtime.bigint()) / 1e6

/** One receiver for each health that is named. */
export async function openReceivers(
  healths: readonly Health[],
  onArrival: (arrival: Arrival) => void,
): Promise<Receivers> {
  const open = await Promise.all(healths.map((health) => openOne(health, onArrival)))
  return {
    urls: open.map(({ url }) => url),
    become(health, of) {
      for (const one of open) if (one.health === of) one.become(health)
    },
    async close() {
      await Promise.all(open.map(({ server }) => ended(server)))
    },
  }
}

interface One {
  readonly url: string
  readonly server: Server
  health: Health
  become(health: Health): void
}

async function openOne(health: Health, onArrival: (arrival: Arrival) => void): Promise<One> {
  const held = new Set<ServerResponse>()
  const answer = (response: ServerResponse) => {
    if (one.health === 'well') response.end()
    else if (one.health === 'broken') response.destroy()
    else held.add(response)
    response.once('close', () => held.delete(response))
  }
  const server = createServer(async (request, response) => {
    const body = await bodyOf(request)
    if (body === undefined) return
    const at = machineTime()
    answer(response)
    onArrival({ url: one.url, id: String(request.headers['x-service-id']), body, at })
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  // Nobody listens at the other address of the same port, as long as this server holds it.
  const host = health === 'dead' ? '127.0.0.2' : '127.0.0.1'
  const one: One = {
    url: `http://${host}:${(server.address() as AddressInfo).port}/`,
    server,
    health,
    become(next) {
      one.health = next
      for (const response of [...held]) answer(response)
    },
  }
  return one
}

/** Undefined of a caller that went away in the midst of it. */
async function bodyOf(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = []
  try {
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk)
  } catch {
    return undefined
  }
  return Buffer.concat(chunks).toString()
}

function ended(server: Server): Promise<unknown> {
  server.closeAllConnections()
  return new Promise((closed) => server.close(closed))
}
