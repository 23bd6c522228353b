import { Refusal } from '#shared/domain/errors.ts'
import { abandoned, beginUpload, isGivenUp, type StoredFile, stored } from '#shared/domain/file.ts'
import type { FileType } from '#shared/domain/file-type.ts'
import { attachment } from '#shared/domain/filename.ts'
import type { Message } from '#shared/platform/ports.ts'
import { type Change, changed, removed } from './change.ts'
import { recordKey } from './keys.ts'
import type { Kind } from './kind.ts'
import type { UnitOfWork } from './unit-of-work.ts'

/** Files. An upload in progress falls due when it is to be abandoned. A stored file never falls due. */
export const files: Kind<StoredFile> = {
  name: 'file',
  key: (merchant, { id }) => recordKey('file', merchant, id),
  due: ({ give_up_at }) => give_up_at ?? undefined,
  due_kind: 'file',
}

/** A file as a merchant uploads it. */
export interface NewFile {
  readonly filename: string
  readonly mime_type: FileType
  readonly bytes: Uint8Array
}

/** How long a link to the content of a file is valid. */
const LINK_SECONDS = 5 * 60

/** The merchant's file with this id; undefined if there is none or its upload has not ended. */
export async function findFile(work: UnitOfWork, id: string): Promise<StoredFile | undefined> {
  const file = await work.find(files, id)
  return file?.state === 'stored' ? file : undefined
}

/** The merchant's file with this id. Refuses with `not_found` if there is none or its upload has not ended. */
export async function getFile(work: UnitOfWork, id: string): Promise<StoredFile> {
  const file = await findFile(work, id)
  if (!file) throw new Refusal('not_found')
  return file
}

/**
 * Puts a file into the bucket and returns the change that makes it available to the merchant. The start of the upload
 * is committed first, so the bytes are removed if the upload never ends.
 */
export async function storeFile(
  work: UnitOfWork,
  { filename, mime_type, bytes }: NewFile,
): Promise<{ changes: readonly Change[]; answer: StoredFile }> {
  const begun = beginUpload({ id: work.newId('file'), filename, size: bytes.length, mime_type }, work.now())
  await work.commit([changed(files, begun)])
  await work.platform.bucket.put(objectOf(work, begun), bytes, mime_type)
  const answer = stored({ ...begun, version: begun.version + 1 })
  return { changes: [changed(files, answer)], answer }
}

/**
 * A link to the content of a file. It is valid for five minutes for anyone who has it, and downloads the file under its
 * own name.
 */
export async function linkTo(work: UnitOfWork, file: StoredFile): Promise<string> {
  const link = await work.platform.bucket.link(objectOf(work, file), {
    content_disposition: attachment(file.filename),
    content_type: file.mime_type,
    seconds: LINK_SECONDS,
  })
  return link.startsWith('/') ? work.base_url + link : link
}

/** Reads the content of a file. Throws if the bucket has lost it. */
export async function readFile(work: UnitOfWork, file: StoredFile): Promise<Uint8Array> {
  const bytes = await work.platform.bucket.get(objectOf(work, file))
  if (!bytes) throw new Error('The bytes of a file are missing.')
  return bytes
}

/**
 * Removes an upload that never ended: marks it as abandoned, then removes its bytes, then its record. A marked upload
 * can no longer end, because its commit fails the version check.
 */
export async function giveUpUpload(work: UnitOfWork, { pk, sk, due_at }: Message): Promise<void> {
  const file = await work.at(files, { pk, sk })
  if (!file || file.give_up_at !== due_at || !isGivenUp(file, work.now())) return
  if (file.state === 'uploading') await work.commit([changed(files, abandoned(file))])
  const version = file.state === 'uploading' ? file.version + 1 : file.version
  await work.platform.bucket.remove(objectOf(work, file))
  await work.commit([removed(files, { ...file, version })])
}

/** The name of a file's bytes in the bucket. It contains ids only, and no text that a merchant wrote. */
export const objectOf = ({ merchant }: UnitOfWork, { id }: StoredFile): string => `${merchant}/${id}`
