import { timestamp } from './timestamp.ts'

/** The largest file that can be uploaded, in bytes: 4 MB. */
export const FILE_BYTES_MAX = 4 * 1024 * 1024

/** How long an upload may take before it counts as given up: far longer than any request lives. */
const UPLOAD_MILLISECONDS = 15 * 60_000

/** Only a `stored` file is there for a merchant. An `abandoned` one never was, and its bytes are being removed. */
export type FileState = 'uploading' | 'stored' | 'abandoned'

/** A file as it is kept: what is known of it. Its bytes are in the bucket, and nowhere else. */
export interface StoredFile {
  readonly id: string
  readonly version: number
  readonly state: FileState
  readonly filename: string
  /** In bytes. */
  readonly size: number
  /** As its content tells, whatever its name or its sender say. */
  readonly mime_type: string
  readonly created_at: string
  readonly updated_at: string
  /** When an upload that has not ended is given up; null once it has. */
  readonly give_up_at: string | null
}

/** A file whose bytes are about to be put into the bucket. */
export function beginUpload(file: Pick<StoredFile, 'id' | 'filename' | 'size' | 'mime_type'>, now: number): StoredFile {
  const created_at = timestamp(now)
  const give_up_at = timestamp(now + UPLOAD_MILLISECONDS)
  return { ...file, version: 0, state: 'uploading', created_at, updated_at: created_at, give_up_at }
}

/** The file once its bytes are in the bucket. */
export const stored = (file: StoredFile): StoredFile => ({ ...file, state: 'stored', give_up_at: null })

/** The file once its upload is given up. It stays due until its bytes are gone. */
export const abandoned = (file: StoredFile): StoredFile => ({ ...file, state: 'abandoned' })

/** Whether an upload has not ended and is to be given up by now. */
export const isGivenUp = ({ give_up_at }: StoredFile, now: number): boolean =>
  give_up_at !== null && Date.parse(give_up_at) <= now
