import type { Locale } from '#shared/domain/session.ts'
import type { Texts } from './text-types.ts'
import { en } from './texts-en.ts'
import { ja } from './texts-ja.ts'
import { ko } from './texts-ko.ts'

/** The texts of the hosted pages, by language. */
export const texts: Readonly<Record<Locale, Texts>> = { ja, en, ko }
