import { request as httpRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import type { Socket } from 'node:net'
import { performance } from 'node:perf_hooks'
import type { AttemptError, AttemptOutcome } from '#shared/domain/delivery.ts'
import { Blocked, connectTo, NotResolved, type Route, TimedOut, TlsFailed } from './guarded-connection.ts'

/** A request to a receiver, and where it may go. */
export interface PostRequest extends Omit<Route, 'url'> {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** Live mode: the receiver must be sure to be who it says it is. */
  readonly https_only: boolean
}

/** How long a call may take, in milliseconds. */
export interface Limits {
  readonly connect_ms: number
  readonly total_ms: number
}

const LIMITS: Limits = { connect_ms: 5_000, total_ms: 15_000 }

/** What is read of an answer: no more, however long it goes on. */
const ANSWER_BYTES_MAX = 16 * 1024

/** What is kept of it. */
const KEPT_BYTES_MAX = 1_024

/** How many answers that announce another one are read before that one. */
const INTERIM_ANSWERS_MAX = 16

/**
 * POSTs to a merchant's receiver, which may be anything: a host that is not public, that never answers or never stops,
 * that speaks something else. Redirects are not followed. It never throws; what comes of it is told by status or error.
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
    // To abort would end it as well, at a quarter of what all of a delivery costs.
    socket.destroy()
    return { ...answer, latency_ms: since(began_at), error: null }
  } catch (error) {
    const told = errorOf(error, over.signal)
    over.abort()
    return { status_code: null, response_body: null, latency_ms: since(began_at), error: told }
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

/** Sends the request over an open connection and reads the answer. It settles at the latest when the signal comes. */
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
    // Without this listener Node would neither answer nor fail when another protocol is offered.
    outgoing.on('upgrade', ({ statusCode }) => resolve({ status_code: statusCode!, response_body: '' }))
    outgoing.on('error', reject)
    outgoing.end(request.body)
  })
}

/** What a receiver sends instead of an answer. */
class NoAnswer extends Error {}

/** The credentials in a URL, as a header. A percent sign that begins no byte stands for itself. */
function authorization({ username, password }: URL): { Authorization?: string } {
  if (username === '' && password === '') return {}
  const bytes = `${username}:${password}`.replace(/%([\da-f]{2})/gi, (_, hex) => String.fromCharCode(parseInt(hex, 16)))
  return { Authorization: `Basic ${Buffer.from(bytes, 'latin1').toString('base64')}` }
}

/**
 * The status of an answer and the first bytes of it, as text. The status has decided already, so an answer that breaks
 * off or goes on is no failure: what came until then is what there is.
 */
function answerIn(response: IncomingMessage, signal: AbortSignal): Promise<Answered> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = []
    let bytes = 0
    const end = () => {
      const kept = Buffer.concat(chunks).subarray(0, KEPT_BYTES_MAX)
      // As a stream, so that a character that was cut off at the end is left out.
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
