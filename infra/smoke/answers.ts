import type { Reply } from './deployment.ts'

/** The deployment breaks a promise of the API. */
export class Broken extends Error {
  override readonly name = 'Broken'
}

/** The resource in a JSON response. */
export type Resource = Readonly<Record<string, unknown>> & { readonly id: string }

/**
 * Returns the resource of a successful response. Throws `Broken` unless the status is 200 and the resource has these
 * fields.
 */
export function shown(reply: Reply, fields: Readonly<Record<string, unknown>> = {}): Resource {
  expectStatus(reply, 200)
  const resource = jsonOf(reply) as Resource
  for (const [name, value] of Object.entries(fields))
    if (resource[name] !== value)
      throw new Broken(`${reply.route} shows ${name} ${quoted(resource[name])}, not ${quoted(value)}`)
  return resource
}

/** Returns the resources on a page of a list. Throws `Broken` unless the response is a list. */
export function listed(reply: Reply): readonly Resource[] {
  const { data } = shown(reply, { resource: 'list' })
  if (!Array.isArray(data)) throw new Broken(`${reply.route} shows a list without data`)
  return data
}

/**
 * Returns the error of a response. Throws `Broken` unless the response has this status, the error envelope with this
 * code and `param`, the page of the code, and the same request id in its header and its body.
 */
export function refused(reply: Reply, status: number, code: string, param: string | null = null): ApiError {
  expectStatus(reply, status)
  const error = errorOf(reply)
  if (!error) throw new Broken(`${reply.route} responded with ${status} without the error envelope`)
  if (error.code !== code) throw new Broken(`${reply.route} refused with ${quoted(error.code)}, not ${quoted(code)}`)
  if (error.param !== param) throw new Broken(`${reply.route} named ${quoted(error.param)}, not ${quoted(param)}`)
  const page = `${reply.url.split('/api/v1')[0]}/docs/errors#${code}`
  if (error.doc_url !== page)
    throw new Broken(`${reply.route} shows doc_url ${quoted(error.doc_url)}, not ${quoted(page)}`)
  const id = reply.headers.get('x-request-id')
  if (id === null) throw new Broken(`${reply.route} responded without X-Request-Id`)
  if (id !== error.request_id)
    throw new Broken(`${reply.route} shows one request id in its header and another in its body`)
  return error
}

/** The content of the error envelope. */
export interface ApiError {
  readonly code: string
  readonly param: string | null
  readonly details: Readonly<Record<string, unknown>> | null
  readonly request_id: string
  readonly doc_url: string
}

const envelope = ['code', 'message', 'param', 'details', 'request_id', 'doc_url']

/** The error in the envelope of a response; undefined for a response without the envelope. */
export function errorOf(reply: Reply): ApiError | undefined {
  const error: unknown = Object(maybeJson(reply)).error
  return Object.keys(Object(error)).join() === envelope.join() ? (error as ApiError) : undefined
}

/** Throws `Broken` unless the response has this status. */
export function expectStatus(reply: Reply, status: number): void {
  if (reply.status === status) return
  const { code, param } = errorOf(reply) ?? {}
  const why = [code, param && `for ${param}`].filter(Boolean).map((part) => ` ${part}`)
  throw new Broken(`${reply.route} responded with ${reply.status}${why.join('')}, not ${status}`)
}

/**
 * Returns the value of the first of these headers that the response has. Throws `Broken` if there is none, or if the
 * value does not match.
 */
export function expectHeader({ route, headers }: Reply, names: readonly string[], pattern: RegExp): string {
  const value = names.map((name) => headers.get(name)).find((found) => found !== null)
  if (value === undefined || value === null) throw new Broken(`${route} responded without ${names[0]}`)
  if (!pattern.test(value)) throw new Broken(`${route} responded with ${names[0]}: ${value}`)
  return value
}

/** The JSON value of a response; undefined if the response holds no valid JSON. */
export function maybeJson({ headers, bytes }: Reply): unknown {
  if (!headers.get('content-type')?.startsWith('application/json')) return undefined
  try {
    return JSON.parse(bytes.toString())
  } catch {
    return undefined
  }
}

function jsonOf(reply: Reply): unknown {
  const json = maybeJson(reply)
  if (json === undefined || json === null) throw new Broken(`${reply.route} responded without JSON`)
  return json
}

/** A value as a message shows it: JSON, cut to 80 characters. */
const quoted = (value: unknown): string => String(JSON.stringify(value)).slice(0, 80)
