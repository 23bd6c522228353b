import { describe, expect, test } from 'vitest'
import { type PaymentType, payment_types } from '#shared/domain/payment-details.ts'
import { form_fields } from '#shared/pages/session/payment-form.ts'
import { readPaymentForm } from '#shared/resources/payment-form.ts'

const NOW = Date.parse('2030-01-02T03:00:00Z')
const read = (form: Readonly<Record<string, unknown>>, offered: readonly PaymentType[] = payment_types) =>
  readPaymentForm(form, Object.fromEntries(offered.map((type) => [type, form_fields[type]])), NOW)

const card = {
  type: 'credit_card',
  number: ' 4111 1111 1111 1111 ',
  expiry: '12 / 35',
  verification_value: '123',
  name: 'Taro Yamada',
}

describe('readPaymentForm of a card', () => {
  test('returns payment details', () => {
    const { chosen, faults, payment_details } = read(card)
    expect([chosen, faults]).toEqual(['credit_card', {}])
    expect(payment_details).toMatchObject({
      ...{ type: 'credit_card', number: '4111111111111111', month: 12, year: 2035 },
      ...{ verification_value: '123', name: 'Taro Yamada' },
    })
  })

  test('reads full-width characters', () => {
    const wide = { number: '４１１１　１１１１ 1111 1111', expiry: '１２／３５', verification_value: '１２３' }
    expect(read({ ...card, ...wide }).payment_details).toMatchObject({
      ...{ number: '4111111111111111', month: 12, year: 2035, verification_value: '123' },
    })
  })

  test.each([
    ['12/35', 12, 2035],
    ['1235', 12, 2035],
    ['12/2035', 12, 2035],
    ['12 - 35', 12, 2035],
    ['1/31', 1, 2031],
    ['01/30', 1, 2030],
  ])('reads the expiry %s', (expiry, month, year) => {
    expect(read({ ...card, expiry }).payment_details).toMatchObject({ month, year })
  })

  test.each(['12/29', '13/35', '0/35', '12/1935', 'soon', '12', '12/3', '12/35/01'])(
    'rejects the expiry %s',
    (expiry) => {
      expect(read({ ...card, expiry })).toMatchObject({ faults: { expiry: 'invalid' }, payment_details: undefined })
    },
  )

  test.each([
    '4111-1111-1111-1111',
    '4111.1111.1111.1111',
    '4111－1111－1111－1111',
    '4111\u00a01111\u00a01111\u00a01111',
  ])('reads the copied number %j', (number) => {
    expect(read({ ...card, number }).payment_details).toMatchObject({ number: '4111111111111111' })
  })

  test.each([
    ['4111111111111111', '1234', 'verification_value'],
    ['378282246310005', '123', 'verification_value'],
    ['411111111111116', '123', 'number'],
    ['5555555555554444', '12', 'verification_value'],
  ])('refuses the number %s with the code %s', (number, verification_value, fault) => {
    expect(read({ ...card, number, verification_value }).faults).toEqual({ [fault]: 'invalid' })
  })

  test.each([
    ['378282246310005', '1234'],
    ['30569309025904', '123'],
    ['9999999999999995', '123'],
    ['9999999999999995', '1234'],
  ])('reads the number %s with the code %s', (number, verification_value) => {
    expect(read({ ...card, number, verification_value }).payment_details).toMatchObject({ number, verification_value })
  })

  test('names every fault at once', () => {
    expect(read({ type: 'credit_card' }).faults).toEqual({
      number: 'missing',
      expiry: 'missing',
      verification_value: 'missing',
      name: 'missing',
    })
    expect(read({ ...card, number: '4111111111111112', verification_value: '1' }).faults).toEqual({
      number: 'invalid',
      verification_value: 'invalid',
    })
  })

  test('treats blank text as missing', () => {
    expect(read({ ...card, name: '   ' })).toMatchObject({ faults: { name: 'missing' }, payment_details: undefined })
  })
})

describe('readPaymentForm of other payment types', () => {
  test('returns payment details of the chosen type', () => {
    const typed = { type: 'konbini', store: 'lawson', email: 'taro@example.com' }
    const { type, ...fields } = typed
    expect(read(typed)).toEqual({ chosen: type, typed: fields, faults: {}, payment_details: typed })
    expect(read({ ...typed, store: 'corner' }).faults).toEqual({ store: 'invalid' })
    expect(read({ type: 'konbini' }).faults).toMatchObject({ store: 'missing', email: 'missing' })
  })

  test('turns names in kana into katakana, and refuses other scripts', () => {
    const person = {
      ...{ type: 'bank_transfer', family_name: '山田', given_name: '花子', email: 'hanako@example.jp' },
      ...{ family_name_kana: 'やまだ', given_name_kana: 'ﾊﾅｺ', phone: '０９０ー１２３４ー５６７８' },
    }
    expect(read(person).payment_details).toMatchObject({
      ...{ family_name_kana: 'ヤマダ', given_name_kana: 'ハナコ', phone: '090-1234-5678' },
    })
    expect(read({ ...person, family_name_kana: 'Yamada', phone: '12345' }).faults).toEqual({
      ...{ family_name_kana: 'invalid', phone: 'invalid' },
    })
    expect(read({ ...person, family_name_kana: ' ', phone: '' }).faults).toEqual({
      ...{ family_name_kana: 'missing', phone: 'missing' },
    })
  })

  test('ignores values without a field in the form', () => {
    const typed = { type: 'konbini', store: 'lawson', email: 'taro@example.com', expiry_days: '59', phone: 'x' }
    expect(read(typed).payment_details).toEqual({ type: 'konbini', store: 'lawson', email: 'taro@example.com' })
  })

  test('truncates the typed values that it returns', () => {
    const { typed, faults } = read({ type: 'retailer_account', user_no: 'x'.repeat(100_000), user_password: 'y' })
    expect(typed.user_no!.length).toBeLessThan(1_000)
    expect(faults).toEqual({ user_no: 'invalid' })
  })

  test('chooses nothing for a type that the session does not offer, or that does not exist', () => {
    for (const type of ['konbini', 'barter', '', undefined, ['credit_card']])
      expect(read({ ...card, type }, ['credit_card'])).toMatchObject({ chosen: undefined, payment_details: undefined })
  })
})
