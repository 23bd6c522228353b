import type middy from '@middy/core'
import jsonBodyParser from '@middy/http-json-body-parser'
import urlencodeBodyParser from '@middy/http-urlencode-body-parser'
import type { APIGatewayProxyEvent, Context } from 'aws-lambda'
import { Refusal } from '#shared/domain/errors.ts'
import { bodyFormat } from './body-format.ts'
import { nest, numberEmptyBrackets } from './form.ts'
import { header } from './header.ts'
import { multipartAsForm } from './multipart.ts'
import { readQuery } from './query.ts'

/** The largest body that is read, in bytes. A larger body is refused with `payload_too_large`. */
export const MAX_BODY_BYTES = 1_048_576

/** The most levels of nested objects and lists in a body. The body itself is the first level. */
export const MAX_BODY_LEVELS = 32

/** A request whose body is being read: its text at first, then the parsed value. */
export type RequestEvent = Omit<APIGatewayProxyEvent, 'body'> & { body: unknown }

/**
 * A request whose body has been parsed into an object. For GET and DELETE, the object includes the parameters of the
 * query.
 */
export type ReadEvent = Omit<APIGatewayProxyEvent, 'body'> & { body: Record<string, unknown> }

/** The text of a body in JSON, which one middleware leaves for the next; undefined for a form. */
type Internal = { json?: string }

type BodyMiddleware = middy.MiddlewareObj<RequestEvent, unknown, Error, Context, Internal>

/** Middleware that replaces an error of middy's JSON parser, because the error contains the body. */
const hidesParserErrors: BodyMiddleware = {
  onError(request) {
    const { package: thrower } = (request.error?.cause ?? {}) as { readonly package?: unknown }
    if (thrower === '@middy/http-json-body-parser') request.error = unreadableJson()
  },
}

/**
 * Middleware that decodes a body of any format into the text of JSON or of a form. It sets the content type that the
 * parser of that text expects. A missing body becomes the text of an empty form.
 */
const selectsFormat: BodyMiddleware = {
  before(request) {
    const { json, form = '' } = textOf(request.event)
    const label = json === undefined ? 'application/x-www-form-urlencoded' : 'application/json'
    const headers = { ...request.event.headers, 'content-type': label }
    const body = json ?? numberEmptyBrackets(form)
    request.event = { ...request.event, headers, body, isBase64Encoded: false }
    request.internal.json = json
  },
}

function textOf({ body, isBase64Encoded, headers }: RequestEvent): { json?: string; form?: string } {
  const bytes = Buffer.from(typeof body === 'string' ? body : '', isBase64Encoded ? 'base64' : 'utf8')
  if (bytes.length > MAX_BODY_BYTES) throw new Refusal('payload_too_large')
  const text = new TextDecoder().decode(bytes)
  if (text.trim() === '') return {}
  const content_type = header(headers, 'content-type')?.trim()
  const format = bodyFormat(content_type, text)
  if (format === 'json') return { json: text }
  return { form: format === 'multipart' ? multipartAsForm(bytes, content_type ?? '') : text }
}

/** Middleware that keeps every digit of the integers in JSON, and refuses JSON that is not an object. */
const completesJson: BodyMiddleware = {
  before({ event, internal: { json } }) {
    if (json === undefined) return
    // A JavaScript number can lose the last digits of an integer of 16 or more digits.
    if (/\d{16}/.test(json)) event.body = exactJson(json)
    if (event.body === null || typeof event.body !== 'object' || Array.isArray(event.body))
      throw new Refusal('bad_request', { message: 'The request body must be a JSON object, such as {"amount": 1000}.' })
  },
}

function exactJson(json: string): unknown {
  try {
    return JSON.parse(json, exact)
  } catch {
    throw unreadableJson()
  }
}

/** Returns an integer of 16 to 40 digits as a bigint if a JavaScript number cannot hold the integer exactly. */
function exact(_key: string, value: unknown, { source }: { readonly source?: string } = {}): unknown {
  return typeof value === 'number' && !Number.isSafeInteger(value) && source && /^-?\d{16,40}(\.0+)?$/.test(source)
    ? BigInt(source.split('.')[0]!)
    : value
}

const unreadableJson = () =>
  new Refusal('bad_request', {
    message: 'The request body could not be read as JSON. Check its syntax, or send a form with its own Content-Type.',
  })

/** Middleware that nests the names of a form. */
const nestsNames: BodyMiddleware = {
  before({ event, internal }) {
    if (internal.json === undefined) event.body = nest(event.body as Readonly<Record<string, string | string[]>>)
  },
}

/** Middleware that adds the query of a GET or DELETE, and makes all texts well-formed Unicode. */
const completesBody: middy.MiddlewareObj<ReadEvent> = {
  before({ event }) {
    const { httpMethod, multiValueQueryStringParameters, body } = event
    const asks = httpMethod === 'GET' || httpMethod === 'DELETE'
    event.body = wellFormed(asks ? { ...readQuery(multiValueQueryStringParameters), ...body } : body, MAX_BODY_LEVELS)
  },
}

/**
 * Returns a copy whose texts and keys are well-formed Unicode, so that storage and signatures use the same bytes.
 * Refuses infinite numbers and more than `levels` levels with `bad_request`.
 */
function wellFormed(object: object, levels: number): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(object).map(([key, value]) => [key.toWellFormed(), wellFormedValue(value, levels - 1)]),
  )
}

function wellFormedValue(value: unknown, levels: number): unknown {
  if (typeof value === 'string') return value.toWellFormed()
  if (typeof value === 'number' && !Number.isFinite(value)) {
    throw new Refusal('bad_request', {
      message: 'A number in the request body is too large to be read. Send it as text.',
    })
  }
  if (value === null || typeof value !== 'object') return value
  if (levels === 0) {
    throw new Refusal('bad_request', {
      message: `A request body may be nested ${MAX_BODY_LEVELS} levels deep at most.`,
    })
  }
  return Array.isArray(value) ? value.map((element) => wellFormedValue(element, levels - 1)) : wellFormed(value, levels)
}

/**
 * Middlewares that parse JSON, form and multipart bodies into one plain object, whose texts are well-formed Unicode.
 * They throw `bad_request`, `payload_too_large` or `unsupported_media_type`. These errors repeat no value of the
 * request.
 */
export const readBody = [
  hidesParserErrors,
  selectsFormat,
  jsonBodyParser({ disableContentTypeError: true }),
  completesJson,
  urlencodeBodyParser({ disableContentTypeError: true }),
  nestsNames,
  completesBody,
] as middy.MiddlewareObj<ReadEvent>[]
