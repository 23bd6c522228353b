import { localeOf } from '#shared/domain/locale.ts'
import type { Locale } from '#shared/domain/session.ts'

/** Returns the supported language that a browser prefers most, or Japanese if the browser prefers none of them. */
export function preferredLocale(accept_language: string | undefined): Locale {
  const ranges = (accept_language ?? '').split(',').map((range) => {
    const [tag, ...parameters] = range.split(';')
    const q = parameters.map((parameter) => parameter.trim()).find((parameter) => parameter.startsWith('q='))
    return { locale: localeOf(tag), weight: q ? Number(q.slice(2)) : 1 }
  })
  const [best] = ranges.filter(({ locale, weight }) => locale && weight > 0).sort((a, b) => b.weight - a.weight)
  return best?.locale ?? 'ja'
}
