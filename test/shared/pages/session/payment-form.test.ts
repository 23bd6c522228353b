import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { payment_types } from '#shared/domain/payment-details.ts'
import { type FieldName, field_inputs, form_fields, isOptional } from '#shared/pages/session/payment-form.ts'
import { payment_details_object } from '#shared/resources/payment-details.ts'

const filled: Readonly<Record<FieldName, Record<string, string>>> = {
  number: { number: '4111111111111111' },
  expiry: { month: '12', year: '30' },
  verification_value: { verification_value: '123' },
  name: { name: 'HANAKO' },
  email: { email: 'hanako@example.jp' },
  phone: { phone: '09012345678' },
  store: { store: 'lawson' },
  brand: { brand: 'docomo' },
  family_name: { family_name: '山田' },
  given_name: { given_name: '花子' },
  family_name_kana: { family_name_kana: 'ヤマダ' },
  given_name_kana: { given_name_kana: 'ハナコ' },
  prepaid_number: { prepaid_number: '1234567890' },
  user_no: { user_no: '1' },
  user_password: { user_password: 'secret' },
}

describe('form_fields and field_inputs', () => {
  test.each(payment_types)(
    '%s asks for every field that the API requires; any other is optional or the verification value',
    (type) => {
      const details = (names: readonly FieldName[]) => ({
        type,
        ...Object.assign({}, ...names.map((name) => filled[name])),
      })
      const names = form_fields[type]
      expect(v.is(payment_details_object, details(names))).toBe(true)
      const optional = names.filter((name) => v.is(payment_details_object, details(names.filter((it) => it !== name))))
      expect(optional).toEqual(names.filter((name) => isOptional(type, name) || name === 'verification_value'))
    },
  )

  test('the secret fields are those that are never written back', () => {
    const secret = Object.entries(field_inputs).filter(([, input]) => input.secret)
    expect(secret.map(([name]) => name)).toEqual(['number', 'verification_value', 'prepaid_number', 'user_password'])
  })

  test('the inputs have room for the longest card number with spaces and for a long expiry', () => {
    expect('1234 1234 1234 1234 123'.length).toBeLessThanOrEqual(field_inputs.number.maxlength!)
    expect('12 / 2030'.length).toBeLessThanOrEqual(field_inputs.expiry.maxlength!)
  })

  test('the card inputs have the autocomplete names of browsers', () => {
    const { number, expiry, verification_value, name } = field_inputs
    expect([number, expiry, verification_value, name].map(({ autocomplete }) => autocomplete)).toEqual([
      'cc-number',
      'cc-exp',
      'cc-csc',
      'cc-name',
    ])
  })
})
