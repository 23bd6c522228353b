import { createServer } from 'node:http'
import { startServer, stopServer } from '#test/fixtures/http-server.ts'

/** A request that reached the shop. */
export interface Visit {
  readonly method: string
  /** Path and query. */
  readonly url: string
  readonly referer: string | undefined
}

/** A path of the shop that answers 204, so that a browser stays on its page. */
export const STAY = '/stay'

/** The web site of a merchant, on an origin of its own. */
export interface Shop {
  readonly url: string
  /** Every visit so far, in order. */
  readonly visits: readonly Visit[]
  /** Resolves with the next visit. */
  nextVisit(): Promise<Visit>
  /** Sets the content of a page of the shop. */
  show(path: string, html: string): void
  close(): Promise<void>
}

/**
 * Opens a shop on a free port. Its host is `localhost` and that of the service is `127.0.0.1`, so a browser treats them
 * as two sites.
 */
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
      const resolvers = waiting
      waiting = []
      for (const resolve of resolvers) resolve(visit)
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
