import { describe, expect, test } from 'vitest'
import { localeOf } from '#shared/domain/locale.ts'

describe('localeOf', () => {
  test.each([
    ['ja', 'ja'],
    ['en-GB', 'en'],
    ['en_US', 'en'],
    ['zh_Hant_TW', undefined],
    [' KO-kr ', 'ko'],
    ['fr', undefined],
    ['eng', undefined],
    ['', undefined],
    [undefined, undefined],
  ])('of %s is %s', (tag, locale) => {
    expect(localeOf(tag)).toBe(locale)
  })
})
