import { describe, expect, test } from 'vitest'
import { type Locale, locales } from '#shared/domain/session.ts'
import { texts } from '#shared/pages/texts.ts'

/** Every text with its path; what is made from something is made from `X`. */
function leaves(value: unknown, path = ''): [path: string, text: string][] {
  if (typeof value === 'string') return [[path, value]]
  if (typeof value === 'function') return [[path, value('X')]]
  return Object.entries(value as object).flatMap(([name, inner]) => leaves(inner, `${path}.${name}`))
}

const scripts: Readonly<Record<Locale, RegExp>> = {
  ja: /[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}]/u,
  en: /[a-z]/i,
  ko: /\p{Script=Hangul}/u,
}

describe('texts', () => {
  test('every language says the same things', () => {
    const [ja, en, ko] = locales.map((locale) => leaves(texts[locale]).map(([path]) => path))
    expect(ja).toEqual(en)
    expect(ko).toEqual(en)
  })

  test.each(locales)('every text of %s is written in that language', (locale) => {
    const foreign = leaves(texts[locale]).filter(
      ([path, text]) => !path.endsWith('.back_to') && !scripts[locale].test(text),
    )
    expect(foreign).toEqual([])
    const untidy = leaves(texts[locale]).filter(([, text]) => text !== text.trim() || /undefined|\[object/.test(text))
    expect(untidy).toEqual([])
  })

  test('no English is left in the other languages, and no kana in Korean but what stands on a machine in Japan', () => {
    const english = new Set(leaves(texts.en).map(([, text]) => text))
    expect([...leaves(texts.ja), ...leaves(texts.ko)].filter(([, text]) => english.has(text))).toEqual([])
    const kana = leaves(texts.ko).filter(([, text]) => /[\p{Script=Hiragana}\p{Script=Katakana}]/u.test(text))
    expect(kana.map(([path]) => path)).toEqual(['.pay_easy_steps.0'])
  })

  test.each(locales)('what is made from a name, an amount or a count holds it (%s)', (locale) => {
    const made = Object.entries(texts[locale]).filter(([, value]) => typeof value === 'function')
    expect(made.length).toBeGreaterThan(5)
    expect(made.filter(([, value]) => !(value as (it: string) => string)('X').includes('X'))).toEqual([])
  })

  test.each(locales)('no two fields of %s have the same label', (locale) => {
    const labels = Object.values(texts[locale].fields).map(({ label }) => label)
    expect(new Set(labels).size).toBe(labels.length)
  })
})
