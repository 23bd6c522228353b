import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { basicCredentials } from '#shared/http/basic-credentials.ts'

const base64 = (text: string) => Buffer.from(text).toString('base64')

describe('basicCredentials', () => {
  test.each([
    [`Basic ${base64('sk_test_1:')}`, 'sk_test_1', ''],
    [`Basic ${base64('sk_test_1')}`, 'sk_test_1', ''],
    [`basic   ${base64('sk_test_1:mer_1')} `, 'sk_test_1', 'mer_1'],
    [`BASIC ${base64('user:pass:word')}`, 'user', 'pass:word'],
    [`Basic ${base64('sk_test_1:').replaceAll('=', '')}`, 'sk_test_1', ''],
    [`Basic ${Buffer.from('ü?>:~~~ÿ').toString('base64url')}`, 'ü?>', '~~~ÿ'],
    [`Basic ${base64('ü?>:~~~ÿ')}`, 'ü?>', '~~~ÿ'],
    ['Basic', '', ''],
    ['Basic !!!', '', ''],
  ])('%s', (header, user, password) => {
    expect(basicCredentials(header)).toEqual({ user, password })
  })

  test.each([undefined, '', 'Bearer sk_test_1', 'Basicsk_test_1', 'sk_test_1'])('%s is not Basic', (header) => {
    expect(basicCredentials(header)).toBeUndefined()
  })

  test('reads back any credentials and throws for none', () => {
    const user = fc.string({ unit: 'grapheme' }).filter((text) => !text.includes(':'))
    fc.assert(
      fc.property(user, fc.string({ unit: 'grapheme' }), fc.string({ unit: 'binary' }), (user, password, garbage) => {
        expect(basicCredentials(`Basic ${base64(`${user}:${password}`)}`)).toEqual({ user, password })
        basicCredentials(garbage)
        basicCredentials(`Basic ${garbage}`)
      }),
    )
  })
})
