import { expect, test } from 'vitest'
import { header } from '#shared/http/header.ts'

test('a header is found in whatever case it was sent', () => {
  expect(header({ 'CONTENT-type': 'a', Other: 'b' }, 'content-type')).toBe('a')
  expect(header({ Other: 'b' }, 'content-type')).toBeUndefined()
  expect(header(null, 'content-type')).toBeUndefined()
})
