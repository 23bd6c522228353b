import { Refusal } from '#shared/domain/errors.ts'
import { abandoned, beginUpload, isGivenUp, type StoredFile, stored } from '#shared/domain/file.ts'
import type { FileType } from '#shared/domain/file-type.ts'
import { attachment } from '#shared/domain/filename.ts'
import type { Message } from '#shared/platform/ports.ts'
import { type Change, changed, removed } from './change.ts'
import { recordKey } from './keys.ts'
import type { Kind } from './kind.ts'
import type { Work } from './work.ts'

/** Files. An upload falls due when it is to be given up; a file that is stored never does. */
export const files: Kind<StoredFile> = {
  name: 'file',
  key: (merchant, { id }) => recordKey('file', merchant, id),
  due: ({ give_up_at }) => give_up_at ?? undefined,
  due_kind: 'file',
}

/** A file as a merchant sends it. */
export interface NewFile {
  readonly filename: string
  readonly mime_type: FileType
  readonly bytes: Uint8Array
}

/** How long a link to the content of a file lives. */
const LINK_SECONDS = 5 * 60

/** The merchant's file with this id, or undefined: also for one whose upload has not ended. */
export async function findFile(work: Work, id: string): Promise<StoredFile | undefined> {
  const file = await work.find(files, id)
  return file?.state === 'stored' ? file : undefined
}

/** The merchant's file with this id; refused with `not_found` when there is none. */
export async function getFile(work: Work, id: string): Promise<StoredFile> {
  const file = await findFile(work, id)
  if (!file) throw new Refusal('not_found')
  return file
}

/**
 * Puts a file into the bucket and answers the change that makes it the merchant's. That it is on its way is committed
 * before, so that its bytes are removed if it never arrives there.
 */
export async function storeFile(
  work: Work,
  { filename, mime_type, bytes }: NewFile,
): Promise<{ changes: readonly Change[]; answer: StoredFile }> {
  const begun = beginUpload({ id: work.newId('file'), filename, size: bytes.length, mime_type }, work.now())
  await work.commit([changed(files, begun)])
  await work.platform.bucket.put(objectOf(work, begun), bytes, mime_type)
  const answer = stored({ ...begun, version: begun.version + 1 })
  return { changes: [changed(files, answer)], answer }
}

/** A link to the content of a file, for whoever has it, for five minutes. It downloads the file under its own name. */
export async function linkTo(work: Work, file: StoredFile): Promise<string> {
  const link = await work.platform.bucket.link(objectOf(work, file), {
    content_disposition: attachment(file.filename),
    content_type: file.mime_type,
    seconds: LINK_SECONDS,
  })
  return link.startsWith('/') ? work.base_url + link : link
}

/** Removes what is left of an upload that never ended, its bytes first. From the first step on it cannot end any more. */
export async function giveUpUpload(work: Work, { pk, sk, due_at }: Message): Promise<void> {
  const file = await work.at(files, { pk, sk })
  if (!file || file.give_up_at !== due_at || !isGivenUp(file, work.now())) return
  if (file.state === 'uploading') await work.commit([changed(files, abandoned(file))])
  const version = file.state === 'uploading' ? file.version + 1 : file.version
  await work.platform.bucket.remove(objectOf(work, file))
  await work.commit([removed(files, { ...file, version })])
}

/** What the bytes of a file are called in the bucket: nothing that a merchant has written. */
const objectOf = ({ merchant }: Work, { id }: StoredFile): string => `${merchant}/${id}`
