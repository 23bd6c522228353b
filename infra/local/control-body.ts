import { Refusal } from '#shared/domain/errors.ts'
import { bodyFormat } from '#shared/http/body-format.ts'
import { multipartAsForm } from '#shared/http/multipart.ts'
import type { GatewayEvent } from './gateway-event.ts'

/**
 * Returns the parameters of a request to `/_local`, from JSON or a form. The last value of a repeated name wins. A body
 * that begins with a brace is JSON, whatever its content type, because scripts often send JSON without one. Refuses an
 * unreadable body with `bad_request`, and any other format with `unsupported_media_type`.
 */
export function controlBody({ body, headers }: Pick<GatewayEvent, 'body' | 'headers'>): Record<string, unknown> {
  const bytes = Buffer.from(body ?? '', 'base64')
  const text = new TextDecoder().decode(bytes).trim()
  if (text === '') return {}
  if (text.startsWith('{')) return jsonObject(text)
  const content_type = headers['content-type']
  const format = bodyFormat(content_type, text)
  if (format === 'json') return jsonObject(text)
  const form = format === 'multipart' ? multipartAsForm(bytes, content_type!) : text
  return Object.fromEntries(new URLSearchParams(form))
}

function jsonObject(text: string): Record<string, unknown> {
  const parsed = parsedOrRefused(text)
  if (parsed === null || typeof parsed !== 'object' || Array.isArray(parsed))
    throw new Refusal('bad_request', { message: 'Send the parameters as a JSON object or as a form.' })
  return parsed as Record<string, unknown>
}

function parsedOrRefused(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new Refusal('bad_request', {
      message: 'The body could not be read as JSON. Send a JSON object, or a form such as advance=60.',
    })
  }
}
