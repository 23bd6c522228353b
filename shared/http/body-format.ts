import { MIMEType } from 'node:util'
import { Refusal } from '#shared/domain/errors.ts'

/** The formats of a body. */
export type BodyFormat = 'json' | 'form' | 'multipart'

/**
 * Returns the format of a body by its content type. Refuses any other type, and any other charset than UTF-8, with
 * `unsupported_media_type`. Without a content type, a body is a form. A form that begins with a brace is JSON: curl
 * labels JSON as a form by default, and no form begins with a brace.
 */
export function bodyFormat(content_type: string | undefined, text: string): BodyFormat {
  const format = content_type ? formatOf(content_type) : 'form'
  return format === 'form' && text.trimStart().startsWith('{') ? 'json' : format
}

function formatOf(content_type: string): BodyFormat {
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
