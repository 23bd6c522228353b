import { describe, expect, test } from 'vitest'
import { FILE_BYTES_MAX } from '#shared/domain/file.ts'
import { MAX_UPLOAD_BYTES } from '#shared/http/upload-limit.ts'
import { readsFile } from '#shared/http/uploaded-file.ts'
import { documentOf, partsWith } from '#test/fixtures/documents.ts'

interface Sent {
  readonly filename: string
  readonly bytes: Uint8Array
}

/** The file that is read from these bytes under this content type. */
async function read(bytes: Uint8Array, content_type?: string, isBase64Encoded = true): Promise<Sent> {
  const event = {
    httpMethod: 'POST',
    headers: content_type === undefined ? {} : { 'Content-Type': content_type },
    body: bytes.length > 0 ? Buffer.from(bytes).toString(isBase64Encoded ? 'base64' : 'latin1') : null,
    isBase64Encoded,
  }
  const request = { event }
  await readsFile('paper').before!(request as never)
  return (request.event as unknown as { body: { paper: Sent } }).body.paper
}

async function readParts(form: FormData): Promise<Sent> {
  const sent = new Response(form)
  return read(await sent.bytes(), sent.headers.get('content-type')!)
}

/** A body with one part, whose `Content-Disposition` is `form-data; ` and this text. */
const part = (disposition: string, content = '%PDF-1.7', more = '') =>
  Buffer.from(`--x\r\nContent-Disposition: form-data; ${disposition}\r\n${more}\r\n${content}\r\n--x--\r\n`)

const X = 'multipart/form-data; boundary=x'
const refusal = (code: string, param: string | null = null) => expect.objectContaining({ name: 'Refusal', code, param })

describe('readsFile', () => {
  test('reads past a line that only begins like the last boundary', async () => {
    const content = '%PDF-1.4 abc\r\n--x--def\r\nrest of the document'
    expect(Buffer.from((await read(part('name="paper"; filename="a.pdf"', content), X)).bytes).toString()).toBe(content)
  })

  test.each([1, 3, 1_024, 65_536, 65_537, 1_000_003, FILE_BYTES_MAX])('reads a file of %d bytes', async (size) => {
    const bytes = documentOf(size)
    const file = await readParts(partsWith(['paper', bytes, 'a.pdf']))
    expect([file.filename, file.bytes.length]).toEqual(['a.pdf', size])
    expect(Buffer.compare(file.bytes, bytes)).toBe(0)
  })

  test('reads a file that contains many lines like boundaries', async () => {
    const content = 'x--x\r\n\r\n--x-\r\n--xy--\r\n--x y\r\n--y--\r\n-\r--x\n--x--\r\n--X--'
    const file = await read(part('name="paper"; filename="a"', content), X)
    expect(Buffer.from(file.bytes).toString()).toBe(content)
  })

  test('finds the file among other parts, which are ignored', async () => {
    const form = partsWith(
      ['note', 'x'],
      ['other', documentOf(10), 'other.pdf'],
      ['paper', documentOf(20), 'a.pdf'],
      ['paper[]', 'x'],
    )
    expect(await readParts(form)).toMatchObject({ filename: 'a.pdf' })
  })

  test.each([
    ['name="paper"; filename="a.pdf"', 'a.pdf'],
    ['name=paper; filename=a.pdf', 'a.pdf'],
    ['filename="a.pdf"; name="paper"', 'a.pdf'],
    ['name="paper"; filename="謄本.pdf"', '謄本.pdf'],
    ['name="paper"; filename*=UTF-8\'\'%E8%AC%84%E6%9C%AC.pdf', '謄本.pdf'],
    ['name="paper"; filename="copy.pdf"; filename*=utf-8\'\'%E8%AC%84%E6%9C%AC.pdf', '謄本.pdf'],
    ['name="paper"; filename="a;b=\\"c\\".pdf"', 'a;b="c".pdf'],
    ['name="paper"; filename="a%22b.pdf"', 'a%22b.pdf'],
    ['name="paper"; filename="../../b/a.pdf"', '../../b/a.pdf'],
  ])('reads the filename in %s', async (disposition, filename) => {
    expect(await read(part(disposition), X)).toMatchObject({ filename, bytes: Buffer.from('%PDF-1.7') })
  })

  test('accepts a body without base64, a quoted boundary, a preamble, an epilogue and any headers', async () => {
    const body = part('name="paper"; filename="a"', 'ok', 'Content-Type: application/pdf\r\nContent-Length: 2\r\n')
    const around = Buffer.concat([Buffer.from('preamble\r\n'), body, Buffer.from('epilogue')])
    for (const base64 of [true, false])
      expect(await read(around, 'Multipart/Form-Data; charset=utf-8; Boundary="x"', base64)).toMatchObject({
        bytes: Buffer.from('ok'),
      })
  })

  test.each<[string, FormData]>([
    ['no part', partsWith(['note', 'x'])],
    ['a part of another name', partsWith(['file', documentOf(10), 'a.pdf'])],
    ['a name in other letters', partsWith(['Paper', documentOf(10), 'a.pdf'])],
  ])('finds nothing if there is %s', async (_, form) => {
    expect(await readParts(form)).toBeUndefined()
  })

  test('refuses a body of more than 100 parts', async () => {
    const parts = (count: number) => partsWith(...Array.from({ length: count }, () => ['note', 'x'] as const))
    expect(await readParts(parts(100))).toBeUndefined()
    await expect(readParts(parts(101))).rejects.toEqual(refusal('bad_request'))
  })

  test('finds nothing in a request without a body', async () => {
    expect(await read(Buffer.alloc(0))).toBeUndefined()
  })

  test('distinguishes text from a file, and one part from several', async () => {
    const file = { filename: 'a.pdf', bytes: expect.any(Uint8Array) }
    const pdf = documentOf(10)
    expect(await readParts(partsWith(['paper', '%PDF é']))).toBe('%PDF é')
    expect(await readParts(partsWith(['paper', pdf, 'a.pdf'], ['paper', pdf, 'a.pdf']))).toEqual([file, file])
    expect(await readParts(partsWith(['paper', pdf, 'a.pdf'], ['paper', 'x']))).toEqual([file, 'x'])
  })

  test.each([
    'application/json',
    'application/x-www-form-urlencoded',
    'application/pdf',
    'multipart/mixed; boundary=x',
    'multipart/form-datax; boundary=x',
    'text/plain',
    '',
    undefined,
  ])('refuses a body of type %s', async (content_type) => {
    const body = part('name="paper"; filename="a"')
    await expect(read(body, content_type)).rejects.toEqual(refusal('unsupported_media_type'))
  })

  test.each<[string, string, Uint8Array]>([
    ['no boundary', 'multipart/form-data', part('name="paper"; filename="a"')],
    ['an empty boundary', 'multipart/form-data; boundary=', part('name="paper"; filename="a"')],
    ['another boundary', 'multipart/form-data; boundary=y', part('name="paper"; filename="a"')],
    ['no end', X, part('name="paper"; filename="a"').subarray(0, -6)],
    ['an end in the middle of the file', X, part('name="paper"; filename="a"').subarray(0, -14)],
    ['an end in the middle of the headers', X, part('name="paper"; filename="a"').subarray(0, 30)],
    ['no content', X, Buffer.alloc(0)],
    ['no part', X, Buffer.from('--x')],
    ['JSON as its content', X, Buffer.from('{"paper":1}')],
    ['random bytes', X, documentOf(5_000)],
  ])('refuses a body with %s, and repeats nothing of it', async (_, content_type, body) => {
    const error = await read(body, content_type).catch((caught) => caught)
    expect(error).toEqual(refusal('bad_request'))
    expect(error.message).toBe('The request body could not be read as multipart/form-data.')
  })

  test('refuses a file one byte above 4 MB, and any larger body', async () => {
    const larger = partsWith(['paper', documentOf(FILE_BYTES_MAX + 1), 'a.pdf'])
    await expect(readParts(larger)).rejects.toEqual(refusal('payload_too_large'))
    await expect(read(Buffer.alloc(MAX_UPLOAD_BYTES + 1), 'text/plain')).rejects.toEqual(refusal('payload_too_large'))
  })
})
