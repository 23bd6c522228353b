import { type Locale, locales } from './session.ts'

/**
 * Returns the language of a tag such as `en`, `en-GB` or `en_US`. Returns undefined for a language that the pages do
 * not support.
 */
export const localeOf = (tag: string | undefined): Locale | undefined =>
  locales.find((locale) => locale === tag?.trim().split(/[-_]/)[0]?.toLowerCase())
