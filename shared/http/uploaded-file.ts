import type middy from '@middy/core'
import { Refusal } from '#shared/domain/errors.ts'
import { FILE_BYTES_MAX } from '#shared/domain/file.ts'
import type { ReadEvent, RequestEvent } from './body.ts'
import { header } from './header.ts'
import { readParts } from './multipart.ts'
import type { Part } from './parts.ts'
import { MAX_UPLOAD_BYTES } from './upload-limit.ts'

/**
 * Middleware that reads only the part `name` of a multipart body. The body becomes an object whose only field, `name`,
 * holds the part as a file or a text. If several parts have the name, the field holds a list. Throws
 * `unsupported_media_type` for any other type of body, `bad_request` for a body that does not follow its boundary, and
 * `payload_too_large` for a body or a part that is too large.
 */
export function readsFile(name: string): middy.MiddlewareObj<ReadEvent> {
  return {
    async before(request) {
      const event: RequestEvent = request.event
      const values = partsIn(event).flatMap((part) => (part.name === name ? [sentAs(part)] : []))
      const [value] = values
      const body = value === undefined ? {} : { [name]: values.length > 1 ? values : value }
      request.event = { ...event, body }
    },
  }
}

function sentAs({ filename, bytes }: Part): { readonly filename: string; readonly bytes: Buffer } | string {
  if (bytes.length > FILE_BYTES_MAX) throw tooLarge()
  return filename === undefined ? bytes.toString().toWellFormed() : { filename, bytes }
}

const tooLarge = () =>
  new Refusal('payload_too_large', { message: 'A file may have 4 MB at most. Send a smaller one.' })

function partsIn({ body, isBase64Encoded, headers }: RequestEvent): Part[] {
  const bytes = Buffer.from(typeof body === 'string' ? body : '', isBase64Encoded ? 'base64' : 'utf8')
  const content_type = header(headers, 'content-type')?.trim()
  if (bytes.length > MAX_UPLOAD_BYTES) throw tooLarge()
  if (bytes.length === 0 && content_type === undefined) return []
  if (!/^multipart\/form-data\s*(;|$)/i.test(content_type ?? '')) throw new Refusal('unsupported_media_type')
  return readParts(bytes, content_type!)
}
