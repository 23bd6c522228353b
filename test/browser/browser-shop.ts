import { createServer } from 'node:http'
import { startServer, stopServer } from '#test/fixtures/http-server.ts'

/** A request that reached the shop. */
export interface Visit {
  readonly method: string
  /** Path and query. */
  readonly url: string
  readonly referer: string | undefined
}

/** A path of the shop that a browser cannot leave its page for: the shop answers that there is nothing to show. */
export const STAY = '/stay'

/** A merchant's web site, on an origin of its own. */
export interface Shop {
  readonly url: string
  /** Every visit so far, in order. */
  readonly visits: readonly Visit[]
  /** The next visit from now on. */
  nextVisit(): Promise<Visit>
  /** Gives a page of the shop's another content. */
  show(path: string, html: string): void
  close(): Promise<void>
}

/** Opens a shop on a free port. It is called `localhost`, the service `127.0.0.1`: to a browser these are two sites. */
export async function openShop(): Promise<Shop> {
  const visits: Visit[] = []
  const pages = new Map<string, string>()
  let waiting: ((visit: Visit) => void)[] = []
  const server = createServer((request, response) => {
    const { method = '', url = '', headers } = request
    const visit: Visit = { method, url, referer: headers.referer }
    visits.push(visit)
    if (url.startsWith(STAY)) response.statusCode = 204
    const content = pages.get(url.split('?')[0]!) ?? '<h1>Thank you for shopping</h1>'
    response.setHeader('content-type', 'text/html; charset=utf-8')
    const body = response.statusCode === 204 ? '' : `<!doctype html><html lang="en"><title>The shop</title>${content}`
    response.end(body, () => {
      const told = waiting
      waiting = []
      for (const tell of told) tell(visit)
    })
  })
  const origin = await startServer(server)
  return {
    url: origin.replace('127.0.0.1', 'localhost'),
    visits,
    nextVisit: () => new Promise((arrived) => waiting.push(arrived)),
    show: (path, html) => pages.set(path, html),
    close: () => stopServer(server),
  }
}
