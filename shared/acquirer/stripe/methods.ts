import type { WantedOrder } from '#shared/acquirer/acquirer.ts'
import { Refusal } from '#shared/domain/errors.ts'
import type { PaymentType } from '#shared/domain/payment-details.ts'
import { isExpressible, stripeDecimalsOf, toStripe } from './amount.ts'

/** A payment type as Stripe offers it. Amounts are in the smallest unit of the only currency of the type. */
interface StripeMethod {
  /** The type of the payment method at Stripe. */
  readonly type: 'card' | 'konbini' | 'customer_balance' | 'alipay' | 'wechat_pay'
  /** The currencies of the type; null for every currency of Stripe. */
  readonly currencies: ReadonlySet<string> | null
  readonly min?: number
  readonly max?: number
}

const codes = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/))

/** The payment types that Stripe offers. It refuses every other type. */
export const stripe_methods: ReadonlyMap<PaymentType, StripeMethod> = new Map<PaymentType, StripeMethod>([
  ['credit_card', { type: 'card', currencies: null }],
  ['konbini', { type: 'konbini', currencies: codes('JPY'), min: 120, max: 300_000 }],
  ['bank_transfer', { type: 'customer_balance', currencies: codes('JPY') }],
  ['alipay', { type: 'alipay', currencies: codes('AUD CAD CNY EUR GBP HKD JPY MYR NZD SGD USD') }],
  ['wechatpay', { type: 'wechat_pay', currencies: codes('AUD CAD CHF CNY DKK EUR GBP HKD JPY NOK SEK SGD USD') }],
])

/** The convenience stores of Stripe, by our name. Stripe issues no codes for 7-Eleven and Daily Yamazaki. */
export const stripe_stores = {
  'family-mart': 'familymart',
  lawson: 'lawson',
  ministop: 'ministop',
  seicomart: 'seicomart',
} as const

export type StripeStore = keyof typeof stripe_stores

export const isStripeStore = (store: string): store is StripeStore => Object.hasOwn(stripe_stores, store)

/** The currencies that Stripe charges. */
export const stripe_currencies: ReadonlySet<string> = codes(`
  AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BHD BIF BMD BND BOB BRL BSD BWP BYN BZD CAD CDF CHF CLP CNY COP CRC
  CVE CZK DJF DKK DOP DZD EGP ETB EUR FJD FKP GBP GEL GIP GMD GNF GTQ GYD HKD HNL HTG HUF IDR ILS INR ISK JMD JOD JPY
  KES KGS KHR KMF KRW KWD KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MUR MVR MWK MXN MYR MZN NAD NGN NIO
  NOK NPR NZD OMR PAB PEN PGK PHP PKR PLN PYG QAR RON RSD RUB RWF SAR SBD SCR SEK SGD SHP SLE SOS SRD SZL THB TJS TND
  TOP TRY TTD TWD TZS UAH UGX USD UYU UZS VND VUV WST XAF XCD XCG XOF XPF YER ZAR ZMW`)

/**
 * The least amount of a charge, in the currency's own unit. Stripe publishes no limit of the other currencies, so it
 * refuses smaller amounts of those itself.
 */
const least_amounts: Readonly<Record<string, number>> = {
  ...{
    AED: 2,
    AUD: 0.5,
    BRL: 0.5,
    CAD: 0.5,
    CHF: 0.5,
    CZK: 15,
    DKK: 2.5,
    EUR: 0.5,
    GBP: 0.3,
    HKD: 4,
    HUF: 175,
    INR: 0.5,
  },
  ...{ JPY: 50, MXN: 10, MYR: 2, NOK: 3, NZD: 0.5, PLN: 2, RON: 2, SEK: 3, SGD: 0.5, THB: 10, USD: 0.5 },
}

/** The greatest amount of a charge in Stripe's units: eight digits. */
const GREATEST_AMOUNT = 99_999_999

/** A convenience store takes a payment only if it can wait for longer than this. */
const KONBINI_WAITS_MINUTES = 30

/**
 * Refuses a charge that Stripe can never make: its payment type, currency, store, amount or deadline. Refuses a capture
 * or a refund of an amount that Stripe cannot express. A field that is null is not checked. `now` is in epoch
 * milliseconds.
 */
export function refuseUnsupported(
  { type, brand, currency, amount, deadline, is_part }: WantedOrder,
  now: number,
): void {
  const method = stripe_methods.get(type)
  if (!method) throw new Refusal('invalid_payment_type', { param: 'payment_details[type]' })
  if (currency !== null && !(method.currencies ?? stripe_currencies).has(currency))
    throw new Refusal('invalid_currency', { param: 'currency' })
  if (type === 'konbini' && brand !== null && !isStripeStore(brand))
    throw invalid('payment_details[store]', `must be one of ${Object.keys(stripe_stores).join(', ')}`)
  if (currency !== null && amount !== null) refuseInexpressible(currency, amount)
  if (is_part) return
  if (currency !== null && amount !== null) refuseOutsideLimits(method, currency, amount)
  if (type === 'konbini' && deadline !== null && Date.parse(deadline) - now <= KONBINI_WAITS_MINUTES * 60_000)
    throw invalid('payment_details[expiry_days]', `must leave more than ${KONBINI_WAITS_MINUTES} minutes to pay`)
}

function refuseInexpressible(currency: string, amount: number): void {
  if (!isExpressible(amount, currency))
    throw invalid('amount', `must end in ${currency === 'MGA' ? '00' : '0'}, including tax, in this currency`)
}

function refuseOutsideLimits({ min, max }: StripeMethod, currency: string, amount: number): void {
  const charged = toStripe(amount, currency)
  const least = min ?? (least_amounts[currency] ?? 0) * 10 ** stripeDecimalsOf(currency)
  const greatest = max ?? GREATEST_AMOUNT
  if (charged >= least && charged <= greatest) return
  throw invalid('amount', 'is outside the limits of the payment type, including tax and fee')
}

const invalid = (param: string, fault: string): Refusal =>
  new Refusal('invalid_parameter', { param, message: `${param} ${fault}.` })
