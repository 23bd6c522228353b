import type { Locale } from '#shared/domain/session.ts'

const units = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
  ['second', 1],
] as const

/**
 * Formats a remaining time for a customer with its two largest units: `3 days 4 hours`. Seconds are shown only in the
 * last minute, because the text does not change while the page is not running its script. `countdown_script` formats
 * times in the same way.
 */
export function remainingTime(seconds: number, locale: Locale): string {
  const first = Math.max(
    units.findIndex(([, length]) => seconds >= length),
    0,
  )
  const shown = units.slice(first, first === 2 ? first + 1 : first + 2)
  let rest = seconds
  const parts = shown.flatMap(([unit, length], at) => {
    const count = Math.floor(rest / length)
    rest %= length
    if (at > 0 && count === 0) return []
    return [new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'long' }).format(count)]
  })
  return locale === 'ja' ? parts.join('').replaceAll(' ', '') : parts.join(' ')
}
