import { Refusal } from '#shared/domain/errors.ts'

/**
 * Returns the text fields of a multipart body, in their order, as the text of a form. `content_type` is the whole
 * header, boundary included. Refuses a malformed body and a part that is a file with `bad_request`.
 */
export async function multipartAsForm(bytes: Uint8Array<ArrayBuffer>, content_type: string): Promise<string> {
  const fields = new URLSearchParams()
  for (const [name, value] of await readParts(bytes, content_type)) {
    if (typeof value !== 'string') {
      throw new Refusal('bad_request', { param: name, message: 'A file cannot be sent here.' })
    }
    fields.append(name, value)
  }
  return fields.toString()
}

async function readParts(bytes: Uint8Array<ArrayBuffer>, content_type: string): Promise<FormData> {
  try {
    return await new Response(bytes, { headers: { 'content-type': content_type } }).formData()
  } catch {
    throw new Refusal('bad_request', { message: 'The request body could not be read as multipart/form-data.' })
  }
}
