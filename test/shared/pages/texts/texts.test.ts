import { describe, expect, test } from 'vitest'
import { type Locale, locales } from '#shared/domain/session.ts'
import { texts } from '#shared/pages/texts/texts.ts'

/** Every text with its path. Functions are called with `X`. */
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
  test('have the same entries in every language', () => {
    const [ja, en, ko] = locales.map((locale) => leaves(texts[locale]).map(([path]) => path))
    expect(ja).toEqual(en)
    expect(ko).toEqual(en)
  })

  test.each(locales)('are written in %s', (locale) => {
    const foreign = leaves(texts[locale]).filter(([, text]) => !scripts[locale].test(text))
    expect(foreign).toEqual([])
    const untidy = leaves(texts[locale]).filter(([, text]) => text !== text.trim() || /undefined|\[object/.test(text))
    expect(untidy).toEqual([])
  })

  test('contain no English in other languages, and no kana in Korean except a label on machines in Japan', () => {
    const english = new Set(leaves(texts.en).map(([, text]) => text))
    expect([...leaves(texts.ja), ...leaves(texts.ko)].filter(([, text]) => english.has(text))).toEqual([])
    const kana = leaves(texts.ko).filter(([, text]) => /[\p{Script=Hiragana}\p{Script=Katakana}]/u.test(text))
    expect(kana.map(([path]) => path)).toEqual(['.pay_easy_steps.0'])
  })

  test.each(locales)('contain the name, amount or count that they are made from (%s)', (locale) => {
    const made = Object.entries(texts[locale]).filter(([, value]) => typeof value === 'function')
    expect(made.length).toBeGreaterThan(3)
    expect(made.filter(([, value]) => !(value as (it: string) => string)('X').includes('X'))).toEqual([])
  })

  test.each(locales)('have a different label for every field in %s', (locale) => {
    const labels = Object.values(texts[locale].fields).map(({ label }) => label)
    expect(new Set(labels).size).toBe(labels.length)
  })
})
