import fc from 'fast-check'
import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { Refusal } from '#shared/domain/errors.ts'
import { needsEmail, type PaymentDetails, type PaymentType, payment_types } from '#shared/domain/payment-details.ts'
import { parse } from '#shared/resources/parse.ts'
import {
  payment_details,
  payment_details_object,
  refuseExpired,
  session_payment_details,
  shown,
} from '#shared/resources/payment-details.ts'
import { refusalOf } from '#test/fixtures/refusals.ts'

const names = { family_name: '山田', family_name_kana: 'ヤマダ', given_name: '太郎', given_name_kana: 'タロウ' }
const email = 'taro@example.com'
const phone = '090-1234-5678'

/** Example details of each type: every documented field, and the optional ones among them. */
const samples: Record<string, { fields: Record<string, unknown>; optional: string[] }> = {
  credit_card: {
    fields: {
      number: '4111111111111111',
      month: 12,
      year: 2030,
      verification_value: '123',
      name: 'TARO YAMADA',
      email,
      family_name: 'YAMADA',
      given_name: 'TARO',
    },
    optional: ['verification_value', 'name', 'email', 'family_name', 'given_name'],
  },
  konbini: { fields: { email, phone, expiry_days: 3, store: 'lawson' }, optional: ['phone', 'expiry_days'] },
  pay_easy: { fields: { email, phone, ...names }, optional: [] },
  bank_transfer: { fields: { email, phone, expiry_days: 14, ...names }, optional: ['expiry_days'] },
  bit_cash: { fields: { email, prepaid_number: 'ひらがなじゅうろくもじのばんごう' }, optional: [] },
  net_cash: { fields: { email, prepaid_number: '1111111111111234' }, optional: [] },
  paysafe_cash: { fields: { email }, optional: [] },
  mobile: { fields: { email }, optional: [] },
  japan_mobile: { fields: { email, brand: 'docomo' }, optional: [] },
  retailer_account: { fields: { user_no: '1234', user_password: 'secret' }, optional: [] },
  web_money: { fields: { email, prepaid_number: '1111111111111234' }, optional: [] },
  paypay: { fields: { email }, optional: ['email'] },
  merpay: { fields: { email }, optional: ['email'] },
  rakutenpay: { fields: { email }, optional: ['email'] },
  aupay: { fields: { email }, optional: ['email'] },
  linepay: { fields: { email }, optional: ['email'] },
  alipay: { fields: { email }, optional: ['email'] },
  wechatpay: { fields: { email }, optional: ['email'] },
  paidy: { fields: { email }, optional: ['email'] },
}

const Request = v.object({ payment_details })
const read = (details: unknown): PaymentDetails =>
  parse(v.object({ payment_details: payment_details_object }), { payment_details: details }).payment_details
const refused = (details: unknown) => refusalOf(Request, { payment_details: details })
const card = (changes: object) => ({ type: 'credit_card', ...samples.credit_card!.fields, ...changes })

describe('payment_details', () => {
  test('the samples contain every type', () => {
    expect(Object.keys(samples)).toEqual([...payment_types])
  })

  describe.each(Object.entries(samples))('%s', (type, { fields, optional }) => {
    test('reads every field', () => {
      expect(read({ type, ...fields, unknown: 'x' })).toStrictEqual({ type, ...fields })
    })

    test('refuses the absence of each required field, and accepts that of each optional field', () => {
      for (const field of Object.keys(fields)) {
        const { [field]: _, ...rest } = fields
        if (optional.includes(field)) expect(read({ type, ...rest })).toStrictEqual({ type, ...rest })
        else
          expect(refused({ type, ...rest })).toMatchObject({
            code: 'missing_parameter',
            param: `payment_details[${field}]`,
          })
      }
    })

    test('needs an e-mail address exactly if needsEmail says so, except in a session', () => {
      const { email: _, ...rest } = fields
      const required = 'email' in fields && !optional.includes('email')
      expect(needsEmail(type as PaymentType)).toBe(required)
      const Session = v.object({ payment_details: session_payment_details })
      expect(parse(Session, { payment_details: { type, ...rest } }).payment_details).toEqual({ type, ...rest })
    })

    test('reads the same from a form and from JSON', () => {
      const form = Object.fromEntries(Object.entries(fields).map(([field, sent]) => [field, String(sent)]))
      expect(read({ type, ...form })).toEqual(read({ type, ...fields }))
    })

    test('refuses an invalid value, names its field and does not repeat the value', () => {
      for (const field of Object.keys(fields))
        for (const wrong of [{ a: 1 }, ['a'], true, 987_654.5, `${'987654'.repeat(50)}`]) {
          const refusal = refused({ type, ...fields, [field]: wrong })
          expect(refusal).toMatchObject({ code: 'invalid_parameter', param: `payment_details[${field}]` })
          expect(refusal.message).not.toContain('987654')
        }
    })

    test('shown contains no secret', () => {
      const text = JSON.stringify(shown(read({ type, ...fields })))
      for (const secret of ['number', 'verification_value', 'prepaid_number', 'user_no', 'user_password', 'phone'])
        if (secret in fields) expect(text).not.toContain(String(fields[secret]))
    })
  })

  test('refuses an unknown type with invalid_payment_type, and an absent type with missing_parameter', () => {
    for (const type of ['bitcoin', '', null, 5, {}, 'constructor', 'CREDIT_CARD'])
      expect(refused({ ...card({}), type }), String(type)).toMatchObject({
        code: 'invalid_payment_type',
        param: 'payment_details[type]',
      })
    expect(refused({ number: '4111111111111111' })).toMatchObject({
      code: 'missing_parameter',
      param: 'payment_details[type]',
    })
  })

  test('refuses a value that is neither object nor text', () => {
    for (const details of [5, true, null])
      expect(refused(details)).toMatchObject({ code: 'invalid_parameter', param: 'payment_details' })
  })

  test('accepts text that is the id of a token', () => {
    expect(parse(Request, { payment_details: 'tok_0123abc' })).toEqual({ payment_details: 'tok_0123abc' })
    for (const id of ['abc', 'tok_', 'tok_ ', 'cus_0123abc', `tok_${'a'.repeat(251)}`, '4111111111111111', ''])
      expect(refused(id), id).toMatchObject({ code: 'invalid_token', param: 'payment_details' })
  })

  test('parses or refuses arbitrary fields, and throws nothing but refusals', () => {
    const types = fc.constantFrom(...payment_types)
    const changes = fc.dictionary(
      fc.constantFrom('number', 'month', 'year', 'name', 'email', 'store', 'brand', 'expiry_days', 'prepaid_number'),
      fc.jsonValue({ maxDepth: 1 }),
    )
    fc.assert(
      fc.property(types, changes, (type, changed) => {
        try {
          shown(read({ type, ...samples[type]!.fields, ...changed }))
        } catch (error) {
          expect(error).toBeInstanceOf(Refusal)
        }
      }),
      { numRuns: 1_000 },
    )
  })
})

describe('payment_details of a card', () => {
  test('accepts a number of 12 to 19 digits that passes Luhn, and removes spaces and hyphens', () => {
    for (const number of ['4111 1111 1111 1111', '4111-1111-1111-1111', ' 4111111111111111 '])
      expect(read(card({ number }))).toMatchObject({ number: '4111111111111111' })
    for (const number of ['000000000000', '0000000000000000000'])
      expect(read(card({ number }))).toMatchObject({ number })
    for (const number of ['4111111111111112', '00000000000', '00000000000000000000', '4111.1111.1111.1111', '４１１１'])
      expect(refused(card({ number })), number).toMatchObject({
        code: 'invalid_parameter',
        param: 'payment_details[number]',
      })
  })

  test('accepts a month of the year, and a year of two or four digits', () => {
    expect(read(card({ month: '07', year: '31' }))).toMatchObject({ month: 7, year: 2031 })
    for (const month of [0, 13, '', null]) expect(refused(card({ month })).param).toBe('payment_details[month]')
    for (const year of [-1, 100, 999, 10_000, '', null])
      expect(refused(card({ year })).param).toBe('payment_details[year]')
  })

  test('accepts a verification value of three or four digits as text, or none', () => {
    expect(read(card({ verification_value: '0123' }))).toMatchObject({ verification_value: '0123' })
    expect(read(card({ verification_value: '' }))).not.toHaveProperty('verification_value', '')
    for (const verification_value of ['12', '12345', '12a', 123])
      expect(refused(card({ verification_value })).param).toBe('payment_details[verification_value]')
  })

  test('requires a name, or a family name and a given name', () => {
    expect(read(card({ name: '' }))).toMatchObject({ family_name: 'YAMADA', given_name: 'TARO' })
    const missing = { code: 'missing_parameter', param: 'payment_details[name]' }
    expect(refused(card({ name: undefined, family_name: undefined }))).toMatchObject(missing)
    expect(refused(card({ name: '', given_name: '' }))).toMatchObject(missing)
  })

  test('refuseExpired refuses the card once its month has ended in Japan', () => {
    const details = read(card({ month: 2, year: 2030 }))
    const end = Date.UTC(2030, 1, 28, 15)
    expect(() => refuseExpired(details, end - 1)).not.toThrow()
    expect(() => refuseExpired(details, end)).toThrow(
      expect.objectContaining({ code: 'invalid_parameter', param: 'payment_details[year]' }),
    )
    expect(() => refuseExpired(read({ type: 'paypay' }), end)).not.toThrow()
  })
})

describe('payment_details of other types', () => {
  const konbini = (changes: object) => ({ type: 'konbini', ...samples.konbini!.fields, ...changes })
  const bank_transfer = (changes: object) => ({ type: 'bank_transfer', ...samples.bank_transfer!.fields, ...changes })

  test('accept 0 to 59 expiry_days for konbini, and 1 to 59 for bank transfers', () => {
    for (const expiry_days of [0, 59, '0', '59.0']) expect(() => read(konbini({ expiry_days }))).not.toThrow()
    for (const expiry_days of [1, 59]) expect(() => read(bank_transfer({ expiry_days }))).not.toThrow()
    const refusal = { code: 'invalid_parameter', param: 'payment_details[expiry_days]' }
    for (const details of [konbini({ expiry_days: -1 }), konbini({ expiry_days: 60 })])
      expect(refused(details)).toMatchObject(refusal)
    for (const details of [bank_transfer({ expiry_days: 0 }), bank_transfer({ expiry_days: 60 })])
      expect(refused(details)).toMatchObject(refusal)
  })

  test('accept the existing stores and carriers only', () => {
    for (const store of ['seven-eleven', 'lawson', 'family-mart', 'ministop', 'daily-yamazaki', 'seicomart'])
      expect(read(konbini({ store }))).toMatchObject({ store })
    for (const brand of ['docomo', 'au', 'softbank', 'rakuten'])
      expect(read({ type: 'japan_mobile', email, brand })).toMatchObject({ brand })
    expect(refused(konbini({ store: 'aeon' })).param).toBe('payment_details[store]')
    expect(refused({ type: 'japan_mobile', email, brand: 'visa' }).param).toBe('payment_details[brand]')
  })
})

describe('shown', () => {
  const entries = (type: string, changes: object = {}) =>
    Object.entries(shown(read({ type, ...samples[type]!.fields, ...changes })))

  test('returns brand and last four digits of a card', () => {
    expect(entries('credit_card')).toEqual([
      ['type', 'credit_card'],
      ['email', email],
      ['brand', 'visa'],
      ['last_four_digits', '1111'],
      ['month', 12],
      ['year', 2030],
    ])
    expect(entries('credit_card', { number: '9999999999999995' })).toContainEqual(['brand', null])
  })

  test('returns the store of a konbini payment, and the last four characters of a prepaid card', () => {
    expect(entries('konbini')).toEqual([
      ['type', 'konbini'],
      ['email', email],
      ['store', 'lawson'],
    ])
    expect(entries('bit_cash')).toEqual([
      ['type', 'bit_cash'],
      ['email', email],
      ['last_four_digits', 'ばんごう'],
    ])
    expect(entries('web_money')).toContainEqual(['last_four_digits', '1234'])
  })

  test.each(['pay_easy', 'bank_transfer', 'paysafe_cash', 'mobile', 'japan_mobile', 'paypay'])(
    'returns type and e-mail address of %s',
    (type) => {
      expect(entries(type)).toEqual([
        ['type', type],
        ['email', email],
      ])
    },
  )

  test('returns null for an absent e-mail address', () => {
    expect(entries('retailer_account')).toEqual([
      ['type', 'retailer_account'],
      ['email', null],
    ])
    expect(entries('paypay', { email: '' })).toContainEqual(['email', null])
  })
})
