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
import { type GatewayEvent, gatewayEvent } from './gateway-event.ts'
import type { LocalPlatform } from './local-platform.ts'
import { type Invoke, Workers } from './workers.ts'

/** What is read of a body that is too large anyway, so that the client gets to reading the answer. */
const READ_BYTES_MAX = 64 * 1024 * 1024

/**
 * The whole service on this machine, as an HTTP server that does not listen yet, and its workers. `host` is the name or
 * address that it is to listen on.
 */
export function localService(platform: LocalPlatform, host = '127.0.0.1'): { server: Server; workers: Workers } {
  const invoke = invoker(platform)
  const workers = new Workers(platform, invoke)
  const { epochs } = platform
  const server = gateway(
    (file, event) => epochs.serve(() => invoke(file, event)),
    (event) => epochs.serve(() => control(platform, workers, event)),
  )
  platform.own_server.set(server, host)
  return { server, workers }
}

/**
 * What API Gateway does: an HTTP server, that does not listen yet, in front of the functions that `invoke` calls. Paths
 * behind `/_local` go to `controls`, if there are any.
 */
export function gateway(invoke: Invoke, controls?: (event: GatewayEvent) => Promise<Answer>): Server {
  const serve = (request: IncomingMessage, response: ServerResponse) => {
    answer(invoke, controls, request).then(
      (result) => send(response, result),
      () => send(response, errorAnswer(new Refusal('internal_server_error'), randomUUID())),
    )
  }
  // What Node would otherwise refuse by itself, without the error envelope, is served.
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
  if (controls && event.path.startsWith('/_local/')) return controls(event)
  const match = matchRoute(event.httpMethod, event.path)
  if (!match || !('route' in match)) return (await invoke(notFound, event)) as Answer
  return (await invoke(match.file, { ...event, pathParameters: match.params })) as Answer
}

type Handler = (event: unknown, context: { readonly platform: Platform }) => Promise<unknown>

/** Calls functions as Lambda does: loaded when first called, with the platform in the context. */
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
 * The body, or of one that is too large as much as shows that it is. The rest is read and dropped, so that the client gets
 * to reading the answer; what is far too large is cut off.
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
  // What is left of a body that is too large is not waited for.
  const last = response.req.complete ? undefined : { Connection: 'close' }
  response.writeHead(statusCode, { ...headers, ...last, ...(body && { 'Content-Length': bytes.length }) })
  response.end(bytes)
}

/** What is no HTTP that can be read gets the error envelope as well. */
function refuseUnreadable(_error: Error, socket: Socket): void {
  if (!socket.writable) return
  const { headers, body } = errorAnswer(new Refusal('bad_request'), randomUUID())
  const lines = Object.entries({ ...headers, 'Content-Length': Buffer.byteLength(body), Connection: 'close' })
  socket.end(`HTTP/1.1 400 Bad Request\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n${body}`)
}
