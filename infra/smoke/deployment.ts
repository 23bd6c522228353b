import { setTimeout as passes } from 'node:timers/promises'

/** How long one request may take: longer than the gateway waits for its function. */
const REQUEST_MS = 30_000

/** How often one request is made as long as the answer is to come again, and how long all of them wait for that together. */
const TRIES = 5
const WAIT_MS_MAX = 60_000

/** How long is waited where an answer does not tell. */
const WAIT_MS = 1_000

/** How time passes for the one who checks. */
export interface Pace {
  wait(ms: number): Promise<unknown>
  /** What ends a request that takes too long. */
  limit(ms: number): AbortSignal
}

/** Time as it passes by itself. */
export const real_pace: Pace = { wait: (ms) => passes(ms), limit: (ms) => AbortSignal.timeout(ms) }

/** What is sent besides a method and a path. */
export interface Request {
  /** Another key than the one that was given; null for none. */
  readonly key?: string | null
  readonly json?: unknown
  readonly form?: Readonly<Record<string, string>>
  readonly parts?: FormData
  readonly headers?: Readonly<Record<string, string>>
}

/** What came back. */
export interface Reply {
  /** What it is the answer to. */
  readonly route: string
  readonly status: number
  readonly headers: Headers
  readonly bytes: Buffer
}

/** No answer came. */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer'
  /** What the system calls the reason, such as `ENOTFOUND`. */
  readonly code: string
  constructor(route: string, code: string) {
    super(
      code === 'TIMEOUT'
        ? `${route} was not answered within ${REQUEST_MS / 1000} s`
        : `${route} was not answered (${code})`,
    )
    this.code = code
  }
}

/** A deployment of the API as its merchants reach it: over HTTP, with a key. */
export class Deployment {
  readonly #url: string
  readonly #key: string
  readonly #pace: Pace
  #waited_ms = 0

  constructor({ url, key, pace }: { readonly url: string; readonly key: string; readonly pace: Pace }) {
    this.#url = url
    this.#key = key
    this.#pace = pace
  }

  /** Sends a request such as `POST /payments` to the API. */
  send(route: string, request: Request = {}): Promise<Reply> {
    const [method, path] = route.split(' ') as [string, string]
    return this.#patiently(route, this.#url + path, { method, ...this.#sent(request) })
  }

  /** Opens an address that the API has told, as a browser would: without a key. */
  open(what: string, url: string): Promise<Reply> {
    return this.#patiently(what, url, {})
  }

  /** What is not ready yet, or asks to come again, is asked again for a moment. */
  async #patiently(route: string, url: string, init: RequestInit): Promise<Reply> {
    for (let tries = 1; ; tries++) {
      const reply = await this.#once(route, url, init)
      const wait_ms = waitOf(reply)
      if (wait_ms === 0 || tries === TRIES || this.#waited_ms + wait_ms > WAIT_MS_MAX) return reply
      this.#waited_ms += wait_ms
      await this.#pace.wait(wait_ms)
    }
  }

  #sent({ key = this.#key, json, form, parts, headers }: Request): RequestInit {
    const type = json !== undefined ? 'application/json' : form && 'application/x-www-form-urlencoded'
    return {
      headers: {
        ...(key !== null && { authorization: `Basic ${btoa(`${key}:`)}` }),
        ...(type && { 'content-type': type }),
        ...headers,
      },
      body: json !== undefined ? JSON.stringify(json) : form ? new URLSearchParams(form).toString() : parts,
    }
  }

  async #once(route: string, url: string, init: RequestInit): Promise<Reply> {
    try {
      const response = await fetch(url, { ...init, redirect: 'manual', signal: this.#pace.limit(REQUEST_MS) })
      const { status, headers } = response
      return { route, status, headers, bytes: Buffer.from(await response.arrayBuffer()) }
    } catch (error) {
      throw new NoAnswer(route, codeOf(error))
    }
  }
}

/** For how long to wait until it is asked again; 0 for an answer that stands. */
function waitOf({ status, headers }: Reply): number {
  if (status !== 429 && status !== 503) return 0
  const told_ms = Number(headers.get('retry-after') ?? Number.NaN) * 1000
  return told_ms > 0 ? told_ms : WAIT_MS
}

function codeOf(error: unknown): string {
  const { name, code, cause, message } = Object(error) as Partial<Error & { code: unknown }>
  if (name === 'TimeoutError' || name === 'AbortError') return 'TIMEOUT'
  if (cause) return codeOf(cause)
  return typeof code === 'string' ? code : String(message)
}
