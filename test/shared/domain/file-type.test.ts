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
  test.each(Object.keys(beginnings) as DocumentType[])('recognizes %s', (type) => {
    expect(fileTypeOf(documentOf(500, type))).toBe(type)
  })

  test.each<[string, Uint8Array, DocumentType]>([
    ['a PDF of version 2', latin('%PDF-2.0\r\n'), 'application/pdf'],
    ['a JPEG from a camera', latin('\xff\xd8\xff\xe1\0\x18Exif\0\0'), 'image/jpeg'],
    ['a JPEG without a header segment', latin('\xff\xd8\xff\xdb\0\x43\0'), 'image/jpeg'],
    ['a lossless WEBP', latin('RIFF\x24\0\0\0WEBPVP8L'), 'image/webp'],
    ['an extended WEBP', latin('RIFF\x24\0\0\0WEBPVP8X'), 'image/webp'],
    ['a HEIC with ten bits', latin('\0\0\0\x14ftypheix\0\0\0\0mif1'), 'image/heic'],
    ['a HEIC with the main brand mif1', latin('\0\0\0\x1cftypmif1\0\0\0\0mif1miafheic'), 'image/heic'],
  ])('recognizes %s', (_, bytes, type) => {
    expect(fileTypeOf(bytes)).toBe(type)
  })

  test.each<[string, Uint8Array]>([
    ['an empty file', Buffer.alloc(0)],
    ['zeros', Buffer.alloc(64)],
    ['text', latin('I, the director, hereby …')],
    ['HTML', html],
    ['HTML after white space', Buffer.concat([latin(' \n\t'), html])],
    ['SVG', latin('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)">')],
    ['a zip', zip],
    ['a zip bomb', Buffer.concat([zip, deflateRawSync(Buffer.alloc(1_000_000))])],
    ['a gzip', latin('\x1f\x8b\x08\0')],
    ['a GIF', gif],
    ['an executable', latin('MZ\x90\0')],
    ['a script', latin('#!/bin/sh\n')],
    ['HTML followed by a PDF', Buffer.concat([html, pdf])],
    ['a GIF followed by a PDF', Buffer.concat([gif, pdf])],
    ['a zip followed by a PDF', Buffer.concat([zip, pdf])],
    ['a PDF after a line break', Buffer.concat([latin('\n'), pdf])],
    ['a PDF after a byte order mark', Buffer.concat([latin('\xef\xbb\xbf'), pdf])],
    ['HTML after the marker of a PDF', latin('%PDF-<html>')],
    ['a PNG signature without a header', latin('\x89PNG\r\n\x1a\n')],
    ['a PNG signature followed by HTML', Buffer.concat([latin('\x89PNG\r\n\x1a\n'), html])],
    ['a JPEG signature followed by HTML', Buffer.concat([latin('\xff\xd8\xff'), html])],
    ['a sound in the container format of a WEBP', latin('RIFF\x24\0\0\0WAVEfmt ')],
    ['a HEIC whose first box is far too long', latin(`\0\0\x08\0ftypmif1\0\0\0\0heic${' '.repeat(4_000)}`)],
    ['an AVIF', latin('\0\0\0\x1cftypavif\0\0\0\0mif1miafavif')],
    ['an AVIF with the main brand mif1', latin('\0\0\0\x1cftypmif1\0\0\0\0mif1miafavif')],
    ['a video', latin('\0\0\0\x18ftypisom\0\0\x02\0isomheic')],
    ['a HEIC whose first box is longer than the file', latin('\0\0\x01\0ftypheic\0\0\0\0')],
    ['a HEIC whose first box is too short', latin('\0\0\0\x08ftypheic\0\0\0\0')],
    ['a picture with the codec in its version field', latin('\0\0\0\x14ftypmif1heicmif1')],
    ['a picture with the codec after its first box', latin('\0\0\0\x14ftypmif1\0\0\0\0mif1heic')],
  ])('rejects %s', (_, bytes) => {
    expect(fileTypeOf(bytes)).toBeUndefined()
  })

  test.each(Object.entries(beginnings))('rejects %s that begins a byte too late', (_, bytes) => {
    expect(fileTypeOf(Buffer.concat([Buffer.of(32), bytes]))).toBeUndefined()
  })

  test('never throws for truncated bytes', () => {
    for (const bytes of Object.values(beginnings))
      for (let size = 0; size < bytes.length; size++) expect(() => fileTypeOf(bytes.subarray(0, size))).not.toThrow()
  })
})
