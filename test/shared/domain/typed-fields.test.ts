import { describe, expect, test } from 'vitest'
import { tidied, typed_fields } from '#shared/domain/typed-fields.ts'

describe('tidied', () => {
  test.each([
    ['number', ' ４１１１－１１１１ー1111‐1111 ', '4111111111111111'],
    ['number', '4111.1111/1111\t1111', '4111111111111111'],
    ['expiry', '１２／３５', '12/35'],
    ['expiry', '12—35', '12-35'],
    ['phone', '０９０ー１２３４ー５６７８', '090-1234-5678'],
    ['email', ' ｈａｎａｋｏ＠ｅｘａｍｐｌｅ．ｊｐ ', 'hanako@example.jp'],
    ['family_name_kana', 'やまだ', 'ヤマダ'],
    ['given_name_kana', ' ﾊﾅｺ ', 'ハナコ'],
    ['given_name_kana', 'ゔぁーじにあ・みすゞ', 'ヴァージニア・ミスヾ'],
    ['name', ' Ｔａｒｏ ー ', 'Ｔａｒｏ ー'],
    ['constructor', ' x ', 'x'],
  ])('turns the %s %j into %j', (name, typed, expected) => {
    expect(tidied(name, typed)).toBe(expected)
  })
})

describe('typed_fields', () => {
  const accepts = (name: string, text: string) => typed_fields[name]!.pattern!.test(text)

  test.each(['0312345678', '090-1234-5678', '+81 (0)3 1234 5678', '+82-10-1234-5678', '1.212.555.0100'])(
    'accept the telephone number %s',
    (phone) => expect(accepts('phone', phone)).toBe(true),
  )

  test.each(['', '123456', '1234567890123456', '090-1234-567x', '+', '++81312345678'])(
    'refuse the telephone number %j',
    (phone) => expect(accepts('phone', phone)).toBe(false),
  )

  test.each(['ヤマダ', 'ヴァージニア', 'ジョン・スミス', 'ヨーコ', 'ヤマダ ハナコ'])('accept the kana %s', (kana) =>
    expect(accepts('family_name_kana', kana)).toBe(true),
  )

  test.each(['', 'Yamada', '山田', 'やまだ', 'ヤマダ1'])('refuse the kana %j', (kana) =>
    expect(accepts('family_name_kana', kana)).toBe(false),
  )

  test('refuse a long text without a long search', () => {
    for (const text of ['-'.repeat(300), '1 '.repeat(150), 'a@'.repeat(150), `${'a.'.repeat(149)}@`])
      for (const { pattern } of Object.values(typed_fields)) expect(pattern?.test(text) ?? false).toBe(false)
  })
})
