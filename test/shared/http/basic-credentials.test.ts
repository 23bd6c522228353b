import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { basicCredentials } from '#shared/http/basic-credentials.ts'

const base64 = (text: string) => Buffer.from(text).toString('base64')

describe('basicCredentials', () => {
  test.each([
    [`Basic ${base64('sk_test_1:')}`, 'sk_test_1', ''],
    [`Basic ${base64('sk_test_1')}`, 'sk_test_1', ''],
    [`basic   ${base64('sk_test_1:mer_1')}`, 'sk_test_1', 'mer_1'],
    [`BASIC ${base64('user:pass:word')}`, 'user', 'pass:word'],
    [`Basic ${base64('sk_test_1:').replaceAll('=', '')}`, 'sk_test_1', ''],
    [`Basic ${base64('ü?>:~~~ÿ')}`, 'ü?>', '~~~ÿ'],
  ])('reads %s', (header, user, password) => {
    expect(basicCredentials(header)).toEqual({ user, password })
  })

  test.each([
    undefined,
    '',
    'Bearer sk_test_1',
    'Basicsk_test_1',
    'sk_test_1',
    'Basic',
    'Basic ',
    'Basic !!!',
    'Basic =',
    'Ba\u017fic c2tf',
    `Basic\t${base64('sk_test_1:')}`,
    ` Basic ${base64('sk_test_1:')}`,
    `Basic ${base64('sk_test_1:')} `,
    `Basic ${base64('sk_test_1:')}\n`,
    `Basic ${Buffer.from('ü?>:~~~ÿ').toString('base64url')}`,
  ])('rejects %j', (header) => {
    expect(basicCredentials(header)).toBeUndefined()
  })

  const user = fc.string({ unit: 'grapheme', minLength: 1 }).filter((text) => !text.includes(':'))
  const text = fc.tuple(user, fc.string({ unit: 'grapheme' }))

  test('reads any encoded credentials, and never throws', () => {
    fc.assert(
      fc.property(text, fc.string({ unit: 'binary' }), ([user, password], garbage) => {
        expect(basicCredentials(`Basic ${base64(`${user}:${password}`)}`)).toEqual({ user, password })
        basicCredentials(garbage)
        basicCredentials(`Basic ${garbage}`)
      }),
    )
  })

  test('accepts no value except the canonical encoding, with or without padding', () => {
    const changed = fc.tuple(fc.nat(), fc.nat({ max: 2 }), fc.string({ unit: 'binary', minLength: 1, maxLength: 4 }))
    fc.assert(
      fc.property(text, changed, ([user, password], [at, removed, put]) => {
        const canonical = base64(`${user}:${password}`)
        const start = at % (canonical.length + 1)
        const value = canonical.slice(0, start) + put + canonical.slice(start + removed)
        const read = basicCredentials(`Basic ${value.replace(/^ +/, '')}`)
        if (read?.user !== user || read.password !== password) return
        expect([canonical, canonical.replace(/=+$/, '')]).toContain(value.replace(/^ +/, ''))
      }),
    )
  })
})
