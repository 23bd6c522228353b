import { describe, expect, test } from 'vitest'
import { bodyFormat } from '#shared/http/body-format.ts'
import { refused } from '#test/fixtures/refusals.ts'

const FORM = 'application/x-www-form-urlencoded'

describe('bodyFormat', () => {
  test.each([
    ['application/json', 'a=1', 'json'],
    ['application/problem+json; charset=UTF-8', '{}', 'json'],
    [FORM, 'a=1', 'form'],
    [FORM, ' {"a":1}', 'json'],
    ['multipart/form-data; boundary=x', '{"a":1}', 'multipart'],
    [undefined, 'a=1', 'form'],
    [undefined, '{"a":1}', 'json'],
    ['', 'a=1', 'form'],
  ])('of %j with %j is %s', (content_type, text, format) => {
    expect(bodyFormat(content_type, text)).toBe(format)
  })

  test.each(['text/plain', 'nonsense', 'application/json; charset=iso-8859-1', `${FORM}; charset=shift_jis`])(
    'refuses %s',
    (content_type) => {
      expect(refused(() => bodyFormat(content_type, '{}')).code).toBe('unsupported_media_type')
    },
  )
})
