import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { brandOf, brandRowOf, card_brand_rows, isPast, monthInJapan, passesLuhn } from '#shared/domain/card.ts'

describe('brandOf', () => {
  test.each([
    ['4111111111111111', 'visa'],
    ['4123111111111000', 'visa'],
    ['5555555555554444', 'master'],
    ['5100000000000107', 'master'],
    ['2221000000000009', 'master'],
    ['2720990000000007', 'master'],
    ['3530111333300000', 'jcb'],
    ['3528000000000007', 'jcb'],
    ['3589000000000003', 'jcb'],
    ['378282246310005', 'american_express'],
    ['341111111111111', 'american_express'],
    ['30569309025904', 'diners_club'],
    ['30950000000000', 'diners_club'],
    ['36227206271667', 'diners_club'],
    ['6011111111111117', 'discover'],
    ['6500000000000002', 'discover'],
    ['6200000000000005', 'unionpay'],
    ['8100000000000000', 'unionpay'],
    ['2220000000000000', null],
    ['2721000000000004', null],
    ['3527000000000008', null],
    ['30600000000000', null],
    ['9999999999999995', null],
  ])('returns for %s the brand %s', (number, brand) => {
    expect(brandOf(number)).toBe(brand)
  })
})

describe('card_brand_rows', () => {
  test.each([
    ['american_express', [15], 4],
    ['visa', [13, 16, 19], 3],
    ['master', [16], 3],
  ])('%s has numbers of %j digits and a security code of %i', (brand, number_lengths, code_length) => {
    expect(card_brand_rows.find((row) => row.brand === brand)).toMatchObject({ number_lengths, code_length })
  })

  test('has only lengths that the API accepts', () => {
    const lengths = card_brand_rows.flatMap(({ number_lengths }) => number_lengths)
    expect(lengths.filter((length) => length < 12 || length > 19)).toEqual([])
  })

  test('has no row for a number that no known brand issues', () => {
    expect(brandRowOf('9999999999999995')).toBeUndefined()
    expect(brandRowOf('')).toBeUndefined()
  })
})

describe('passesLuhn', () => {
  test.each([
    '4111111111111111',
    '5555555555554444',
    '3530111333300000',
    '378282246310005',
    '30569309025904',
    '4100000000000100',
    '5100000000000107',
    '4123111111111000',
    '4123111111111018',
    '4123111111111034',
    '4123111111111042',
    '4123111111111059',
    '4123111111111067',
    '4123111111111075',
    '4123111111111083',
    '4123111111112008',
  ])('accepts the sandbox number %s', (number) => {
    expect(passesLuhn(number)).toBe(true)
  })

  test('accepts exactly one of ten numbers that differ in one digit', () => {
    const digits = fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 12, maxLength: 19 })
    fc.assert(
      fc.property(digits, fc.nat(), (number, nth) => {
        const place = nth % number.length
        const accepted = Array.from({ length: 10 }, (_, digit) => passesLuhn(number.with(place, digit).join('')))
        expect(accepted.filter(Boolean)).toHaveLength(1)
      }),
    )
  })
})

describe('isPast', () => {
  test('is true once the month of the card has ended in Japan', () => {
    const end = Date.UTC(2030, 1, 28, 15)
    expect(isPast(2, 2030, end - 1)).toBe(false)
    expect(isPast(2, 2030, end)).toBe(true)
  })

  test('is true for December once the year has ended in Japan', () => {
    const end = Date.UTC(2030, 11, 31, 15)
    expect(isPast(12, 2030, end - 1)).toBe(false)
    expect(isPast(12, 2030, end)).toBe(true)
  })
})

describe('monthInJapan', () => {
  test('changes when a card of the month becomes past', () => {
    for (const end of [Date.UTC(2030, 1, 28, 15), Date.UTC(2030, 11, 31, 15)]) {
      expect(monthInJapan(end)).toBe(monthInJapan(end - 1) + 1)
      const month = monthInJapan(end - 1) - 12 * 2030
      expect([isPast(month, 2030, end - 1), isPast(month, 2030, end)]).toEqual([false, true])
    }
  })
})
