import * as v from 'valibot'
import type { StoredFile } from '#shared/domain/file.ts'
import { fileTypeOf } from '#shared/domain/file-type.ts'
import { filenameOf } from '#shared/domain/filename.ts'

/** A file as it is sent, with the name that its sender chose. */
interface SentFile {
  readonly filename: string
  readonly bytes: Uint8Array
}

/** The parameters of an upload. The type comes from the content, and the name is made safe. */
export const CreateFile = v.object({
  paper: v.pipe(
    v.custom<SentFile>((input) => Object(input).bytes instanceof Uint8Array, 'must be one file'),
    v.metadata({ type: 'string', format: 'binary' }),
    v.description('The file: a PDF, PNG, JPEG, HEIC or WEBP of at most 4 MB. Its content determines its type.'),
    v.check(({ bytes }) => bytes.length > 0, 'must not be empty'),
    v.transform(({ filename, bytes }) => ({ filename: filenameOf(filename), mime_type: fileTypeOf(bytes), bytes })),
    v.check(({ mime_type }) => mime_type !== undefined, 'must be a PDF, PNG, JPEG, HEIC or WEBP'),
    v.transform(({ mime_type, ...file }) => ({ ...file, mime_type: mime_type! })),
  ),
})

/** A file as a merchant sees it. */
export function file({ id, filename, size, mime_type, created_at, updated_at }: StoredFile) {
  return { id, resource: 'file' as const, filename, size, mime_type, created_at, updated_at }
}
