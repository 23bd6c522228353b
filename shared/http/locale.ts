import { type Locale, locales } from '#shared/domain/session.ts'

/** The language that a text names, `en` or `en-GB`, if it is one that customers can be spoken to in. */
export const localeOf = (tag: string | undefined): Locale | undefined =>
  locales.find((locale) => locale === tag?.trim().split('-')[0]?.toLowerCase())

/** The language that a browser likes best among those that customers can be spoken to in; without one, Japanese. */
export function preferredLocale(accept_language: string | undefined): Locale {
  const ranges = (accept_language ?? '').split(',').map((range) => {
    const [tag, ...parameters] = range.split(';')
    const q = parameters.map((parameter) => parameter.trim()).find((parameter) => parameter.startsWith('q='))
    return { locale: localeOf(tag), weight: q ? Number(q.slice(2)) : 1 }
  })
  const [best] = ranges.filter(({ locale, weight }) => locale && weight > 0).sort((a, b) => b.weight - a.weight)
  return best?.locale ?? 'ja'
}
