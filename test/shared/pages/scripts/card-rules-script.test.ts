import { runInNewContext } from 'node:vm'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { brandOf, card_brand_rows, monthInJapan, passesLuhn } from '#shared/domain/card.ts'
import { card_brands, payment_types } from '#shared/domain/payment-details.ts'
import { tidied } from '#shared/domain/typed-fields.ts'
import { brand_names } from '#shared/pages/card-line.ts'
import { card_rules_script } from '#shared/pages/scripts/card-rules-script.ts'
import { form_fields } from '#shared/pages/session/payment-form.ts'
import { readPaymentForm } from '#shared/resources/payment-form.ts'

const NOW = Date.parse('2030-06-30T15:00:00Z')

interface Rules {
  brandOf(number: string): { readonly brand?: string; readonly name?: string }
  passesLuhn(number: string): boolean
  tidied(name: string, typed: string): string
  isInvalid(name: string, text: string, number: string): unknown
  digits(text: string): string
}

const rules = runInNewContext(
  `const firstMonth = ${monthInJapan(NOW)}\n${card_rules_script}\n;({ brandOf, passesLuhn, tidied, isInvalid, digits })`,
) as Rules

/** Whether the service accepts the text of one field of a card form whose other fields are right. */
function isAcceptedCard(fields: Readonly<Record<string, string>>, name: string): boolean {
  const card = {
    type: 'credit_card',
    number: '9999999999999995',
    expiry: '12/35',
    verification_value: '123',
    name: 'T',
  }
  return readPaymentForm({ ...card, ...fields }, form_fields, NOW).faults[name] === undefined
}

/** Whether the script accepts a text that is not empty. */
const isAcceptedByScript = (name: string, typed: string, number = ''): boolean =>
  !rules.isInvalid(name, rules.tidied(name, typed), rules.digits(number))

const withCheckDigit = (digits: string): string =>
  Array.from({ length: 10 }, (_, digit) => digits + digit).find(passesLuhn)!

const digit_text = (minLength: number, maxLength: number) =>
  fc.string({ unit: fc.constantFrom(...'0123456789'), minLength, maxLength })

const beginnings = [
  '4',
  '51',
  '2221',
  '2720',
  '3528',
  '3589',
  '34',
  '37',
  '300',
  '3095',
  '36',
  '6011',
  '65',
  '62',
  '81',
]

/** Numbers of all lengths and brands. Half of them have the right check digit. */
const numbers = fc
  .tuple(fc.constantFrom('', ...beginnings), digit_text(6, 17), fc.boolean())
  .map(([beginning, rest, is_checked]) => (is_checked ? withCheckDigit(beginning + rest) : beginning + rest))

/** The same text as other keyboards and copied texts have it. */
const spelled = (texts: fc.Arbitrary<string>) =>
  fc
    .tuple(texts, fc.constantFrom('', ' ', '-', '－', '\u00a0', '.', '/'), fc.boolean())
    .map(([text, mark, is_wide]) => {
      const grouped = text.replace(/(.{4})(?=.)/g, `$1${mark}`)
      return is_wide ? grouped.replace(/\d/g, (digit) => String.fromCharCode(digit.charCodeAt(0) + 0xfee0)) : grouped
    })

describe('card_rules_script', () => {
  test('recognizes the brands by the same digits as the service, under the same names', () => {
    for (let beginning = 1000; beginning < 10_000; beginning++) {
      const number = `${beginning}00000000`
      const { brand, name } = rules.brandOf(number)
      expect([number, brand ?? null]).toEqual([number, brandOf(number)])
      expect(name).toBe(brand && brand_names[brand])
    }
    expect(card_brand_rows.map(({ brand }) => brand)).toEqual(card_brands)
  })

  test('agrees with the service on card numbers', () => {
    fc.assert(
      fc.property(spelled(numbers), (number) => {
        expect(isAcceptedByScript('number', number, number)).toBe(isAcceptedCard({ number }, 'number'))
      }),
      { numRuns: 2_000 },
    )
  })

  test('agrees with the service on security codes of every brand', () => {
    fc.assert(
      fc.property(numbers, spelled(digit_text(1, 5)), (number, verification_value) => {
        expect(isAcceptedByScript('verification_value', verification_value, number)).toBe(
          isAcceptedCard({ number, verification_value }, 'verification_value'),
        )
      }),
      { numRuns: 1_000 },
    )
  })

  test('agrees with the service on expiry dates', () => {
    const [months, years] = [fc.integer({ min: 0, max: 14 }), fc.integer({ min: 0, max: 60 })]
    const dates = fc
      .tuple(months, years, fc.constantFrom('', '/', ' / ', '-', '.', '／', '//'), fc.constantFrom('', '20', '19'))
      .map(([month, year, mark, century]) => `${month}${mark}${century}${String(year).padStart(2, '0')}`)
    fc.assert(
      fc.property(fc.oneof(dates, digit_text(1, 7)), (expiry) => {
        expect([expiry, isAcceptedByScript('expiry', expiry)]).toEqual([expiry, isAcceptedCard({ expiry }, 'expiry')])
      }),
      { numRuns: 2_000 },
    )
  })

  test.each([
    ['06/30', false],
    ['07/30', true],
    ['12/29', false],
    ['1/2031', true],
  ])('accepts the expiry date %s in July 2030 in Japan: %s', (expiry, is_accepted) => {
    expect([isAcceptedByScript('expiry', expiry), isAcceptedCard({ expiry }, 'expiry')]).toEqual([
      is_accepted,
      is_accepted,
    ])
  })

  test('agrees with the service on the other fields of every form', () => {
    const names = new Set(payment_types.flatMap((type) => form_fields[type]))
    const characters = [...'aZ09@.-+() ー－０ｱァあ山é#/', 'か\u3099']
    const typed = fc.oneof(
      fc.string({ unit: fc.constantFrom(...characters), minLength: 1, maxLength: 24 }),
      fc.emailAddress(),
      spelled(digit_text(6, 16)),
    )
    const choices = ['store', 'brand', 'number', 'expiry', 'verification_value']
    for (const name of [...names].filter((name) => !choices.includes(name))) {
      const type = payment_types.find((type) => form_fields[type].includes(name))!
      fc.assert(
        fc.property(typed, (text) => {
          // The input elements limit the length.
          fc.pre(text.trim() !== '' && text.length <= 64)
          const { faults, typed: read } = readPaymentForm({ type, [name]: text }, form_fields, NOW)
          expect([text, isAcceptedByScript(name, text)]).toEqual([text, faults[name] === undefined])
          expect(rules.tidied(name, text)).toBe(read[name])
          expect(read[name]).toBe(tidied(name, text))
        }),
      )
    }
  })
})
