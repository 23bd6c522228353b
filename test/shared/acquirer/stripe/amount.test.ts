import { describe, expect, test } from 'vitest'
import { fromStripe, isExpressible, stripeDecimalsOf, toStripe } from '#shared/acquirer/stripe/amount.ts'
import { stripe_currencies } from '#shared/acquirer/stripe/methods.ts'
import { decimalsOf, isCurrency } from '#shared/domain/currency.ts'

/** The currencies that the documentation of Stripe lists without decimals, and those with three. */
const WITHOUT_DECIMALS = 'BIF CLP DJF GNF JPY KMF KRW MGA PYG RWF VND VUV XAF XOF XPF'.split(' ')
const WITH_THREE_DECIMALS = 'BHD JOD KWD OMR TND'.split(' ')
/** ISO 4217 gives these no decimals. Stripe still takes two. */
const KEPT_TWO_DECIMALS = ['ISK', 'UGX']

const decimalsOfIcu = (currency: string): number =>
  new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits!

describe('the amounts of Stripe', () => {
  test.each([
    ['JPY', 1000, 1000],
    ['KRW', 1000, 1000],
    ['USD', 1050, 1050],
    ['ISK', 5, 500],
    ['UGX', 5, 500],
    ['MGA', 500, 5],
    ['KWD', 5120, 5120],
  ])('%s: %i of our smallest units are %i', (currency, ours, theirs) => {
    expect(toStripe(ours, currency)).toBe(theirs)
    expect(fromStripe(theirs, currency)).toBe(ours)
    expect(isExpressible(ours, currency)).toBe(true)
  })

  test.each([
    ['KWD', 5124],
    ['BHD', 1],
    ['MGA', 150],
  ])('cannot express %s %i', (currency, amount) => {
    expect(isExpressible(amount, currency)).toBe(false)
  })

  test('a fee that is no whole number of our units is rounded', () => {
    expect(fromStripe(1550, 'ISK')).toBe(16)
  })

  test('every currency of Stripe has the decimals that its documentation lists', () => {
    const decimals = (currency: string): number =>
      WITHOUT_DECIMALS.includes(currency) ? 0 : WITH_THREE_DECIMALS.includes(currency) ? 3 : 2
    for (const currency of stripe_currencies) expect(stripeDecimalsOf(currency), currency).toBe(decimals(currency))
    expect([...WITHOUT_DECIMALS, ...WITH_THREE_DECIMALS].every((currency) => stripe_currencies.has(currency))).toBe(
      true,
    )
  })

  test('agrees with ICU on the currencies with three decimals, and gives no decimals only where ICU does', () => {
    for (const currency of stripe_currencies) {
      const [decimals, icu] = [stripeDecimalsOf(currency), decimalsOfIcu(currency)]
      expect(decimals === 3, currency).toBe(icu === 3)
      if (decimals === 0) expect(icu, currency).toBe(0)
      // CLDR also drops decimals that are rarely used, such as those of HUF. ISO 4217 decides there.
      if (icu === 0 && decimals === 2)
        expect(KEPT_TWO_DECIMALS.includes(currency) || decimalsOf(currency) === 2, currency).toBe(true)
    }
  })

  test('Stripe charges only currencies that this service knows', () => {
    expect([...stripe_currencies].filter((currency) => !isCurrency(currency))).toEqual([])
  })
})
