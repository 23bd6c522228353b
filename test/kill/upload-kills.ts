import { createHash } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as passes } from 'node:timers/promises'
import { FILE_BYTES_MAX } from '#shared/domain/file.ts'
import { itemsIn } from '#test/faults/kill-rounds.ts'
import { randomOf } from '#test/faults/random.ts'
import { beginnings, type DocumentType, partsWith } from '#test/fixtures/documents.ts'
import { type LocalRun, startLocally } from '#test/fixtures/local-run.ts'

/** One upload as its client remembers it. */
interface Upload {
  readonly key: string
  readonly size: number
  readonly type: DocumentType
  readonly hash: string
  /** Of the file that was answered; undefined while there is no answer. */
  id?: string
}

/** What came of the uploads. */
export interface UploadKills {
  readonly kills: number
  /** Uploads that were answered as soon as they were sent, and those that the process died on. */
  readonly answered: number
  readonly cut_off: number
  readonly bytes: number
  /** Bytes that were in the bucket without a file, before the sweep. */
  readonly orphans_before_sweep: number
  /** Everything that is wrong, one sentence each. */
  readonly wrong: readonly string[]
}

const CLIENTS = 8
const LIVES_MS = 1_200

/**
 * Clients upload so many files of random sizes to a service that is killed at moments of chance and started again on the
 * same folder. What was not answered is sent again with its key. In the end each file is looked at through its link.
 */
export async function uploadKills(data_dir: string, uploads: number, seed: number): Promise<UploadKills> {
  const random = randomOf(seed)
  const sent: Upload[] = []
  const cut_off = new Set<Upload>()
  let kills = 0
  let run = await startLocally(data_dir)
  const key = run.key!
  while (sent.length < uploads) {
    const clients = Array.from({ length: CLIENTS }, () => client(run, key, { sent, uploads, random }))
    await Promise.race([passes(20 + random() * LIVES_MS), Promise.all(clients)])
    await run.kill()
    kills += 1
    await Promise.all(clients)
    run = await startLocally(data_dir)
    const open = sent.filter(({ id }) => id === undefined)
    for (const upload of open) cut_off.add(upload)
    // Some are tried again at once, the others once nothing is killed any more: by then the first try may have been removed.
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
  return { kills, answered: sent.length - cut_off.size, cut_off: cut_off.size, bytes, orphans_before_sweep, wrong }
}

interface Uploading {
  readonly sent: Upload[]
  readonly uploads: number
  readonly random: () => number
}

/** Uploads one file after the other until the service is gone, or there are enough. */
async function client(run: LocalRun, key: string, { sent, uploads, random }: Uploading): Promise<void> {
  while (sent.length < uploads) {
    // Small ones often, and as large as may be seldom.
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

/** The same bytes each time that an upload is sent. */
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

/** What is wrong with an upload: each has its answer by now, and its bytes are those that were sent. */
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
  if (reply.status !== 200 || hashOf(bytes) !== hash) return `${name} (${id}) was answered and is not whole`
  return undefined
}

const hashOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

const filesIn = (data_dir: string) => itemsIn(data_dir).filter(({ sk }) => sk === 'file')

/** What is in the bucket and belongs to no file that is stored, and the other way around. */
function orphansIn(data_dir: string): string[] {
  const known = new Set(
    filesIn(data_dir).flatMap(({ pk, id, state }) =>
      state === 'stored' ? [`${pk.split('#')[1]}%2F${id}.object`] : [],
    ),
  )
  const there = new Set(readdirSync(join(data_dir, 'files')))
  return [
    ...[...there].filter((name) => !known.has(name)).map((name) => `${name} belongs to no file`),
    ...[...known].filter((name) => !there.has(name)).map((name) => `${name} is missing`),
  ]
}

const unstoredIn = (data_dir: string): string[] =>
  filesIn(data_dir).flatMap(({ id, state }) => (state === 'stored' ? [] : [`${id} is ${state} and still there`]))

/** One key makes one file. */
function twiceIn(data_dir: string, sent: readonly Upload[]): string[] {
  const made = filesIn(data_dir).length
  return made === sent.length ? [] : [`${sent.length} uploads made ${made} files`]
}
