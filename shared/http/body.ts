import { MIMEType } from 'node:util'
import type middy from '@middy/core'
import jsonBodyParser from '@middy/http-json-body-parser'
import urlencodeBodyParser from '@middy/http-urlencode-body-parser'
import type { APIGatewayProxyEvent } from 'aws-lambda'
import { Refusal } from '#shared/domain/errors.ts'
import { nest, numberEmptyBrackets } from './form.ts'
import { header } from './header.ts'
import { multipartAsForm } from './multipart.ts'
import { readQuery } from './query.ts'

/** The largest body that is read, in bytes. A larger body is refused with `payload_too_large`. */
export const MAX_BODY_BYTES = 1_048_576

/** The most levels of nested objects and lists in a body. The body itself is the first level. */
export const MAX_BODY_LEVELS = 32

/**
 * A request whose body has been parsed into an object. For GET and DELETE, the object includes the parameters of the
 * query.
 */
export type ReadEvent = Omit<APIGatewayProxyEvent, 'body'> & { body: Record<string, unknown> }

/**
 * Middleware that parses JSON, form and multipart bodies into one plain object, whose texts are well-formed Unicode.
 * Throws `bad_request`, `payload_too_large` or `unsupported_media_type`. These errors repeat no value of the request.
 */
export const readBody: middy.MiddlewareObj<ReadEvent> = {
  async before(request) {
    const event = request.event as unknown as APIGatewayProxyEvent
    const body = await bodyOf(event)
    const asks = event.httpMethod === 'GET' || event.httpMethod === 'DELETE'
    const parameters = asks ? { ...readQuery(event.multiValueQueryStringParameters), ...body } : body
    request.event = { ...event, body: wellFormed(parameters, MAX_BODY_LEVELS) as Record<string, unknown> }
  },
}

async function bodyOf({ body, isBase64Encoded, headers }: APIGatewayProxyEvent): Promise<Record<string, unknown>> {
  const bytes = Buffer.from(body ?? '', isBase64Encoded ? 'base64' : 'utf8')
  if (bytes.length > MAX_BODY_BYTES) throw new Refusal('payload_too_large')
  const text = new TextDecoder().decode(bytes)
  if (text.trim() === '') return {}
  const content_type = header(headers, 'content-type')?.trim()
  const format = content_type ? formatOf(content_type) : 'form'
  // By default, curl labels JSON as a form. No form begins with a brace.
  switch (format === 'form' && text.trimStart().startsWith('{') ? 'json' : format) {
    case 'json':
      return readJson(text)
    case 'form':
      return readForm(text)
    case 'multipart':
      return readForm(await multipartAsForm(bytes, content_type ?? ''))
  }
}

type Format = 'json' | 'form' | 'multipart'

function formatOf(content_type: string): Format {
  const type = parsedType(content_type)
  const charset = type?.params.get('charset')?.toLowerCase() ?? 'utf-8'
  if (charset === 'utf-8' || charset === 'utf8') {
    if (/^application\/(.+\+)?json$/.test(type?.essence ?? '')) return 'json'
    if (type?.essence === 'application/x-www-form-urlencoded') return 'form'
    if (type?.essence === 'multipart/form-data') return 'multipart'
  }
  throw new Refusal('unsupported_media_type')
}

function parsedType(content_type: string): MIMEType | undefined {
  try {
    return new MIMEType(content_type)
  } catch {
    return undefined
  }
}

const jsonParser = jsonBodyParser({ disableContentTypeCheck: true })
const formParser = urlencodeBodyParser({ disableContentTypeCheck: true })

function readForm(text: string): Record<string, unknown> {
  return nest(parsedBy(formParser, numberEmptyBrackets(text)) as Record<string, string | string[]>)
}

function readJson(text: string): Record<string, unknown> {
  let value: unknown
  try {
    value = parsedBy(jsonParser, text)
    // JavaScript numbers would lose the last digits of longer integers.
    if (/\d{16}/.test(text)) value = JSON.parse(text, exact)
  } catch {
    // The parser's own error contains the body, which may hold a card number.
    throw new Refusal('bad_request', { message: 'The request body could not be read as JSON.' })
  }
  if (value === null || typeof value !== 'object' || Array.isArray(value)) {
    throw new Refusal('bad_request', { message: 'The request body must be a JSON object.' })
  }
  return value as Record<string, unknown>
}

/** Returns an integer of 16 to 40 digits as a bigint if a JavaScript number cannot hold the integer exactly. */
const exact = ((_key: string, value: unknown, { source }: { readonly source?: string }) =>
  typeof value === 'number' && !Number.isSafeInteger(value) && source && /^-?\d{16,40}(\.0+)?$/.test(source)
    ? BigInt(source.split('.')[0]!)
    : value) as (key: string, value: unknown) => unknown

function parsedBy(parser: { before?: (request: never) => unknown }, text: string): unknown {
  const request: { event: { body: unknown; isBase64Encoded: boolean } } = {
    event: { body: text, isBase64Encoded: false },
  }
  parser.before?.(request as never)
  return request.event.body
}

/**
 * Returns a copy whose texts and keys are well-formed Unicode, so that storage and signatures use the same bytes.
 * Refuses infinite numbers and values beyond `levels` with `bad_request`.
 */
function wellFormed(value: unknown, levels: number): unknown {
  if (typeof value === 'string') return value.toWellFormed()
  if (typeof value === 'number' && !Number.isFinite(value)) {
    throw new Refusal('bad_request', { message: 'A number in the request body is too large to be read.' })
  }
  if (value === null || typeof value !== 'object') return value
  if (levels === 0) {
    throw new Refusal('bad_request', {
      message: `A request body may be nested ${MAX_BODY_LEVELS} levels deep at most.`,
    })
  }
  if (Array.isArray(value)) return value.map((element) => wellFormed(element, levels - 1))
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key.toWellFormed(), wellFormed(inner, levels - 1)]),
  )
}
