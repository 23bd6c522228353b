import { createHash } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { request as httpRequest } from 'node:http'
import { join } from 'node:path'
import { setImmediate as turn } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { FILE_BYTES_MAX } from '#shared/domain/file.ts'
import { PlatformUnavailable } from '#shared/platform/ports.ts'
import { CrashPoints, failingAt } from '#test/faults/crash-points.ts'
import { itemsOf } from '#test/faults/witness.ts'
import { type Api, openApi, type RequestOptions } from '#test/fixtures/api.ts'
import { beginnings, type DocumentType, documentOf, partsWith } from '#test/fixtures/documents.ts'
import { expectEnvelope } from '#test/fixtures/envelope.ts'
import { tableDigest } from '#test/fixtures/table-digest.ts'

const crash = new CrashPoints()
let api: Api
beforeAll(async () => {
  api = await openApi({ around: (platform) => crash.around(platform) })
})
beforeEach(() => api.advance(1))
afterEach(() => crash.disarm())
afterAll(() => api.close())

const upload = (parts: FormData, options: RequestOptions = {}) => api.request('POST /files', { parts, ...options })
const paper = (bytes = documentOf(1_000), filename = 'paper.pdf') => partsWith(['paper', bytes, filename])
const keyed = (key: string) => ({ headers: { 'idempotency-key': key } })
const hash = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')
const objects = () => readdirSync(join(api.data_dir, 'files'))
const files = () => itemsOf(api, 'file')

/** The bytes that the content link of a file serves. */
async function contentOf(id: string, key = api.test.secret_key): Promise<Uint8Array> {
  const authorization = `Basic ${btoa(`${key}:`)}`
  const reply = await fetch(`${api.url}/api/v1/files/${id}/content`, { headers: { authorization } })
  expect(reply.status).toBe(200)
  return reply.bytes()
}

/** Expects that unfinished uploads and their objects are removed within 16 minutes. */
async function expectNoUnfinishedUploads(): Promise<void> {
  await api.advance(16 * 60)
  expect(files().filter(({ state }) => state !== 'stored')).toEqual([])
  expect(objects().sort()).toEqual(
    files()
      .map(({ pk, id }) => `${pk.split('#')[1]}%2F${id}.object`)
      .sort(),
  )
}

describe('POST /files', () => {
  test('returns the file and stores its bytes', async () => {
    const bytes = documentOf(1_000)
    const { status, body } = await upload(paper(bytes, '登記簿 謄本.pdf'))
    const now = `${new Date(api.platform.clock.now()).toISOString().slice(0, 19)}Z`
    expect([status, body]).toEqual([
      200,
      {
        id: expect.stringMatching(/^fil_[0-9a-z]{26}$/),
        resource: 'file',
        filename: '登記簿 謄本.pdf',
        size: 1_000,
        mime_type: 'application/pdf',
        created_at: now,
        updated_at: now,
      },
    ])
    expect(hash(await contentOf(body.id))).toBe(hash(bytes))
    expect(files().find(({ id }) => id === body.id)).not.toHaveProperty('due_at')
  })

  test.each(Object.keys(beginnings) as DocumentType[])(
    'detects %s by the content, whatever the name of the file',
    async (type) => {
      const bytes = documentOf(5_000, type)
      const { body } = await upload(paper(bytes, 'paper.exe'))
      expect(body).toMatchObject({ filename: 'paper.exe', mime_type: type })
      expect(hash(await contentOf(body.id))).toBe(hash(bytes))
    },
  )

  test('accepts a file of exactly 4 MB with a long name and other parts, and refuses a larger file', async () => {
    const bytes = documentOf(FILE_BYTES_MAX)
    const form = partsWith(['paper', bytes, `${'登'.repeat(251)}.pdf`], ['note', 'x'.repeat(60_000)])
    const { status, body } = await upload(form)
    expect([status, body.size, body.filename]).toEqual([200, FILE_BYTES_MAX, `${'登'.repeat(251)}.pdf`])
    expect(hash(await contentOf(body.id))).toBe(hash(bytes))
    const before = tableDigest(api)
    expectEnvelope(await upload(paper(documentOf(FILE_BYTES_MAX + 1))), 'payload_too_large')
    expectEnvelope(await upload(paper(documentOf(10 * FILE_BYTES_MAX))), 'payload_too_large')
    expect(tableDigest(api)).toBe(before)
  })

  const html = Buffer.from('<html><script>alert(1)</script>')
  const zip = Buffer.from('PK\x03\x04\x14\0\0\0\x08\0', 'latin1')
  test.each<[string, FormData, string]>([
    ['a part with another name', partsWith(['file', documentOf(10), 'a.pdf']), 'missing_parameter'],
    ['a body without the part', partsWith(['note', 'x']), 'missing_parameter'],
    [
      'two files',
      partsWith(['paper', documentOf(10), 'a.pdf'], ['paper', documentOf(10), 'a.pdf']),
      'invalid_parameter',
    ],
    ['a text part', partsWith(['paper', 'x']), 'invalid_parameter'],
    ['an empty file', paper(new Uint8Array(0)), 'invalid_parameter'],
    ['HTML named as a PDF', paper(Uint8Array.from(html)), 'invalid_parameter'],
    ['HTML followed by a PDF', paper(Uint8Array.from([...html, ...documentOf(100)])), 'invalid_parameter'],
    ['a zip archive named as a PDF', paper(Uint8Array.from(zip)), 'invalid_parameter'],
    ['a zip archive followed by a PDF', paper(Uint8Array.from([...zip, ...documentOf(100)])), 'invalid_parameter'],
  ])('refuses %s and stores nothing', async (_, form, code) => {
    const before = tableDigest(api)
    const kept = objects().length
    const reply = await upload(form)
    expectEnvelope(reply, code)
    expect(reply.body.error.param).toBe('paper')
    expect([tableDigest(api), objects().length]).toEqual([before, kept])
  })

  test('refuses other content types, a truncated body, and a missing or wrong boundary', async () => {
    const body = '--x\r\nContent-Disposition: form-data; name="paper"; filename="a.pdf"\r\n\r\n%PDF-1.7\r\n--x--\r\n'
    const sent = (content_type: string, raw: string) =>
      api.request('POST /files', { raw, headers: { 'content-type': content_type } })
    expect((await sent('multipart/form-data; boundary=x', body)).status).toBe(200)
    const before = tableDigest(api)
    expectEnvelope(await api.request('POST /files'), 'missing_parameter')
    expectEnvelope(await sent('application/json', '{"paper":"%PDF-1.7"}'), 'unsupported_media_type')
    expectEnvelope(await sent('application/pdf', '%PDF-1.7'), 'unsupported_media_type')
    expectEnvelope(await api.request('POST /files', { form: { paper: '%PDF-1.7' } }), 'unsupported_media_type')
    expectEnvelope(await sent('multipart/form-data', body), 'bad_request')
    expectEnvelope(await sent('multipart/form-data; boundary=y', body), 'bad_request')
    expectEnvelope(await sent('multipart/form-data; boundary=x', body.slice(0, -6)), 'bad_request')
    expect(tableDigest(api)).toBe(before)
  })

  test.each([
    ['../../secret.pdf', 'secret.pdf'],
    ['C:\\papers\\a.pdf', 'a.pdf'],
    ['a\r\nSet-Cookie: a=b.pdf', 'a__Set-Cookie: a=b.pdf'],
    ['invoice\u202efdp.exe', 'invoice_fdp.exe'],
    ['"; filename="b.pdf', '"; filename="b.pdf'],
  ])('replaces dangerous characters in the name %j', async (sent, filename) => {
    const { body } = await upload(paper(documentOf(10), sent))
    expect(body.filename).toBe(filename)
    const reply = await api.request(`GET /files/${body.id}/content`)
    const header = reply.headers.get('content-disposition')
    expect(header).toMatch(/^attachment; filename\*=UTF-8''[\w.%~!-]+$/)
    expect(decodeURIComponent(header!.split("''")[1]!)).toBe(filename)
    expect(reply.headers.get('set-cookie')).toBeNull()
  })

  test('refuses a request without a key and a publishable key, and writes nothing', async () => {
    const before = tableDigest(api)
    expectEnvelope(await upload(paper(), { key: null }), 'unauthorized')
    expectEnvelope(await upload(paper(), { key: api.test.publishable_key }), 'forbidden')
    expect(tableDigest(api)).toBe(before)
  })

  test('shows a file only to its merchant and in its mode', async () => {
    const { body } = await upload(paper())
    for (const key of [api.live.secret_key, (await api.newMerchants()).test.secret_key])
      for (const path of [body.id, `${body.id}/content`])
        expectEnvelope(await api.request(`GET /files/${path}`, { key }), 'not_found')
  })

  test('emits no event and logs no file name', async () => {
    const events = itemsOf(api, 'event').length
    await upload(paper(documentOf(10), 'very private.pdf'))
    expect(itemsOf(api, 'event').length).toBe(events)
    expect(api.logs.length).toBeGreaterThan(0)
    expect(JSON.stringify(api.logs)).not.toContain('private')
  })

  test('leaves the body limit and the content types of other endpoints unchanged', async () => {
    const raw = `{"a":"${'x'.repeat(1_048_576)}"}`
    const reply = await api.request('POST /tokens', { raw, headers: { 'content-type': 'application/json' } })
    expectEnvelope(reply, 'payload_too_large')
    const file = await api.request('POST /tokens', { parts: paper() })
    expectEnvelope(file, 'bad_request')
  })
})

describe('an Idempotency-Key of an upload', () => {
  test('replays the response for the same bytes and stores nothing new', async () => {
    const bytes = documentOf(1_000)
    const first = await upload(paper(bytes), keyed('once'))
    const before = tableDigest(api)
    const kept = objects().length
    const again = await upload(paper(bytes), keyed('once'))
    expect([again.status, again.text]).toEqual([200, first.text])
    expect(again.headers.get('idempotent-replayed')).toBe('true')
    expect([tableDigest(api), objects().length]).toEqual([before, kept])
  })

  test('refuses other bytes, and the same bytes under another name', async () => {
    const bytes = documentOf(1_000)
    await upload(paper(bytes), keyed('same'))
    const other = Uint8Array.from(bytes)
    other[999]! ^= 1
    expectEnvelope(await upload(paper(other), keyed('same')), 'idempotency_mismatch')
    expectEnvelope(await upload(paper(bytes, 'other.pdf'), keyed('same')), 'idempotency_mismatch')
  })

  test.each([
    ['an unknown document type', () => paper(Uint8Array.from(Buffer.from('text')))],
    ['a missing part', () => partsWith(['file', 'x'])],
    ['two files', () => partsWith(['paper', documentOf(0), 'a'], ['paper', documentOf(0), 'b'])],
  ])('replays a refusal because of %s', async (name, form) => {
    const first = await upload(form(), keyed(`refused ${name}`))
    const again = await upload(form(), keyed(`refused ${name}`))
    expect([again.status, again.text]).toEqual([422, first.text])
    expect(again.headers.get('idempotent-replayed')).toBe('true')
  })

  test('creates one file for concurrent requests and removes the other uploads', async () => {
    const bytes = documentOf(100_000)
    const replies = await Promise.all(Array.from({ length: 12 }, () => upload(paper(bytes), keyed('at once'))))
    expect(new Set(replies.map(({ status, text }) => `${status} ${text}`)).size).toBe(1)
    expect(hash(await contentOf(replies[0]!.body.id))).toBe(hash(bytes))
    await expectNoUnfinishedUploads()
    expect(hash(await contentOf(replies[0]!.body.id))).toBe(hash(bytes))
  })
})

describe('an interrupted upload', () => {
  test.each(['fail_before', 'fail_after'] as const)(
    'creates one file when it is repeated after a crash at any call (%s)',
    async (fate) => {
      const bytes = documentOf(2_000)
      for (let at = 1, reached = true; reached; at++) {
        crash.arm(failingAt(at, fate, { is_killed: true }))
        const first = await upload(paper(bytes), keyed(`${fate} ${at}`))
        reached = crash.calls >= at
        crash.disarm()
        const count = files().filter(({ state }) => state === 'stored').length
        const again = await upload(paper(bytes), keyed(`${fate} ${at}`))
        expect(again.status).toBe(200)
        if (first.status === 200) expect(again.text).toBe(first.text)
        const made = files().filter(({ state }) => state === 'stored').length - count
        expect(made, `at call ${at}`).toBeLessThanOrEqual(first.status === 200 ? 0 : 1)
        expect(hash(await contentOf(again.body.id))).toBe(hash(bytes))
      }
      await expectNoUnfinishedUploads()
    },
  )

  test('answers 503 after a failure of the bucket, shows no file, and is removed', async () => {
    const { bucket } = api.platform
    const put = bucket.put.bind(bucket)
    bucket.put = async (...call) => {
      await put(...call)
      throw new PlatformUnavailable('cut off after it was done')
    }
    const reply = await upload(paper())
    bucket.put = put
    expectEnvelope(reply, 'service_unavailable')
    const { id } = files().find(({ state }) => state === 'uploading')!
    for (const path of [id, `${id}/content`]) expectEnvelope(await api.request(`GET /files/${path}`), 'not_found')
    expect(objects().some((name) => name.includes(id as string))).toBe(true)
    await expectNoUnfinishedUploads()
  })

  test('writes nothing if the client disconnects', async () => {
    const before = tableDigest(api)
    const { port } = new URL(api.url)
    const authorization = `Basic ${btoa(`${api.test.secret_key}:`)}`
    const headers = { authorization, 'content-type': 'multipart/form-data; boundary=x', 'content-length': '100000' }
    const request = httpRequest({ port, method: 'POST', path: '/api/v1/files', headers })
    request.on('error', () => undefined)
    await new Promise((sent) => request.write('--x\r\nContent-Disposition: form-data; name="paper"', sent))
    request.destroy()
    for (let turns = 0; turns < 50; turns++) await turn()
    expect((await upload(paper(), { key: null })).status).toBe(401)
    expect(tableDigest(api)).toBe(before)
  })

  test('is stored completely if it arrives byte by byte, while another upload succeeds', async () => {
    const { port } = new URL(api.url)
    const bytes = documentOf(300)
    const sent = new Response(paper(bytes))
    const body = Buffer.from(await sent.arrayBuffer())
    const headers = {
      authorization: `Basic ${btoa(`${api.test.secret_key}:`)}`,
      'content-type': sent.headers.get('content-type')!,
    }
    const request = httpRequest({ port, method: 'POST', path: '/api/v1/files', headers })
    const answered = new Promise<string>((resolve, reject) => {
      request.on('error', reject)
      request.on('response', async (response) => resolve(Buffer.concat(await response.toArray()).toString()))
    })
    for (const byte of body) {
      request.write(Buffer.of(byte))
      await turn()
    }
    // A fast upload does not wait for a slow one.
    expect((await upload(paper())).status).toBe(200)
    request.end()
    expect(hash(await contentOf(JSON.parse(await answered).id))).toBe(hash(bytes))
  })
})
