import { describe, expect, test } from 'vitest'
import { preferredLocale } from '#shared/http/locale.ts'

describe('preferredLocale', () => {
  test.each([
    [undefined, 'ja'],
    ['', 'ja'],
    ['*', 'ja'],
    ['fr-FR,fr;q=0.9', 'ja'],
    ['ko-KR,ko;q=0.9,en-US;q=0.8', 'ko'],
    ['fr, en;q=0.3, ko;q=0.7', 'ko'],
    ['en;q=0, ko;q=0.1', 'ko'],
    ['en; q=0.5, ja; q=0.4', 'en'],
    ['en;q=x, ko', 'ko'],
    [',;,;q=,', 'ja'],
  ])('of %s is %s', (accepted, locale) => {
    expect(preferredLocale(accepted)).toBe(locale)
  })
})
