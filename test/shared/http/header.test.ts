import { expect, test } from 'vitest'
import { header, soleHeader } from '#shared/http/header.ts'

test('header finds a header in any case', () => {
  expect(header({ 'CONTENT-type': 'a', Other: 'b' }, 'content-type')).toBe('a')
  expect(header({ Other: 'b' }, 'content-type')).toBeUndefined()
  expect(header(null, 'content-type')).toBeUndefined()
})

test.each<[string, Parameters<typeof soleHeader>[0], string | undefined]>([
  ['sent once', { headers: { A: '1' }, multiValueHeaders: { A: ['1'] } }, '1'],
  ['sent once, without the list of all values', { headers: { A: '1' }, multiValueHeaders: null }, '1'],
  ['sent twice under one name', { headers: { A: '2' }, multiValueHeaders: { A: ['1', '2'] } }, undefined],
  ['sent twice under two cases', { headers: { A: '1', a: '1' }, multiValueHeaders: { A: ['1'], a: ['1'] } }, undefined],
  ['sent twice, without the list of all values', { headers: { A: '1', a: '1' } }, undefined],
  ['not sent', { headers: { B: '1' }, multiValueHeaders: { B: ['1'] } }, undefined],
  ['not sent, without any headers', { headers: null, multiValueHeaders: null }, undefined],
])('soleHeader of a header that was %s returns its value only if it was sent once', (_, sent, value) => {
  expect(soleHeader(sent, 'a')).toBe(value)
})
