import { randomBytes } from 'node:crypto'

const latin = (text: string): Buffer => Buffer.from(text, 'latin1')

/** How a file of each accepted type begins. */
export const beginnings = {
  'application/pdf': latin('%PDF-1.7\n%\xe2\xe3\xcf\xd3\n'),
  'image/png': latin('\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01\x08\x06\0\0\0'),
  'image/jpeg': latin('\xff\xd8\xff\xe0\0\x10JFIF\0\x01\x01\0'),
  'image/heic': latin('\0\0\0\x18ftypheic\0\0\0\0mif1heic\0\0\0\x08mdat'),
  'image/webp': latin('RIFF\x24\0\0\0WEBPVP8 \x18\0\0\0'),
} as const

/** The types of files that are accepted. */
export type DocumentType = keyof typeof beginnings

/** A file of that type and size, by chance behind its beginning. */
export function documentOf(size: number, type: DocumentType = 'application/pdf'): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(size)
  bytes.set(randomBytes(size))
  bytes.set(beginnings[type].subarray(0, size))
  return bytes
}

/** A multipart body as a browser makes it: each part under its name, a file with the name that it has. */
export function partsWith(
  ...parts: readonly (readonly [name: string, value: string | Uint8Array<ArrayBuffer>, filename?: string])[]
): FormData {
  const form = new FormData()
  for (const [name, value, filename] of parts)
    if (typeof value === 'string') form.append(name, value)
    else form.append(name, new Blob([value]), filename)
  return form
}
