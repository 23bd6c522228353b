import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { notFound } from '#shared/background.ts'
import { Refusal } from '#shared/domain/errors.ts'
import { type Answer, errorAnswer } from '#shared/http/answers.ts'
import { matchRoute } from '#shared/http/match-route.ts'
import { MAX_UPLOAD_BYTES } from '#shared/http/upload-limit.ts'
import type { Platform } from '#shared/platform/ports.ts'
import { control } from './control.ts'
import type { Invoke } from './due-work.ts'
import { type GatewayEvent, gatewayEvent } from './gateway-event.ts'
import { asksForHomePage } from './home-page.ts'
import type { LocalPlatform } from './local-platform.ts'
import { Workers } from './workers.ts'

/**
 * The maximum number of bytes that are read of a body that is too large. Many clients read the response only after they
 * have sent the whole body.
 */
const READ_BYTES_MAX = 64 * 1024 * 1024

/**
 * Returns the whole service on this machine: an HTTP server that does not listen yet, and its workers. `host` is the
 * name or address on which the server will listen. `invoke` calls the functions.
 */
export function localService(
  platform: LocalPlatform,
  host = '127.0.0.1',
  invoke?: Invoke,
): { server: Server; workers: Workers } {
  const advanceClock = (seconds: number) => workers.advanceTo(platform.clock.now() + seconds * 1000)
  const call = invoke ?? invoker(Object.assign(platform, { advanceClock }))
  const workers = new Workers(platform, call)
  const { epochs } = platform
  const server = gateway(
    (file, event) => epochs.serve(() => call(file, event)),
    (event) => epochs.serve(() => control(platform, workers, event)),
  )
  platform.own_server.set(server, host)
  return { server, workers }
}

/**
 * Returns an HTTP server that does not listen yet. It does the work of API Gateway: it routes each request to a
 * function and calls the function with `invoke`. Requests to paths below `/_local/` and for the home page
 * go to `controls`, if given.
 */
export function gateway(invoke: Invoke, controls?: (event: GatewayEvent) => Promise<Answer>): Server {
  const serve = (request: IncomingMessage, response: ServerResponse) => {
    answer(invoke, controls, request).then(
      (result) => send(response, result),
      () => send(response, errorAnswer(new Refusal('internal_server_error'), gatewayEvent(request, Buffer.alloc(0)))),
    )
  }
  // Node would reject a request without `Host`, with an unknown `Expect` or with invalid HTTP by itself, without the
  // error envelope.
  const server = createServer({ requireHostHeader: false }, serve)
  server.on('checkExpectation', serve)
  server.on('clientError', refuseUnreadable)
  return server
}

async function answer(
  invoke: Invoke,
  controls: ((event: GatewayEvent) => Promise<Answer>) | undefined,
  request: IncomingMessage,
): Promise<Answer> {
  const event = gatewayEvent(request, await bodyOf(request))
  if (controls && (event.path.startsWith('/_local/') || asksForHomePage(event))) return controls(event)
  const match = matchRoute(event.httpMethod, event.path)
  if (!match || !('route' in match)) return (await invoke(notFound, event)) as Answer
  return (await invoke(match.file, { ...event, pathParameters: match.params })) as Answer
}

type Handler = (event: unknown, context: { readonly platform: Platform }) => Promise<unknown>

/**
 * Returns a caller of functions that works as Lambda does: it loads a function at its first call. The context holds the
 * platform.
 */
export function invoker(platform: Platform): Invoke {
  const loaded = new Map<string, Promise<{ handler: Handler }>>()
  return async (file, event) => {
    let module = loaded.get(file)
    if (!module) {
      module = import(new URL(`../../functions/${file}.ts`, import.meta.url).href)
      loaded.set(file, module)
    }
    return (await module).handler(event, { platform })
  }
}

/**
 * Returns the body of a request. Of a body that is too large, it returns only enough to show that. It reads and drops
 * the rest up to 64 MB, so that the client goes on to read the response. It stops reading a larger body early.
 */
async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  let kept = 0
  let read = 0
  const isFarTooLarge = Number(request.headers['content-length']) > READ_BYTES_MAX
  for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    if (kept <= MAX_UPLOAD_BYTES) {
      chunks.push(chunk)
      kept += chunk.length
    }
    read += chunk.length
    if (read > READ_BYTES_MAX || (isFarTooLarge && kept > MAX_UPLOAD_BYTES)) break
  }
  return Buffer.concat(chunks)
}

function send(response: ServerResponse, { statusCode, headers, body, isBase64Encoded }: Answer): void {
  const bytes = Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8')
  // The connection closes after the response, so the server does not wait for the rest of a body that is too large.
  const last = response.req.complete ? undefined : { Connection: 'close' }
  response.writeHead(statusCode, { ...headers, ...last, ...(body && { 'Content-Length': bytes.length }) })
  response.end(bytes)
}

/** Responds to unreadable HTTP with `bad_request` in the error envelope and closes the connection. */
function refuseUnreadable(_error: Error, socket: Socket): void {
  if (!socket.writable) return
  const host = `localhost:${socket.localPort}`
  const unread = { headers: { host }, path: '/', requestContext: { requestId: randomUUID() } }
  const { headers, body } = errorAnswer(new Refusal('bad_request'), unread)
  const lines = Object.entries({ ...headers, 'Content-Length': Buffer.byteLength(body), Connection: 'close' })
  socket.end(`HTTP/1.1 400 Bad Request\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n${body}`)
}
