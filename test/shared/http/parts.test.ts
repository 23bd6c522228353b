import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { partsOf } from '#shared/http/parts.ts'
import { documentOf } from '#test/fixtures/documents.ts'

const X = 'multipart/form-data; boundary=x'
const HEAD = 'Content-Disposition: form-data; name="a"'
const texts = (body: string, content_type = X) =>
  partsOf(Buffer.from(body), content_type).map(({ name, bytes }) => [name, bytes.toString()])

describe('partsOf', () => {
  test('reads every form that a browser writes', async () => {
    const name = fc
      .string({ unit: 'grapheme', minLength: 1, maxLength: 20 })
      .map((text) => text.replaceAll(/["\\\r\n%]/g, '_'))
    const content = fc.oneof(
      fc.uint8Array({ maxLength: 300 }),
      fc.constantFrom('\r\n', '--', '\r\n--', '-\r\n').map((text) => Buffer.from(text)),
    )
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(name, fc.option(name), content), { minLength: 1, maxLength: 5 }),
        async (sent) => {
          const form = new FormData()
          for (const [field, filename, bytes] of sent)
            if (filename === null) form.append(field, 'text')
            else form.append(field, new Blob([new Uint8Array(bytes)]), filename)
          const request = new Response(form)
          const parts = partsOf(Buffer.from(await request.arrayBuffer()), request.headers.get('content-type')!)
          expect(parts.map((part) => [part.name, part.filename ?? null, part.bytes.toString('hex')])).toEqual(
            sent.map(([field, filename, bytes]) => [
              field,
              filename,
              Buffer.from(filename === null ? 'text' : bytes).toString('hex'),
            ]),
          )
        },
      ),
    )
  })

  test('reads empty parts, folded headers and other headers', () => {
    expect(texts(`--x\r\n${HEAD}\r\n\r\n\r\n--x--`)).toEqual([['a', '']])
    expect(texts(`--x \t\r\nX-Other: 1\r\ncontent-disposition:form-data;\r\n\tname = b\r\n\r\n1\r\n--x--\r\n`)).toEqual(
      [['b', '1']],
    )
  })

  test('takes the first of a repeated parameter', () => {
    expect(texts(`--x\r\n${HEAD}; name="b"\r\n\r\n1\r\n--x--`)).toEqual([['a', '1']])
  })

  test.each([
    ["filename*=UTF-8''%zz", undefined],
    ["filename=b; filename*=UTF-8''%ff", 'b'],
    ["filename=b; filename*=iso-8859-1''%E9", 'b'],
    ["filename*=utf-8'ja'%E8%AC%84; filename=b", '謄'],
    ['filename=my paper.pdf', 'my paper.pdf'],
    ['filename="C:\\folder\\a.pdf"', 'C:\\folder\\a.pdf'],
    ['filename=', ''],
    ['filenames="a"', undefined],
    ['FILENAME="a"', 'a'],
    ['filename="never ends', ''],
    ['filename="a\\"b"', 'a"b'],
    ['filename="ends with \\"', 'ends with \\'],
  ])('reads from %s the filename %j', (disposition, filename) => {
    const body = `--x\r\n${HEAD}; ${disposition}\r\n\r\n1\r\n--x--`
    expect(partsOf(Buffer.from(body), X)).toMatchObject([{ name: 'a', filename }])
  })

  test.each([
    ['--x\r\n\r\n1\r\n--x--'],
    ['--x\r\nContent-Disposition: attachment; name="a"\r\n\r\n1\r\n--x--'],
    ['--x\r\nContent-Disposition: form-data; filename="a"\r\n\r\n1\r\n--x--'],
    ['--x\r\nContent-Type: text/plain\r\n\r\n1\r\n--x--'],
    [`--x\r\n${HEAD}\r\n--x--`],
    [`--x\r\n--x--`],
    [`--x\n${HEAD}\n\n1\n--x--`],
    [`--x\r\n${HEAD}\r\n\r\n1\r\n--x`],
    [`--x\r\n${HEAD}\r\n\r\n1--x--`],
    [`--x\r\n${HEAD}\r\nX: ${'x'.repeat(20_000)}\r\n\r\n1\r\n--x--`],
  ])('throws for %j', (body) => {
    expect(() => texts(body)).toThrow()
  })

  test('throws for more parts than allowed', () => {
    const body = (count: number) => Buffer.from(`${`--x\r\n${HEAD}\r\n\r\n1\r\n`.repeat(count)}--x--`)
    expect(partsOf(body(100), X)).toHaveLength(100)
    expect(() => partsOf(body(101), X)).toThrow()
    expect(partsOf(body(101), X, 101)).toHaveLength(101)
  })

  test('accepts a body without parts', () => {
    expect(texts('--x--')).toEqual([])
  })

  test('ends soon for any hostile body of 4 MB', () => {
    const size = 4 * 2 ** 20
    const fill = (text: string) => text.repeat(Math.ceil(size / text.length))
    const began_at = performance.now()
    for (const body of [
      fill(`--x\r\n${HEAD}\r\n\r\n1\r\n`),
      `--x\r\n${fill('a: b\r\n')}`,
      `--x\r\n${HEAD}\r\n\r\n${fill('\r\n--x')}`,
      `--x\r\n${HEAD}\r\n\r\n${fill('\r\n--x ')}`,
      `--x\r\n${HEAD}\r\n\r\n\r\n--x${fill(' ')}`,
      `--x\r\nContent-Disposition: form-data${fill('; a="\\')}`,
      `--x\r\nContent-Disposition: form-data; name="${fill('\\')}`,
    ])
      expect(() => texts(body)).toThrow()
    expect(performance.now() - began_at).toBeLessThan(5_000)
  })

  test('reads any slice of a body to the end, or throws', () => {
    const body = Buffer.concat([
      Buffer.from(`--x\r\n${HEAD}; filename="b"\r\n\r\n`),
      documentOf(50),
      Buffer.from('\r\n--x--\r\n'),
    ])
    for (let from = 0; from < body.length; from++)
      for (const to of [body.length, body.length - 4, body.length - from])
        try {
          partsOf(body.subarray(from, to), X)
        } catch (error) {
          expect(error).toBeInstanceOf(Error)
        }
  })
})
