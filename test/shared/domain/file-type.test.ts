import { deflateRawSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { fileTypeOf } from '#shared/domain/file-type.ts'
import { beginnings, type DocumentType, documentOf } from '#test/fixtures/documents.ts'

const latin = (...texts: string[]): Buffer => Buffer.from(texts.join(''), 'latin1')
const pdf = latin('%PDF-1.7\n%%EOF')
const zip = latin('PK\x03\x04\x14\0\0\0\x08\0')
const html = latin('<html><script>alert(1)</script>')
const gif = latin('GIF89a\x01\0\x01\0')

describe('fileTypeOf', () => {
  test.each(Object.keys(beginnings) as DocumentType[])('knows %s', (type) => {
    expect(fileTypeOf(documentOf(500, type))).toBe(type)
  })

  test.each<[string, Uint8Array, DocumentType]>([
    ['a PDF of version 2', latin('%PDF-2.0\r\n'), 'application/pdf'],
    ['a JPEG of a camera', latin('\xff\xd8\xff\xe1\0\x18Exif\0\0'), 'image/jpeg'],
    ['a JPEG without anything around it', latin('\xff\xd8\xff\xdb\0\x43\0'), 'image/jpeg'],
    ['a WEBP without loss', latin('RIFF\x24\0\0\0WEBPVP8L'), 'image/webp'],
    ['a WEBP with more in it', latin('RIFF\x24\0\0\0WEBPVP8X'), 'image/webp'],
    ['a HEIC of ten bits', latin('\0\0\0\x14ftypheix\0\0\0\0mif1'), 'image/heic'],
    ['a HEIC that calls itself a picture', latin('\0\0\0\x1cftypmif1\0\0\0\0mif1miafheic'), 'image/heic'],
  ])('knows %s', (_, bytes, type) => {
    expect(fileTypeOf(bytes)).toBe(type)
  })

  test.each<[string, Uint8Array]>([
    ['nothing', Buffer.alloc(0)],
    ['zeros', Buffer.alloc(64)],
    ['text', latin('I, the director, hereby …')],
    ['HTML', html],
    ['HTML behind blanks', Buffer.concat([latin(' \n\t'), html])],
    ['SVG', latin('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)">')],
    ['a zip', zip],
    ['a zip bomb', Buffer.concat([zip, deflateRawSync(Buffer.alloc(1_000_000))])],
    ['a gzip', latin('\x1f\x8b\x08\0')],
    ['a GIF', gif],
    ['a program', latin('MZ\x90\0')],
    ['a script', latin('#!/bin/sh\n')],
    ['HTML that goes on as a PDF', Buffer.concat([html, pdf])],
    ['a GIF that goes on as a PDF', Buffer.concat([gif, pdf])],
    ['a zip that goes on as a PDF', Buffer.concat([zip, pdf])],
    ['a line before a PDF', Buffer.concat([latin('\n'), pdf])],
    ['a byte order mark before a PDF', Buffer.concat([latin('\xef\xbb\xbf'), pdf])],
    ['HTML that calls itself a PDF', latin('%PDF-<html>')],
    ['half a signature of a PNG', latin('\x89PNG\r\n\x1a\n')],
    ['a PNG that goes on as HTML', Buffer.concat([latin('\x89PNG\r\n\x1a\n'), html])],
    ['a JPEG that goes on as HTML', Buffer.concat([latin('\xff\xd8\xff'), html])],
    ['a sound in the wrapping of a WEBP', latin('RIFF\x24\0\0\0WAVEfmt ')],
    ['a HEIC whose first box is far too long', latin(`\0\0\x08\0ftypmif1\0\0\0\0heic${' '.repeat(4_000)}`)],
    ['an AVIF', latin('\0\0\0\x1cftypavif\0\0\0\0mif1miafavif')],
    ['an AVIF that calls itself a picture', latin('\0\0\0\x1cftypmif1\0\0\0\0mif1miafavif')],
    ['a film', latin('\0\0\0\x18ftypisom\0\0\x02\0isomheic')],
    ['a HEIC whose first box is longer than all of it', latin('\0\0\x01\0ftypheic\0\0\0\0')],
    ['a HEIC whose first box has no room', latin('\0\0\0\x08ftypheic\0\0\0\0')],
    ['a picture whose codec stands in its version', latin('\0\0\0\x14ftypmif1heicmif1')],
    ['a picture whose codec stands behind its first box', latin('\0\0\0\x14ftypmif1\0\0\0\0mif1heic')],
  ])('takes %s for none of them', (_, bytes) => {
    expect(fileTypeOf(bytes)).toBeUndefined()
  })

  test.each(Object.entries(beginnings))('takes a %s that begins a byte too late for none of them', (_, bytes) => {
    expect(fileTypeOf(Buffer.concat([Buffer.of(32), bytes]))).toBeUndefined()
  })

  test('never throws on what is cut short', () => {
    for (const bytes of Object.values(beginnings))
      for (let size = 0; size < bytes.length; size++) expect(() => fileTypeOf(bytes.subarray(0, size))).not.toThrow()
  })
})
