import type { FileType } from './file-type.ts'
import { timestamp } from './timestamp.ts'

/** The largest file that can be uploaded, in bytes: 4 MB. */
export const FILE_BYTES_MAX = 4 * 1024 * 1024

/** How long an upload can take before it is given up. No request takes nearly as long. */
const UPLOAD_MILLISECONDS = 15 * 60_000

/**
 * The state of a file. A merchant can use only a `stored` file. An `abandoned` file was never stored, and its bytes are
 * being removed.
 */
export type FileState = 'uploading' | 'stored' | 'abandoned'

/** A file as stored, without its bytes. The bytes are only in the bucket. */
export interface StoredFile {
  readonly id: string
  readonly version: number
  readonly state: FileState
  readonly filename: string
  /** In bytes. */
  readonly size: number
  /** The type that the content shows, whatever the name or the sender says. */
  readonly mime_type: FileType
  readonly created_at: string
  readonly updated_at: string
  /** When an unfinished upload is given up; null once the file is stored. */
  readonly give_up_at: string | null
}

/** Returns a file whose bytes are about to be put into the bucket. */
export function beginUpload(file: Pick<StoredFile, 'id' | 'filename' | 'size' | 'mime_type'>, now: number): StoredFile {
  const created_at = timestamp(now)
  const give_up_at = timestamp(now + UPLOAD_MILLISECONDS)
  return { ...file, version: 0, state: 'uploading', created_at, updated_at: created_at, give_up_at }
}

/** Returns the file after its bytes were put into the bucket. */
export const stored = (file: StoredFile): StoredFile => ({ ...file, state: 'stored', give_up_at: null })

/** Returns the file after its upload was given up. It stays due until its bytes are removed. */
export const abandoned = (file: StoredFile): StoredFile => ({ ...file, state: 'abandoned' })

/** Whether an unfinished upload is due to be given up at `now` (epoch milliseconds). */
export const isGivenUp = ({ give_up_at }: StoredFile, now: number): boolean =>
  give_up_at !== null && Date.parse(give_up_at) <= now
