import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import * as fs from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { FileBucket, type FileCalls } from '#infra/local/file-bucket.ts'
import { KeyFileVault } from '#infra/local/key-file-vault.ts'
import { PlatformUnavailable } from '#shared/platform/ports.ts'
import { openApi } from '#test/fixtures/api.ts'
import { expectEnvelope } from '#test/fixtures/envelope.ts'
import { bucketContract } from '#test/shared/platform/contract/bucket-contract.ts'

bucketContract('FileBucket', async () => {
  const { platform, url, close } = await openApi()
  return { bucket: platform.bucket, origin: url, close }
})

describe('FileBucket', () => {
  const options = { content_disposition: 'attachment', content_type: 'image/png', seconds: 300 }
  let data_dir: string
  let folder: string
  let now: number
  beforeEach(() => {
    data_dir = mkdtempSync(join(tmpdir(), 'bucket-'))
    folder = join(data_dir, 'files')
    now = Date.parse('2030-01-02T03:00:00Z')
  })
  afterEach(() => rmSync(data_dir, { recursive: true }))

  const open = (key_file = 'vault.key', calls?: FileCalls) => {
    const vault = new KeyFileVault(join(data_dir, key_file))
    const clock = { now: () => now, wait: async () => undefined }
    return new FileBucket({ folder, keyFor: (use) => vault.keyFor(use), clock, calls })
  }

  /** Changes the query of a link and follows the link. */
  async function followed(
    bucket: FileBucket,
    link: string,
    change: (query: URLSearchParams) => void = () => undefined,
  ) {
    const { pathname, searchParams } = new URL(link, 'http://localhost')
    change(searchParams)
    return bucket.follow(pathname.replace('/_local/files/', ''), searchParams)
  }

  test('stores encrypted objects in a folder that only the owner can read', async () => {
    const bucket = open()
    const bytes = Buffer.from('a secret paper '.repeat(100))
    await bucket.put('mer_1/fil_1', bytes)
    const [name] = readdirSync(folder)
    const kept = readFileSync(join(folder, name!))
    expect(kept.includes('secret')).toBe(false)
    expect(kept.length).toBe(bytes.length + 28)
    expect([statSync(folder).mode & 0o777, statSync(join(folder, name!)).mode & 0o777]).toEqual([0o700, 0o600])
    await bucket.put('mer_1/fil_1', bytes)
    expect(readFileSync(join(folder, name!)).equals(kept)).toBe(false)

    expect(await open().get('mer_1/fil_1')).toEqual(bytes)
    expect(await open().get('mer_1/fil_2')).toBeUndefined()
    const again = await followed(open(), await bucket.link('mer_1/fil_1', options))
    expect(again?.bytes.equals(bytes)).toBe(true)
    const other = open('another.key')
    await expect(followed(other, await other.link('mer_1/fil_1', options))).rejects.toThrow()
  })

  test('rejects bytes that were changed or copied from another object', async () => {
    const bucket = open()
    await bucket.put('mer_1/fil_1', Buffer.from('one'))
    await bucket.put('mer_2/fil_2', Buffer.from('two'))
    const [one, two] = readdirSync(folder).map((name) => join(folder, name))
    writeFileSync(one!, readFileSync(two!))
    await expect(followed(bucket, await bucket.link('mer_1/fil_1', options))).rejects.toThrow()
    const bytes = readFileSync(two!)
    bytes[14]! ^= 1
    writeFileSync(two!, bytes)
    await expect(followed(bucket, await bucket.link('mer_2/fil_2', options))).rejects.toThrow()
  })

  test('accepts a link until its expiry and not a millisecond longer', async () => {
    const bucket = open()
    await bucket.put('mer_1/fil_1', Buffer.from('one'))
    const link = await bucket.link('mer_1/fil_1', options)
    now += 300_000 - 1
    expect(await followed(bucket, link)).toMatchObject({ bytes: Buffer.from('one'), content_type: 'image/png' })
    now += 1
    expect(await followed(bucket, link)).toBeUndefined()
  })

  test.each<[string, (query: URLSearchParams) => void]>([
    ['has a later expiry', (query) => query.set('expires', String(Number(query.get('expires')) + 1))],
    ['has an infinite expiry', (query) => query.set('expires', 'Infinity')],
    ['has another content disposition', (query) => query.set('content_disposition', 'inline')],
    ['has another content type', (query) => query.set('content_type', 'text/html')],
    ['has no signature', (query) => query.delete('signature')],
    ['has half a signature', (query) => query.set('signature', query.get('signature')!.slice(0, 32))],
    ['has another signature', (query) => query.set('signature', 'a'.repeat(64))],
  ])('does not follow a link that %s', async (_, change) => {
    const bucket = open()
    await bucket.put('mer_1/fil_1', Buffer.from('one'))
    const link = await bucket.link('mer_1/fil_1', options)
    expect(await followed(bucket, link, change)).toBeUndefined()
    expect(await followed(bucket, link)).toBeDefined()
    const { searchParams } = new URL(link, 'http://localhost')
    expect(await bucket.follow('mer_1/fil_2', searchParams)).toBeUndefined()
  })

  test('stores every object inside the folder of the bucket, whatever the name of the object', async () => {
    const bucket = open()
    for (const name of ['../vault.key', '..', '/etc/passwd', 'a/../../b', 'mer_1/fil_1.draft']) {
      await bucket.put(name, Buffer.from(name))
      const query = new URLSearchParams((await bucket.link(name, options)).split('?')[1])
      expect((await bucket.follow(name, query))?.bytes.toString(), name).toBe(name)
    }
    expect(readdirSync(data_dir).sort()).toEqual(['files', 'vault.key'])
    expect(readdirSync(folder)).toHaveLength(5)
    expect(open()).toBeDefined()
    expect(readdirSync(folder)).toHaveLength(5)
  })

  test('leaves no partial object after a failed put', async () => {
    const bucket = open()
    mkdirSync(join(folder, 'mer_1%2Ffil_1.object'))
    await expect(bucket.put('mer_1/fil_1', Buffer.from('one'))).rejects.toThrow()
    expect(readdirSync(folder)).toEqual(['mer_1%2Ffil_1.object'])
  })

  test('deletes the drafts of an earlier process when it is opened', async () => {
    const bucket = open()
    await bucket.put('mer_1/fil_1', Buffer.from('one'))
    writeFileSync(join(folder, '0123456789abcdef.draft'), 'half')
    open()
    expect(readdirSync(folder)).toEqual(['mer_1%2Ffil_1.object'])
  })

  describe.each([
    ['ENOSPC', -28],
    ['EDQUOT', -122],
    ['EFBIG', -27],
    ['EIO', -5],
    ['EROFS', -30],
    ['EMFILE', -24],
    ['EACCES', -13],
  ])('on a disk that fails with %s', (code, errno) => {
    const fault = () => Object.assign(new Error(`${code}: it failed`), { code, errno, syscall: 'any' })
    const failing = async (): Promise<never> => {
      throw fault()
    }
    /** Opens a file or folder whose sync fails. */
    const openUnsynced: FileCalls['open'] = async (...given) => {
      const handle = await fs.open(...given)
      handle.sync = failing
      return handle
    }
    const put = (bucket: FileBucket) => bucket.put('mer_1/fil_2', Buffer.from('two'))
    const remove = (bucket: FileBucket) => bucket.remove('mer_1/fil_1')
    const follow = async (bucket: FileBucket) => followed(bucket, await bucket.link('mer_1/fil_1', options))

    test.each<[string, Partial<FileCalls>, (bucket: FileBucket) => Promise<unknown>]>([
      ['an object is written', { writeFile: failing }, put],
      ['an object is renamed', { rename: failing }, put],
      ['the folder of a new name is opened', { open: failing }, put],
      ['a new name is synced', { open: openUnsynced }, put],
      ['an object is written, and its draft cannot be removed', { writeFile: failing, rm: failing }, put],
      ['an object is removed', { rm: failing }, remove],
      ['the folder of an old name is opened', { open: failing }, remove],
      ['the removal of a name is synced', { open: openUnsynced }, remove],
      ['an object is read', { readFile: failing }, follow],
    ])('throws PlatformUnavailable while %s', async (_, calls, ask) => {
      await open().put('mer_1/fil_1', Buffer.from('one'))
      const bucket = open('vault.key', { ...fs, ...calls })
      await expect(ask(bucket)).rejects.toBeInstanceOf(PlatformUnavailable)
      await expect(ask(bucket)).rejects.toThrow(code)
      await ask(open())
      expect(readdirSync(folder).filter((name) => name.endsWith('.draft'))).toEqual([])
    })

    test('answers an upload and a link with 503 and Retry-After, and serves them afterwards', async () => {
      let calls: Partial<FileCalls> = {}
      const now_calls = new Proxy(fs, { get: (all, name) => Reflect.get({ ...all, ...calls }, name) })
      const bucket = open('vault.key', now_calls)
      const api = await openApi({ frozen_at: now, around: (platform) => ({ ...platform, bucket }) })
      const upload = () => {
        const parts = new FormData()
        parts.set('paper', new File([Buffer.from('%PDF-1.4 a paper')], 'a.pdf'))
        return api.request('POST /files', { parts, headers: { 'idempotency-key': 'one' } })
      }
      calls = { writeFile: failing }
      const refused = await upload()
      expectEnvelope(refused, 'service_unavailable')
      expect(refused.headers.get('retry-after')).toBe('5')
      calls = {}
      const { status, body } = await upload()
      expect(status).toBe(200)
      const { headers } = await api.request(`GET /files/${body.id}/content`, { redirect: 'manual' })
      const link = headers.get('location')!.replace(api.url, '')
      calls = { readFile: failing }
      const unread = await api.request(`GET ${link}`, { key: null })
      expectEnvelope(unread, 'service_unavailable')
      expect(unread.headers.get('retry-after')).toBe('5')
      calls = {}
      expect((await api.request(`GET ${link}`, { key: null })).text).toBe('%PDF-1.4 a paper')
      await api.close()
    })
  })
})
