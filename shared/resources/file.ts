import * as v from 'valibot'
import type { StoredFile } from '#shared/domain/file.ts'
import { file_types, fileTypeOf } from '#shared/domain/file-type.ts'
import { filenameOf } from '#shared/domain/filename.ts'
import { described, resourceName, shown_count, shown_timestamp, shownId } from './answer-fields.ts'
import { viewOf } from './view.ts'

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
export const FileResource = described(
  v.strictObject({
    id: described(shownId('file'), 'Id of the file, which fields of onboarding records take.'),
    resource: resourceName('file'),
    filename: described(
      v.string(),
      'Name under which the file was sent, without folders. Unsafe characters are replaced.',
    ),
    size: described(shown_count, 'Size of the file in bytes.'),
    mime_type: described(v.picklist(file_types), 'Type of the file, which its content determines.'),
    created_at: described(shown_timestamp, 'Time at which the file was uploaded, in UTC.'),
    updated_at: described(shown_timestamp, 'Time of the last change, in UTC. A file never changes after its upload.'),
  }),
  'A file that you uploaded.',
)
export type FileResource = v.InferOutput<typeof FileResource>

/** Shows a file. */
export const file = viewOf(
  FileResource,
  ({ id, filename, size, mime_type, created_at, updated_at }: StoredFile): FileResource => ({
    id,
    resource: 'file',
    filename,
    size,
    mime_type,
    created_at,
    updated_at,
  }),
)

/** Shows the file whose content is returned. */
export const linked_file = viewOf(
  FileResource,
  ({ record }: { readonly record: StoredFile; readonly link: string }): FileResource => file(record),
)
