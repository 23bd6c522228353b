import { describe, expect, test } from 'vitest'
import { beginUpload, stored } from '#shared/domain/file.ts'
import { CreateFile, file } from '#shared/resources/file.ts'
import { parse } from '#shared/resources/parse.ts'
import { documentOf } from '#test/fixtures/documents.ts'

describe('CreateFile', () => {
  test('detects the type from the content, and makes the filename safe', () => {
    const bytes = documentOf(100, 'image/png')
    expect(parse(CreateFile, { paper: { filename: 'a/b.pdf', bytes } })).toEqual({
      paper: { filename: 'b.pdf', mime_type: 'image/png', bytes },
    })
  })

  test('refuses an absent file with missing_parameter', () => {
    expect(() => parse(CreateFile, {})).toThrow(expect.objectContaining({ code: 'missing_parameter', param: 'paper' }))
  })

  const one = { filename: 'a.pdf', bytes: documentOf(10) }
  test.each([
    ['two files', [one, one], 'paper must be one file.'],
    ['a file and a text', [one, 'x'], 'paper must be one file.'],
    ['a text', '%PDF-1.7', 'paper must be one file.'],
    ['nothing', null, 'paper must be one file.'],
    ['an empty file', { filename: 'a.pdf', bytes: Buffer.alloc(0) }, 'paper must not be empty.'],
  ])('refuses %s', (_, paper, message) => {
    const refusal = expect.objectContaining({ code: 'invalid_parameter', param: 'paper', message })
    expect(() => parse(CreateFile, { paper })).toThrow(refusal)
  })

  test('refuses an unknown type with the name of the part, and without its content', () => {
    const paper = { filename: 'paper.pdf', bytes: Buffer.from('4111111111111111') }
    expect(() => parse(CreateFile, { paper })).toThrow(
      expect.objectContaining({
        code: 'invalid_parameter',
        param: 'paper',
        message: 'paper must be a PDF, PNG, JPEG, HEIC or WEBP.',
      }),
    )
  })
})

test('file returns the fields of the API reference and no others', () => {
  const begun = beginUpload({ id: 'fil_1', filename: 'a.pdf', size: 7, mime_type: 'application/pdf' }, 0)
  expect(Object.entries(file(stored(begun)))).toEqual([
    ['id', 'fil_1'],
    ['resource', 'file'],
    ['filename', 'a.pdf'],
    ['size', 7],
    ['mime_type', 'application/pdf'],
    ['created_at', '1970-01-01T00:00:00Z'],
    ['updated_at', '1970-01-01T00:00:00Z'],
  ])
})
