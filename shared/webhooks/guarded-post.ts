import { request as httpRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import type { Socket } from 'node:net'
import { performance } from 'node:perf_hooks'
import type { AttemptError, AttemptOutcome } from '#shared/domain/delivery.ts'
import { Blocked, type ConnectionTarget, connectTo, NotResolved, TimedOut, TlsFailed } from './guarded-connection.ts'

/** A POST request to a receiver, and the rules that restrict its target. */
export interface PostRequest extends Omit<ConnectionTarget, 'url'> {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** Allows only `https` URLs. The value is true in live mode, where TLS must prove the receiver's identity. */
  readonly https_only: boolean
}

/**
 * The time limits of a call, in milliseconds: `connect_ms` limits DNS, connection and TLS together, and `total_ms`
 * limits the whole call.
 */
export interface Limits {
  readonly connect_ms: number
  readonly total_ms: number
}

const LIMITS: Limits = { connect_ms: 5_000, total_ms: 15_000 }

/** The most bytes that are read of a response body. */
const ANSWER_BYTES_MAX = 16 * 1024

/** The most bytes that are stored of a response body. */
const KEPT_BYTES_MAX = 1_024

/** The most interim (1xx) responses that are read before the final response. */
const INTERIM_ANSWERS_MAX = 16

/**
 * POSTs to a merchant's receiver. The receiver is not trusted: the receiver may be on a private host, never respond,
 * respond without end, or use another protocol. Redirects are not followed. Never throws: the outcome has a status code
 * or an error.
 */
export async function guardedPost(request: PostRequest, limits: Limits = LIMITS): Promise<AttemptOutcome> {
  const began_at = performance.now()
  const over = new AbortController()
  const endAfter = (milliseconds: number) => setTimeout(() => over.abort(new TimedOut()), milliseconds)
  const total = endAfter(limits.total_ms)
  const connecting = endAfter(limits.connect_ms)
  try {
    const url = permittedUrl(request)
    const socket = await connectTo({ ...request, url }, { ...limits, signal: over.signal })
    clearTimeout(connecting)
    const answer = await exchange(socket, request, url, over.signal)
    // Aborting would also close the socket, but takes a quarter of the cost of a delivery.
    socket.destroy()
    return { ...answer, latency_ms: since(began_at), error: null }
  } catch (error) {
    const code = errorOf(error, over.signal)
    over.abort()
    return { status_code: null, response_body: null, latency_ms: since(began_at), error: code }
  } finally {
    clearTimeout(connecting)
    clearTimeout(total)
  }
}

const since = (began_at: number): number => Math.round(performance.now() - began_at)

function permittedUrl({ url: text, https_only }: PostRequest): URL {
  const url = new URL(text)
  if (url.protocol !== 'https:' && (https_only || url.protocol !== 'http:')) throw new Blocked(url.protocol)
  return url
}

type Answered = Pick<AttemptOutcome, 'status_code' | 'response_body'>

/**
 * Sends the request over an open connection and reads the response. The promise settles at the latest when `signal`
 * aborts.
 */
function exchange(socket: Socket, request: PostRequest, url: URL, signal: AbortSignal): Promise<Answered> {
  const send = url.protocol === 'https:' ? httpsRequest : httpRequest
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason))
    const outgoing = send({
      createConnection: () => socket,
      method: 'POST',
      path: url.pathname + url.search,
      headers: {
        Host: url.host,
        ...authorization(url),
        ...request.headers,
        'Content-Length': Buffer.byteLength(request.body),
      },
    })
    let interim_answers = 0
    outgoing.on('information', () => {
      interim_answers += 1
      if (interim_answers > INTERIM_ANSWERS_MAX) outgoing.destroy(new NoAnswer())
    })
    outgoing.on('response', (response) => resolve(answerIn(response, signal)))
    // Without this listener, Node emits neither `response` nor `error` when the receiver switches protocols.
    outgoing.on('upgrade', ({ statusCode }) => resolve({ status_code: statusCode!, response_body: '' }))
    outgoing.on('error', reject)
    outgoing.end(request.body)
  })
}

/** The error for a receiver that sends only interim responses. */
class NoAnswer extends Error {}

/**
 * Returns the Basic `Authorization` header for the credentials in a URL. A percent sign without two hex digits after it
 * is literal.
 */
function authorization({ username, password }: URL): { Authorization?: string } {
  if (username === '' && password === '') return {}
  const bytes = `${username}:${password}`.replace(/%([\da-f]{2})/gi, (_, hex) => String.fromCharCode(parseInt(hex, 16)))
  return { Authorization: `Basic ${Buffer.from(bytes, 'latin1').toString('base64')}` }
}

/**
 * Returns the status code and the start of the body, as text. The status code alone decides the outcome, so a body that
 * breaks off or never ends is no failure. The bytes received until then are the body.
 */
function answerIn(response: IncomingMessage, signal: AbortSignal): Promise<Answered> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = []
    let bytes = 0
    const end = () => {
      const kept = Buffer.concat(chunks).subarray(0, KEPT_BYTES_MAX)
      // In stream mode, the decoder drops a character that is cut off at the end.
      const response_body = new TextDecoder().decode(kept, { stream: true })
      resolve({ status_code: response.statusCode!, response_body })
    }
    response.on('data', (chunk: Buffer) => {
      chunks.push(chunk)
      bytes += chunk.length
      if (bytes >= ANSWER_BYTES_MAX) end()
    })
    for (const event of ['end', 'error', 'close']) response.on(event, end)
    signal.addEventListener('abort', end)
  })
}

function errorOf(error: unknown, signal: AbortSignal): AttemptError {
  const { code = '' } = Object(error) as { code?: string }
  if (error instanceof Blocked) return 'blocked_address'
  if (error instanceof NotResolved) return 'name_not_resolved'
  if (signal.aborted || error instanceof TimedOut || code === 'ETIMEDOUT') return 'timeout'
  if (error instanceof TlsFailed || /^ERR_(SSL|TLS)|^EPROTO$/.test(code)) return 'tls_failed'
  if (error instanceof NoAnswer || /^HPE_/.test(code)) return 'invalid_response'
  return 'connection_failed'
}
