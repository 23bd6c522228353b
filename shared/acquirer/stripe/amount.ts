import { decimalsOf } from '#shared/domain/currency.ts'

/**
 * The currencies whose amounts have another number of decimals at Stripe than in ISO 4217. Stripe kept two decimals of
 * ISK and UGX after ISO 4217 dropped them, and gives MGA none.
 */
const decimals_at_stripe: ReadonlyMap<string, number> = new Map([
  ['ISK', 2],
  ['UGX', 2],
  ['MGA', 0],
])

/** Returns the number of decimals of a currency in the amounts of Stripe. */
export const stripeDecimalsOf = (currency: string): number => decimals_at_stripe.get(currency) ?? decimalsOf(currency)

const factorOf = (currency: string): number => 10 ** (stripeDecimalsOf(currency) - decimalsOf(currency))

/**
 * Converts an amount in the smallest unit of ISO 4217 to an amount of Stripe. The result is no whole number if Stripe
 * cannot express the amount.
 */
export const toStripe = (amount: number, currency: string): number => amount * factorOf(currency)

/** Converts an amount of Stripe to the smallest unit of ISO 4217, rounded to a whole number. */
export const fromStripe = (amount: number, currency: string): number => Math.round(amount / factorOf(currency))

/**
 * Whether Stripe can express an amount. The amounts of currencies with three decimals must end in 0, and those of MGA
 * in 00.
 */
export function isExpressible(amount: number, currency: string): boolean {
  const converted = toStripe(amount, currency)
  return Number.isSafeInteger(converted) && (stripeDecimalsOf(currency) < 3 || converted % 10 === 0)
}
