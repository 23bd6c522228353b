import { setTimeout as passes } from 'node:timers/promises'

/** The time limit of one request. It is longer than API Gateway waits for its function. */
const REQUEST_MS = 30_000

/** The maximum number of tries of one request, and the maximum wait for all retries of a run together. */
const TRIES = 5
const WAIT_MS_MAX = 60_000

/** The wait before a retry if the response has no `Retry-After`. */
const WAIT_MS = 1_000

/** How the smoke test waits and limits its requests. */
export interface Timing {
  wait(ms: number): Promise<unknown>
  /** Returns a signal that ends a request after `ms` milliseconds. */
  limit(ms: number): AbortSignal
}

/** Waits and limits in real time. */
export const real_timing: Timing = { wait: (ms) => passes(ms), limit: (ms) => AbortSignal.timeout(ms) }

/** What a request consists of besides its method and path. */
export interface Request {
  /** The key to send instead of the configured one; null sends no key. */
  readonly key?: string | null
  readonly json?: unknown
  readonly form?: Readonly<Record<string, string>>
  readonly parts?: FormData
  readonly headers?: Readonly<Record<string, string>>
}

/** A response of the deployment. */
export interface Reply {
  /** The request as messages name it, such as `POST /payments`. */
  readonly route: string
  /** The URL of the request. */
  readonly url: string
  readonly status: number
  readonly headers: Headers
  readonly bytes: Buffer
}

/** The deployment did not respond. */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer'
  /** The error code of the system, such as `ENOTFOUND`, or `TIMEOUT`. */
  readonly code: string
  constructor(route: string, code: string) {
    super(
      code === 'TIMEOUT'
        ? `${route} got no response within ${REQUEST_MS / 1000} s`
        : `${route} got no response (${code})`,
    )
    this.code = code
  }
}

/** Where a deployment is, and the keys of a test merchant. */
export interface Access {
  readonly url: string
  readonly key: string
  readonly publishable_key: string | null
}

/** A deployment of the API as merchants reach it: over HTTP, with an API key. */
export class Deployment {
  readonly #url: string
  readonly #key: string
  readonly #timing: Timing
  #waited_ms = 0
  /** Null if none is given. */
  readonly publishable_key: string | null
  /** The URL in front of `/api/v1`. */
  readonly service_url: string

  constructor({ url, key, publishable_key, timing }: Access & { readonly timing: Timing }) {
    this.#url = url
    this.#key = key
    this.#timing = timing
    this.publishable_key = publishable_key
    this.service_url = url.replace(/\/api\/v1$/, '')
  }

  /** Sends a request such as `POST /payments` to the API. */
  send(route: string, request: Request = {}): Promise<Reply> {
    const [method, path] = route.split(' ') as [string, string]
    return this.#sendWithRetries(route, this.#url + path, { method, ...this.#sent(request) })
  }

  /** Opens a URL as a browser does: without a key. */
  open(what: string, url: string): Promise<Reply> {
    return this.#sendWithRetries(what, url, {})
  }

  /** Repeats a request while the deployment responds with 429 or 503, within the limits of tries and waits. */
  async #sendWithRetries(route: string, url: string, init: RequestInit): Promise<Reply> {
    for (let tries = 1; ; tries++) {
      const reply = await this.#once(route, url, init)
      const wait_ms = waitOf(reply)
      if (wait_ms === 0 || tries === TRIES || this.#waited_ms + wait_ms > WAIT_MS_MAX) return reply
      this.#waited_ms += wait_ms
      await this.#timing.wait(wait_ms)
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
      const response = await fetch(url, { ...init, redirect: 'manual', signal: this.#timing.limit(REQUEST_MS) })
      const { status, headers } = response
      return { route, url, status, headers, bytes: Buffer.from(await response.arrayBuffer()) }
    } catch (error) {
      throw new NoAnswer(route, codeOf(error))
    }
  }
}

/** The wait before a retry, in milliseconds; 0 for a response that is final. */
function waitOf({ status, headers }: Reply): number {
  if (status !== 429 && status !== 503) return 0
  const requested_ms = Number(headers.get('retry-after') ?? Number.NaN) * 1000
  return requested_ms > 0 ? requested_ms : WAIT_MS
}

function codeOf(error: unknown): string {
  const { name, code, cause, message } = Object(error) as Partial<Error & { code: unknown }>
  if (name === 'TimeoutError' || name === 'AbortError') return 'TIMEOUT'
  if (cause) return codeOf(cause)
  return typeof code === 'string' ? code : String(message)
}
