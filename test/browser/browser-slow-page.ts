import { createServer, type ServerResponse } from 'node:http'
import type { Page } from 'puppeteer-core'
import { startServer, stopServer } from '#test/fixtures/http-server.ts'

/** The ends of elements after which a page is cut into pieces. */
const PIECE_ENDS = /(?<=<\/(?:p|ul|li|h1|h2|section|details|summary|form|dl|legend|fieldset|button|span)>)/

/**
 * Opens a page that arrives piece by piece, as in a slow network: first its header, then element by element. The
 * browser paints after each piece. Returns the number of pieces.
 */
export async function openInPieces(page: Page, url: string): Promise<number> {
  const whole = await fetch(url)
  const [start = '', body = ''] = (await whole.text()).split(/(?=<body)/)
  const [header = '', rest = ''] = body.split(/(?<=<\/header>)/)
  const pieces = [...header.split(/(?<=<\/(?:p|nav)>)/), ...rest.split(PIECE_ENDS)]
  const arrived = Promise.withResolvers<ServerResponse>()
  const server = createServer((_, response) => {
    response.writeHead(whole.status, {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': whole.headers.get('content-security-policy') ?? '',
    })
    arrived.resolve(response)
  })
  const loaded = page.goto(await startServer(server))
  const response = await arrived.promise
  const committed = new Promise((done) => page.once('framenavigated', done))
  response.write(start)
  await committed
  for (const piece of pieces) {
    response.write(piece)
    await page.evaluate('new Promise(requestAnimationFrame).then(() => new Promise(requestAnimationFrame))')
  }
  response.end()
  await loaded
  await stopServer(server)
  return pieces.length
}
