import { Refusal } from '#shared/domain/errors.ts'
import { type Part, partsOf } from './parts.ts'

/** Returns the parts of a multipart body. Refuses a malformed body with `bad_request`, without repeating any of it. */
export function readParts(body: Buffer, content_type: string, parts_max?: number): Part[] {
  try {
    return partsOf(body, content_type, parts_max)
  } catch {
    throw new Refusal('bad_request', { message: 'The request body could not be read as multipart/form-data.' })
  }
}

/**
 * Returns the text fields of a multipart body, in their order, as the text of a form. `content_type` is the whole
 * header, boundary included. Refuses with `bad_request` a malformed body and a part that is a file.
 */
export function multipartAsForm(body: Buffer, content_type: string): string {
  const fields = new URLSearchParams()
  // The number of fields is checked later, in the same way as for every other form.
  for (const { name: sent, filename, bytes } of readParts(body, content_type, Number.POSITIVE_INFINITY)) {
    const name = unescaped(sent)
    if (filename !== undefined)
      throw new Refusal('bad_request', {
        param: name,
        message: 'A file cannot be sent here. Upload it with POST /files, and send its id.',
      })
    fields.append(name, bytes.toString())
  }
  return fields.toString()
}

/** Undoes what browsers do to the quotation marks and line breaks in the name of a field. */
const unescaped = (name: string): string => name.replaceAll('%22', '"').replace(/%0d/gi, '\r').replace(/%0a/gi, '\n')
