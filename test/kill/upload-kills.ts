import { createHash } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as passes } from 'node:timers/promises'
import { FILE_BYTES_MAX } from '#shared/domain/file.ts'
import { itemsIn } from '#test/faults/kill-rounds.ts'
import { randomOf } from '#test/faults/random.ts'
import { beginnings, type DocumentType, partsWith } from '#test/fixtures/documents.ts'
import { type LocalRun, startLocally } from '#test/fixtures/local-run.ts'

/** An upload, as its client knows it. */
interface Upload {
  readonly key: string
  readonly size: number
  readonly type: DocumentType
  readonly hash: string
  /** The id of the file; undefined without a response. */
  id?: string
}

/** The result of the uploads. */
export interface UploadKills {
  readonly kills: number
  /** The number of uploads that were answered at the first try, and of those that a kill interrupted. */
  readonly answered: number
  readonly interrupted: number
  readonly bytes: number
  /** The number of objects without a stored file, and of stored files without an object, before the sweep. */
  readonly orphans_before_sweep: number
  /** Everything that is wrong, one sentence each. */
  readonly wrong: readonly string[]
}

const CLIENTS = 8
const RUN_MS = 1_200

/**
 * Clients upload files of random sizes to a service that is killed at random moments and started again on the same
 * folder. Uploads without a response are repeated with their key. At the end each file is read through its link.
 */
export async function uploadKills(data_dir: string, uploads: number, seed: number): Promise<UploadKills> {
  const random = randomOf(seed)
  const sent: Upload[] = []
  const interrupted = new Set<Upload>()
  let kills = 0
  let run = await startLocally(data_dir)
  const key = run.key!
  while (sent.length < uploads) {
    const clients = Array.from({ length: CLIENTS }, () => client(run, key, { sent, uploads, random }))
    await Promise.race([passes(20 + random() * RUN_MS), Promise.all(clients)])
    await run.kill()
    kills += 1
    await Promise.all(clients)
    run = await startLocally(data_dir)
    const open = sent.filter(({ id }) => id === undefined)
    for (const upload of open) interrupted.add(upload)
    // The other uploads are repeated after the last kill. By then the sweep may have removed their first try.
    for (const upload of open.filter(() => random() < 0.5)) await post(run, key, upload)
  }
  await run.kill()
  const orphans_before_sweep = orphansIn(data_dir).length
  run = await startLocally(data_dir)
  await run.advance(20 * 60)
  for (const upload of sent.filter(({ id }) => id === undefined)) await post(run, key, upload)
  const wrong = (await Promise.all(sent.map((upload) => faultOf(run, key, upload)))).flatMap((fault) => fault ?? [])
  await run.kill()
  wrong.push(...orphansIn(data_dir), ...unstoredIn(data_dir), ...twiceIn(data_dir, sent))
  const bytes = sent.reduce((sum, { size }) => sum + size, 0)
  return {
    kills,
    answered: sent.length - interrupted.size,
    interrupted: interrupted.size,
    bytes,
    orphans_before_sweep,
    wrong,
  }
}

interface Uploading {
  readonly sent: Upload[]
  readonly uploads: number
  readonly random: () => number
}

/** Uploads one file after the other until the service is killed, or all uploads are sent. */
async function client(run: LocalRun, key: string, { sent, uploads, random }: Uploading): Promise<void> {
  while (sent.length < uploads) {
    // Most files are small, and a few are as large as allowed.
    const size = Math.max(40, Math.floor(FILE_BYTES_MAX * random() ** 9))
    const types = Object.keys(beginnings) as DocumentType[]
    const type = types[Math.floor(random() * types.length)]!
    const bytes = contentOf(`upload ${sent.length}`, size, type)
    const upload: Upload = { key: `upload ${sent.length}`, size, type, hash: hashOf(bytes) }
    sent.push(upload)
    await post(run, key, upload)
    if (upload.id === undefined) return
  }
}

/** Returns the content of an upload, which is the same for each try. */
function contentOf(key: string, size: number, type: DocumentType): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(Buffer.alloc(size, createHash('sha512').update(key).digest()))
  bytes.set(beginnings[type].subarray(0, size))
  return bytes
}

async function post(run: LocalRun, key: string, upload: Upload): Promise<void> {
  const parts = partsWith(['paper', contentOf(upload.key, upload.size, upload.type), `${upload.key}.pdf`])
  const reply = await run.send('POST /files', { key, parts, headers: { 'idempotency-key': upload.key } })
  if (reply?.status === 200) upload.id = reply.body.id
}

/** Returns what is wrong with an upload: it has no response, or its content differs. */
async function faultOf(
  run: LocalRun,
  key: string,
  { key: name, id, hash, size, type }: Upload,
): Promise<string | undefined> {
  if (id === undefined) return `${name} was never answered`
  const headers = { authorization: `Basic ${btoa(`${key}:`)}` }
  const shown = await run.send(`GET /files/${id}`, { key })
  if (shown?.body.size !== size || shown.body.mime_type !== type) return `${name} is shown as ${shown?.text}`
  const reply = await fetch(`${run.url}/api/v1/files/${id}/content`, { headers })
  const bytes = await reply.bytes()
  if (reply.status !== 200 || hashOf(bytes) !== hash) return `${name} (${id}) was answered and is not complete`
  return undefined
}

const hashOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

const filesIn = (data_dir: string) => itemsIn(data_dir).filter(({ sk }) => sk === 'file')

/** Returns the objects without a stored file, and the stored files without an object. */
function orphansIn(data_dir: string): string[] {
  const known = new Set(
    filesIn(data_dir).flatMap(({ pk, id, state }) =>
      state === 'stored' ? [`${pk.split('#')[1]}%2F${id}.object`] : [],
    ),
  )
  const stored = new Set(readdirSync(join(data_dir, 'files')))
  return [
    ...[...stored].filter((name) => !known.has(name)).map((name) => `${name} belongs to no file`),
    ...[...known].filter((name) => !stored.has(name)).map((name) => `${name} is missing`),
  ]
}

const unstoredIn = (data_dir: string): string[] =>
  filesIn(data_dir).flatMap(({ id, state }) => (state === 'stored' ? [] : [`${id} is ${state} and still stored`]))

/** Checks that one key creates one file. */
function twiceIn(data_dir: string, sent: readonly Upload[]): string[] {
  const made = filesIn(data_dir).length
  return made === sent.length ? [] : [`${sent.length} uploads made ${made} files`]
}
