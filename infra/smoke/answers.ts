import type { Reply } from './deployment.ts'

/** The deployment does something else than the API promises. */
export class Broken extends Error {
  override readonly name = 'Broken'
}

/** What an answer in JSON holds. */
export type Resource = Readonly<Record<string, unknown>> & { readonly id: string }

/** The resource of a successful answer; complains where a field has another value than it must. */
export function shown(reply: Reply, fields: Readonly<Record<string, unknown>> = {}): Resource {
  expectStatus(reply, 200)
  const resource = jsonOf(reply) as Resource
  for (const [name, value] of Object.entries(fields))
    if (resource[name] !== value)
      throw new Broken(`${reply.route} shows ${name} ${told(resource[name])}, not ${told(value)}`)
  return resource
}

/** The resources on a page of a list. */
export function listed(reply: Reply): readonly Resource[] {
  const { data } = shown(reply, { resource: 'list' })
  if (!Array.isArray(data)) throw new Broken(`${reply.route} shows a list without data`)
  return data
}

/** Complains unless an answer refuses with this status and code, in the envelope that all errors have; answers the error. */
export function refused(reply: Reply, status: number, code: string, param: string | null = null): ApiError {
  expectStatus(reply, status)
  const error = errorOf(reply)
  if (!error) throw new Broken(`${reply.route} answered ${status} without the error envelope`)
  if (error.code !== code) throw new Broken(`${reply.route} refused with ${told(error.code)}, not ${told(code)}`)
  if (error.param !== param) throw new Broken(`${reply.route} named ${told(error.param)}, not ${told(param)}`)
  const id = reply.headers.get('x-request-id')
  if (id === null) throw new Broken(`${reply.route} answered without X-Request-Id`)
  if (id !== error.request_id)
    throw new Broken(`${reply.route} told one request id in its header and another in its body`)
  return error
}

/** What the error envelope holds. */
export interface ApiError {
  readonly code: string
  readonly param: string | null
  readonly details: Readonly<Record<string, unknown>> | null
  readonly request_id: string
}

const envelope = ['code', 'message', 'param', 'details', 'request_id']

/** The error that an answer tells in the envelope, if it has one. */
export function errorOf(reply: Reply): ApiError | undefined {
  const error: unknown = Object(maybeJson(reply)).error
  return Object.keys(Object(error)).join() === envelope.join() ? (error as ApiError) : undefined
}

/** Complains unless the answer has this status. */
export function expectStatus(reply: Reply, status: number): void {
  if (reply.status === status) return
  const { code, param } = errorOf(reply) ?? {}
  const why = [code, param && `for ${param}`].filter(Boolean).map((part) => ` ${part}`)
  throw new Broken(`${reply.route} answered ${reply.status}${why.join('')}, not ${status}`)
}

/** Complains unless a header has a value that fits; answers the value. */
export function expectHeader({ route, headers }: Reply, names: readonly string[], pattern: RegExp): string {
  const value = names.map((name) => headers.get(name)).find((found) => found !== null)
  if (value === undefined || value === null) throw new Broken(`${route} answered without ${names[0]}`)
  if (!pattern.test(value)) throw new Broken(`${route} answered with ${names[0]}: ${value}`)
  return value
}

/** What an answer in JSON says; undefined where it is none. */
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
  if (json === undefined || json === null) throw new Broken(`${reply.route} answered no JSON`)
  return json
}

/** A value as a line shows it: of what should be short, the beginning. */
const told = (value: unknown): string => String(JSON.stringify(value)).slice(0, 80)
