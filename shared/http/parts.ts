import { MIMEType } from 'node:util'

/** One part of a multipart body. A part with a file name is a file. */
export interface Part {
  readonly name: string
  readonly filename: string | undefined
  readonly bytes: Buffer
}

/** The most parts of a body, and the most bytes of the headers of one part. Both are far more than any client sends. */
const PARTS_MAX = 100
const HEADERS_BYTES_MAX = 16_384

const CRLF = '\r\n'

/**
 * Returns the parts of a complete multipart/form-data body, in their order, as slices of the body. Throws if the body
 * does not follow the boundary in its content type, or has more than `parts_max` parts. No library is used, because
 * those that were tried end a file at a line that only begins like the boundary.
 */
export function partsOf(body: Buffer, content_type: string, parts_max = PARTS_MAX): Part[] {
  const boundary = new MIMEType(content_type).params.get('boundary')
  if (!boundary) throw new Error('the content type names no boundary')
  const delimiter = Buffer.from(`${CRLF}--${boundary}`)
  const parts: Part[] = []
  let before = firstDelimiter(body, delimiter)
  while (!before.is_last) {
    const next = nextDelimiter(body, delimiter, before.end)
    parts.push(partOf(body.subarray(before.end + CRLF.length, next.start)))
    if (parts.length > parts_max) throw new Error('the body has too many parts')
    before = next
  }
  return parts
}

/** The position of a boundary line in the body. It includes the line break before the line, not the one after it. */
interface Delimiter {
  readonly start: number
  readonly end: number
  /** Whether the delimiter is the last one of the body. */
  readonly is_last: boolean
}

/** Returns the first delimiter. The first line of the body may be a delimiter without a line break before it. */
function firstDelimiter(body: Buffer, delimiter: Buffer): Delimiter {
  const bare = delimiter.subarray(CRLF.length)
  const first = body.subarray(0, bare.length).equals(bare) ? delimiterAt(body, -CRLF.length, delimiter) : undefined
  return first ?? nextDelimiter(body, delimiter, 0)
}

/**
 * Returns the next delimiter. A line that only begins with the boundary is not a delimiter. Throws if there is no
 * further delimiter, because then the body is cut off.
 */
function nextDelimiter(body: Buffer, delimiter: Buffer, from: number): Delimiter {
  for (let start = body.indexOf(delimiter, from); start >= 0; start = body.indexOf(delimiter, start + 1)) {
    const found = delimiterAt(body, start, delimiter)
    if (found) return found
  }
  throw new Error('the body ends before its last boundary')
}

function delimiterAt(body: Buffer, start: number, delimiter: Buffer): Delimiter | undefined {
  let end = start + delimiter.length
  const is_last = body.toString('latin1', end, end + 2) === '--'
  if (is_last) end += 2
  while (body[end] === 0x20 || body[end] === 0x09) end += 1
  const ends = body.toString('latin1', end, end + 2) === CRLF || (is_last && end === body.length)
  return ends ? { start, end, is_last } : undefined
}

function partOf(part: Buffer): Part {
  const end = part.subarray(0, HEADERS_BYTES_MAX).indexOf(CRLF + CRLF)
  if (end < 0) throw new Error('a part has no headers')
  const unfolded = part.toString('utf8', 0, end).replace(/\r\n[ \t]+/g, ' ')
  const disposition = unfolded.split(CRLF).find((line) => /^content-disposition:/i.test(line)) ?? ''
  const [, parameters] = /^[^:]*:\s*form-data\s*(;.*)$/is.exec(disposition) ?? []
  const { name, filename } = parametersOf(parameters ?? '')
  if (name === undefined) throw new Error('a part has no name')
  return { name, filename, bytes: part.subarray(end + 2 * CRLF.length) }
}

/**
 * A parameter with or without quotes. A quotation mark behind a backslash belongs to the value, unless the value would
 * then never end: browsers do not escape a backslash.
 */
const PARAMETER = /;\s*([\w-]+)(\*?)\s*=\s*(?:"((?:\\"|[^"])*)"|([^;"]*))/gs

/**
 * Returns the parameters after `form-data`, with or without quotes. A parameter with a `*` states its encoding and wins
 * over the plain one.
 */
function parametersOf(parameters: string): Readonly<Record<string, string>> {
  const plain: Record<string, string> = Object.create(null)
  const extended: Record<string, string> = Object.create(null)
  for (const [, name = '', star, quoted, bare = ''] of parameters.matchAll(PARAMETER)) {
    const value = quoted?.replace(/\\(["\\])/g, '$1') ?? bare.trim()
    const decoded = star ? decodedExtended(value) : value
    if (decoded !== undefined) (star ? extended : plain)[name.toLowerCase()] ??= decoded
  }
  return { ...plain, ...extended }
}

/** Decodes `UTF-8''a%20b` to `a b`. Returns undefined for any other encoding than UTF-8. */
function decodedExtended(value: string): string | undefined {
  const [, encoded] = /^utf-8'[^']*'(.*)$/is.exec(value) ?? []
  try {
    return encoded === undefined ? undefined : decodeURIComponent(encoded)
  } catch {
    return undefined
  }
}
