import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { FileBucket } from '#infra/local/file-bucket.ts'
import { KeyFileVault } from '#infra/local/key-file-vault.ts'
import { bucketContract } from '#test/shared/platform/contract/bucket-contract.ts'
import { openApi } from '#test/support/api.ts'

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

  const open = (key_file = 'vault.key') => {
    const vault = new KeyFileVault(join(data_dir, key_file))
    const clock = { now: () => now, wait: async () => undefined }
    return new FileBucket({ folder, keyFor: (use) => vault.keyFor(use), clock })
  }

  /** What a link leads to, with its query changed. */
  async function followed(
    bucket: FileBucket,
    link: string,
    change: (query: URLSearchParams) => void = () => undefined,
  ) {
    const { pathname, searchParams } = new URL(link, 'http://localhost')
    change(searchParams)
    return bucket.follow(pathname.replace('/_local/files/', ''), searchParams)
  }

  test('keeps what only its own key opens, in a folder that nobody else may read', async () => {
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

    const again = await followed(open(), await bucket.link('mer_1/fil_1', options))
    expect(again?.bytes.equals(bytes)).toBe(true)
    const other = open('another.key')
    await expect(followed(other, await other.link('mer_1/fil_1', options))).rejects.toThrow()
  })

  test('opens no bytes that were changed, or that were put under another name', async () => {
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

  test('links live as long as they are to, and not a millisecond longer', async () => {
    const bucket = open()
    await bucket.put('mer_1/fil_1', Buffer.from('one'))
    const link = await bucket.link('mer_1/fil_1', options)
    now += 300_000 - 1
    expect(await followed(bucket, link)).toMatchObject({ bytes: Buffer.from('one'), content_type: 'image/png' })
    now += 1
    expect(await followed(bucket, link)).toBeUndefined()
  })

  test.each<[string, (query: URLSearchParams) => void]>([
    ['lives longer', (query) => query.set('expires', String(Number(query.get('expires')) + 1))],
    ['lives for ever', (query) => query.set('expires', 'Infinity')],
    ['is opened in the browser', (query) => query.set('content_disposition', 'inline')],
    ['is of another type', (query) => query.set('content_type', 'text/html')],
    ['has no signature', (query) => query.delete('signature')],
    ['has half a signature', (query) => query.set('signature', query.get('signature')!.slice(0, 32))],
    ['has another signature', (query) => query.set('signature', 'a'.repeat(64))],
  ])('leads nowhere once it %s', async (_, change) => {
    const bucket = open()
    await bucket.put('mer_1/fil_1', Buffer.from('one'))
    const link = await bucket.link('mer_1/fil_1', options)
    expect(await followed(bucket, link, change)).toBeUndefined()
    expect(await followed(bucket, link)).toBeDefined()
    const { searchParams } = new URL(link, 'http://localhost')
    expect(await bucket.follow('mer_1/fil_2', searchParams)).toBeUndefined()
  })

  test('never leaves its folder, whatever the name', async () => {
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

  test('leaves nothing of an object that it could not put', async () => {
    const bucket = open()
    mkdirSync(join(folder, 'mer_1%2Ffil_1.object'))
    await expect(bucket.put('mer_1/fil_1', Buffer.from('one'))).rejects.toThrow()
    expect(readdirSync(folder)).toEqual(['mer_1%2Ffil_1.object'])
  })

  test('forgets what an earlier process has not written to the end', async () => {
    const bucket = open()
    await bucket.put('mer_1/fil_1', Buffer.from('one'))
    writeFileSync(join(folder, '0123456789abcdef.draft'), 'half')
    open()
    expect(readdirSync(folder)).toEqual(['mer_1%2Ffil_1.object'])
  })
})
