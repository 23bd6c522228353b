/** The active ISO 4217 codes that have a smallest unit, grouped by its number of decimals. */
const codes_by_decimals: readonly (readonly [decimals: number, codes: string])[] = [
  [0, 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF'],
  [
    2,
    `AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BMD BND BOB BOV BRL BSD BTN BWP BYN BZD CAD CDF CHE CHF CHW CNY COP
    COU CRC CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL HTG HUF IDR ILS INR IRR
    JMD KES KGS KHR KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MXV MYR MZN NAD NGN
    NIO NOK NPR NZD PAB PEN PGK PHP PKR PLN QAR RON RSD RUB SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL
    THB TJS TMT TOP TRY TTD TWD TZS UAH USD USN UYU UZS VED VES WST XAD XCD XCG YER ZAR ZMW ZWG`,
  ],
  [3, 'BHD IQD JOD KWD LYD OMR TND'],
  [4, 'CLF UYW'],
]

const decimals_by_code: ReadonlyMap<string, number> = new Map(
  codes_by_decimals.flatMap(([decimals, codes]) => codes.split(/\s+/).map((code) => [code, decimals] as const)),
)

/** The codes of the supported currencies, in alphabetical order. */
export const currencies: readonly string[] = [...decimals_by_code.keys()].toSorted()

/**
 * Whether a code is a supported currency: an active ISO 4217 code of three capital letters that has a smallest unit.
 */
export function isCurrency(code: string): boolean {
  return decimals_by_code.has(code)
}

/** Returns the number of decimals of a currency: 0 for JPY, 2 for USD. Throws for a code that is no currency. */
export function decimalsOf(code: string): number {
  const decimals = decimals_by_code.get(code)
  if (decimals === undefined) throw new RangeError('no currency has this code')
  return decimals
}

/**
 * Converts an amount in the currency's own unit (`10.50` USD) to its smallest unit (1050). Returns NaN for text that is
 * no such amount, and for more decimals than the currency has. Trailing zeros do not count as decimals.
 */
export function inSmallestUnit(text: string, code: string): number {
  const match = /^(\d{1,10})(?:\.(\d{1,20}))?$/.exec(text)
  if (!match) return Number.NaN
  const decimals = (match[2] ?? '').replace(/0+$/, '')
  if (decimals.length > decimalsOf(code)) return Number.NaN
  return Number(match[1] + decimals.padEnd(decimalsOf(code), '0'))
}

/** Converts an amount in the smallest unit (1050) to the currency's own unit (10.5). */
export function inOwnUnit(amount: number, code: string): number {
  return amount / 10 ** decimalsOf(code)
}
