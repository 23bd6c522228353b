import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { attachment, filenameOf } from '#shared/domain/filename.ts'

describe('filenameOf', () => {
  test.each([
    'paper.pdf',
    '登記簿 謄本.pdf',
    'Ausweis für Zoë.PNG',
    'семья.jpg',
    'عقد.pdf',
    '👨‍👩‍👧 photo.heic',
    '.hidden',
    'no ending',
    'it\'s (a) "copy"; 100%.pdf',
  ])('keeps %s', (name) => {
    expect(filenameOf(name)).toBe(name)
  })

  test.each([
    ['/etc/passwd', 'passwd'],
    ['../../../secret.pdf', 'secret.pdf'],
    ['C:\\Users\\taro\\paper.pdf', 'paper.pdf'],
    ['a/b\\c.pdf', 'c.pdf'],
    ['..\\..', 'file'],
    ['folder/', 'file'],
    ['a.pdf\r\nSet-Cookie: a=b', 'a.pdf__Set-Cookie: a=b'],
    ['a%0D%0ASet-Cookie: a=b', 'a__Set-Cookie: a=b'],
    ['a%22b.pdf', 'a"b.pdf'],
    ['a\0.exe', 'a_.exe'],
    ['a\u0085\u007f\u001b[31m.pdf', 'a___[31m.pdf'],
    ['invoice\u202efdp.exe', 'invoice_fdp.exe'],
    ['\u2066a\u2069\u200f\u061c.pdf', '_a___.pdf'],
    ['a\u2028b\u2029\ufeff.pdf', 'a_b__.pdf'],
    ['a\ud800.pdf', 'a\ufffd.pdf'],
    ['  a.pdf ', 'a.pdf'],
    ['', 'file'],
    ['   ', 'file'],
    ['.', 'file'],
    ['..', 'file'],
  ])('turns %j into %j', (sent, name) => {
    expect(filenameOf(sent)).toBe(name)
  })

  test('shortens the stem of a long name, and never splits a character', () => {
    expect(filenameOf(`${'a'.repeat(300)}.pdf`)).toBe(`${'a'.repeat(251)}.pdf`)
    expect(filenameOf(`${'登'.repeat(255)}`)).toBe('登'.repeat(255))
    expect(filenameOf(`${'a'.repeat(10)}.${'b'.repeat(300)}`)).toBe(`${'a'.repeat(10)}.${'b'.repeat(244)}`)
    expect(filenameOf(`${'😀'.repeat(200)}.pdf`)).toBe(`${'😀'.repeat(125)}.pdf`)
  })

  test('returns a short, well-formed name without slashes and control characters for any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 600 }), (sent) => {
        const name = filenameOf(sent)
        expect(name.length).toBeGreaterThan(0)
        expect(name.length).toBeLessThanOrEqual(255)
        expect(name.isWellFormed()).toBe(true)
        expect(name).not.toMatch(/[\p{Cc}/\\\u2028-\u202e\u2066-\u2069]/u)
      }),
    )
  })
})

describe('attachment', () => {
  test.each([
    ['paper.pdf', "attachment; filename*=UTF-8''paper.pdf"],
    ['謄本 1.pdf', "attachment; filename*=UTF-8''%E8%AC%84%E6%9C%AC%201.pdf"],
    ['it\'s "a" (b)*;\r\n', "attachment; filename*=UTF-8''it%27s%20%22a%22%20%28b%29%2A%3B%0D%0A"],
    ['\ud800', "attachment; filename*=UTF-8''%EF%BF%BD"],
  ])('encodes the file name %j', (name, header) => {
    expect(attachment(name)).toBe(header)
  })
})
