import { decimalsOf, inOwnUnit } from '#shared/domain/currency.ts'
import type { Locale } from '#shared/domain/session.ts'

const languages: Readonly<Record<Locale, string>> = { ja: 'ja-JP', en: 'en-US', ko: 'ko-KR' }

/** Japanese writes the short weekday in brackets. The short one of Korean looks like a second day of the month. */
const weekdays = { ja: 'short', en: 'short', ko: 'long' } as const

const japan_time: Readonly<Record<Locale, (time: string) => string>> = {
  ja: (time) => `${time}（日本時間）`,
  en: (time) => `${time} (Japan time)`,
  ko: (time) => `${time} (일본 시간)`,
}

/** Formats an amount in the currency's smallest unit for a customer: ¥1,000, $10.50. */
export function money(amount: number, currency: string, locale: Locale): string {
  const decimals = decimalsOf(currency)
  const format = new Intl.NumberFormat(languages[locale], {
    style: 'currency',
    currency,
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
  })
  // Some languages write the yen as a full-width sign or as JP¥. The pages show ¥ in every language.
  return format
    .formatToParts(inOwnUnit(amount, currency))
    .map(({ type, value }) => (type === 'currency' && currency === 'JPY' ? '¥' : value))
    .join('')
}

/** Formats a quantity for a customer: 2, 1,500, 0.25. At most six decimals are shown. */
export const count = (quantity: number, locale: Locale): string =>
  new Intl.NumberFormat(languages[locale], { maximumFractionDigits: 6 }).format(quantity)

/** Formats a time for a customer in Japan, to the minute, with the time zone. */
export function shownTime(iso: string, locale: Locale): string {
  const format = new Intl.DateTimeFormat(languages[locale], {
    timeZone: 'Asia/Tokyo',
    year: 'numeric',
    month: 'long',
    day: 'numeric',
    weekday: weekdays[locale],
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  })
  return japan_time[locale](format.format(new Date(iso)))
}
