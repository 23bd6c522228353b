import type { GenericSchema } from 'valibot'
import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import {
  amount,
  boolean,
  clearable,
  currency,
  email,
  integer,
  locale,
  moment,
  oneOf,
  optional,
  orNull,
  someOf,
  tax,
  text,
  url,
  withDefault,
} from '#shared/resources/fields.ts'
import { parse } from '#shared/resources/parse.ts'
import { refusalOf } from '#test/fixtures/refusals.ts'

const read = (schema: GenericSchema, field: unknown) =>
  (parse(v.object({ field: schema }), { field }) as { field: unknown }).field

const codeFor = (schema: GenericSchema, field: unknown) => refusalOf(v.object({ field: schema }), { field }).code

const refuses = (schema: GenericSchema, ...fields: unknown[]) => {
  for (const field of fields) expect(codeFor(schema, field), JSON.stringify(field)).toBe('invalid_parameter')
}

describe('text', () => {
  test('accepts text within its length, and returns it unchanged', () => {
    expect(read(text(5), ' a\n ')).toBe(' a\n ')
    expect(read(text(5), '日本語日本')).toBe('日本語日本')
    refuses(text(5), '', '123456', 5, true, null, ['a'], { a: 1 })
  })
})

describe('integer', () => {
  test('accepts text that is integral', () => {
    for (const field of [100, '100', '100.0', '100.00', '0100', 1e2]) expect(read(integer(0, 100), field)).toBe(100)
    expect(read(integer(-5, 5), '-5')).toBe(-5)
  })

  test('rejects anything else', () => {
    refuses(integer(-500, 500), 1.5, '1.5', '1.', '.0', '1,0', '+1', '1e2', '0x10', ' 1', '1 ', '', 'one', '１')
    refuses(integer(-500, 500), null, true, false, [], [1], {}, Number.NaN, Number.POSITIVE_INFINITY)
  })

  test('includes its bounds', () => {
    expect([read(integer(1, 3), 1), read(integer(1, 3), '3')]).toEqual([1, 3])
    refuses(integer(1, 3), 0, 4, '0', '4.0')
  })

  test('returns zero without a sign', () => {
    for (const field of [-0, '-0', '-0.0']) expect(Object.is(read(integer(0, 1), field), 0)).toBe(true)
  })

  test('is never rounded into its bounds', () => {
    const all = integer(Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER)
    refuses(all, '9007199254740992', '9007199254740993', '9007199254740991.4', 2 ** 53, '9'.repeat(400))
    expect(read(all, '9007199254740991')).toBe(9_007_199_254_740_991)
  })
})

describe('amount', () => {
  test('accepts 1 to 9,999,999,999, and rejects null and empty text', () => {
    expect([read(amount, '1'), read(amount, 9_999_999_999)]).toEqual([1, 9_999_999_999])
    refuses(amount, 0, -1, 10_000_000_000, null, '', '1.01', '9999999999.0000000001')
  })
})

describe('tax', () => {
  test('accepts integers from 0, and auto', () => {
    expect([read(tax, 0), read(tax, '10.0'), read(tax, 'auto')]).toEqual([0, 10, 'auto'])
    refuses(tax, -1, 10_000_000_000, 'AUTO', null, '', 0.1)
  })
})

describe('boolean', () => {
  test('accepts true and false as text', () => {
    expect([true, 'true', false, 'false'].map((field) => read(boolean, field))).toEqual([true, true, false, false])
    expect(['True', '1', 'False', '0'].map((field) => read(boolean, field))).toEqual([true, true, false, false])
    refuses(boolean, 'yes', 'TRUE', '', 0, 1, null, [])
  })
})

describe('currency', () => {
  test('accepts active ISO 4217 codes', () => {
    expect(['JPY', 'jpy', 'Usd'].map((field) => read(currency, field))).toEqual(['JPY', 'JPY', 'USD'])
    for (const field of ['uſd', ' jpy', 'XXX', 'JP', '', 392, null, ['JPY'], '__proto__'])
      expect(codeFor(currency, field), JSON.stringify(field)).toBe('invalid_currency')
  })
})

describe('locale', () => {
  test('accepts a language of the pages, with or without a region', () => {
    const read_as = { ja: 'ja', en: 'en', en_US: 'en', 'en-US': 'en', KO_kr: 'ko' }
    for (const [field, language] of Object.entries(read_as)) expect(read(locale, field)).toBe(language)
    refuses(locale, 'fr', 'english', '', 1, null, ['en'])
  })
})

describe('email', () => {
  test.each([
    'a@example.com',
    "o'brien+tag@mail.example.co.jp",
    'a..b.@docomo.ne.jp',
    'a@xn--wgv71a.jp',
    `${'a'.repeat(64)}@example.com`,
  ])('accepts %s', (field) => {
    expect(read(email, field)).toBe(field)
  })

  test.each([
    'a',
    'a@',
    '@example.com',
    'a@localhost',
    'a@b@example.com',
    'a b@example.com',
    'a@example..com',
    'a@-example.com',
    'a@example.com\n',
    'あ@example.com',
    `${'a'.repeat(65)}@example.com`,
    `a@${'b.'.repeat(130)}com`,
    '',
    5,
    null,
  ])('refuses %j', (field) => {
    refuses(email, field)
  })
})

describe('url', () => {
  test.each([
    'https://example.com',
    'http://localhost:3000/return?a=1#b',
    'HTTPS://EXAMPLE.COM/',
    'https://例え.jp/注文',
    `https://example.com/${'a'.repeat(2_028)}`,
  ])('accepts %s and returns it unchanged', (field) => {
    expect(read(url, field)).toBe(field)
  })

  test.each([
    'example.com',
    '//example.com',
    'https:example.com',
    'https://',
    'https://?a',
    'ftp://example.com',
    'javascript:alert(1)',
    'https://exa mple.com',
    'https://example.com/a b',
    ' https://example.com',
    'https://example.com/\u0000',
    'https://example.com:99999/',
    `https://example.com/${'a'.repeat(2_029)}`,
    '',
    null,
    1,
  ])('refuses %j', (field) => {
    refuses(url, field)
  })

  test('counts the characters of the encoded URL', () => {
    expect(read(url, `https://example.com/${'あ'.repeat(225)}`)).toBeTypeOf('string')
    refuses(url, `https://example.com/${'あ'.repeat(226)}`)
  })
})

describe('moment', () => {
  test('reads ISO 8601 with an offset as epoch milliseconds', () => {
    expect(read(moment, '2030-01-01T09:00:00+09:00')).toBe(Date.UTC(2030, 0, 1))
    refuses(moment, '2030-02-30', '2030-02-30T00:00:00Z', '2030', 1_893_456_000_000, null, '')
  })

  test.each(['2030-01-01', '2030-01-01T00:00:00', '2030-01-01T00:00', '2030-01-01T09:00:00 09:00'])(
    'reads %s leniently',
    (text) => {
      expect(read(moment, text)).toBe(Date.UTC(2030, 0, 1))
    },
  )

  test('returns no time before 1970', () => {
    expect(read(moment, '0001-01-01T00:00:00Z')).toBe(0)
  })
})

describe('oneOf and someOf', () => {
  test('accept the given words, and list them in the refusal', () => {
    expect(read(oneOf(['a', 'b']), 'b')).toBe('b')
    refuses(oneOf(['a', 'b']), 'c', 'A', '', null, ['a'])
    expect(refusalOf(v.object({ field: oneOf(['a', 'b']) }), { field: 'c' }).message).toBe('field must be one of a, b.')
  })

  test('someOf accepts a comma-separated list, and returns each word once', () => {
    expect(read(someOf(['a', 'b']), 'a')).toEqual(['a'])
    expect(read(someOf(['a', 'b']), 'b,a,b')).toEqual(['b', 'a'])
    expect(read(someOf(['a', 'b']), 'a, b')).toEqual(['a', 'b'])
    expect(read(someOf(['a', 'b']), ['b', 'a'])).toEqual(['b', 'a'])
    refuses(someOf(['a', 'b']), 'a,c', 'a,', ',', '', ['c'], [{}], null)
  })
})

describe('optional, orNull, orElse and clearable', () => {
  const all = v.object({
    optional: optional(email),
    null: orNull(email),
    default: withDefault(email, 'a@example.com'),
    clearable: clearable(email),
  })

  test('leave out an absent field, or return null or the default', () => {
    expect(parse(all, {})).toStrictEqual({ null: null, default: 'a@example.com' })
  })

  test.each([null, ''])('treat %j as absent, and clearable clears the field', (blank) => {
    expect(parse(all, { optional: blank, null: blank, default: blank, clearable: blank })).toStrictEqual({
      optional: undefined,
      null: null,
      default: 'a@example.com',
      clearable: null,
    })
  })

  test('reject any other invalid value', () => {
    for (const name of ['optional', 'null', 'default', 'clearable'])
      for (const field of [' ', 0, false, [], {}])
        expect(refusalOf(all, { [name]: field })).toMatchObject({ code: 'invalid_parameter', param: name })
  })
})
