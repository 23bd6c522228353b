import { describe, expect, test } from 'vitest'
import { LOGO_BYTES_MAX, logo_types, logoTypeOf } from '#shared/domain/logo.ts'
import { documentOf } from '#test/fixtures/documents.ts'

describe('logoTypeOf', () => {
  test.each(logo_types)('accepts %s of 100 KB, and refuses one byte more', (type) => {
    expect(logoTypeOf(documentOf(LOGO_BYTES_MAX, type))).toBe(type)
    expect(() => logoTypeOf(documentOf(LOGO_BYTES_MAX + 1, type))).toThrow('logo must have at most 100 KB')
  })

  test.each(['application/pdf', 'image/heic'] as const)(
    'refuses %s, which browsers do not show as an image',
    (type) => {
      expect(() => logoTypeOf(documentOf(1_000, type))).toThrow('logo must be a PNG, JPEG or WEBP.')
    },
  )

  test('refuses SVG, whatever follows it', () => {
    expect(() => logoTypeOf(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>\x89PNG'))).toThrow('logo must be')
  })
})
