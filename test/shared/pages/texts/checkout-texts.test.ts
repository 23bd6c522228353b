import { describe, expect, test } from 'vitest'
import { type Locale, locales } from '#shared/domain/session.ts'
import { checkout_texts } from '#shared/pages/texts/checkout-texts.ts'

const scripts: Readonly<Record<Locale, RegExp>> = {
  ja: /[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}]/u,
  en: /[a-z]/i,
  ko: /\p{Script=Hangul}/u,
}

const made = (locale: Locale): [string, string][] =>
  Object.entries(checkout_texts[locale]).map(([name, text]) => [
    name,
    typeof text === 'string' ? text : (text as (one: string, other: string) => string)('7X', '8Y'),
  ])

describe.each(locales)('the texts of the checkout in %s', (locale) => {
  test('have the same entries as in English', () => {
    expect(Object.keys(checkout_texts[locale])).toEqual(Object.keys(checkout_texts.en))
  })

  test('are written in the script of the language', () => {
    expect(made(locale).filter(([, text]) => !scripts[locale].test(text.replaceAll(/7X|8Y/g, '')))).toEqual([])
    const english = new Set(made('en').map(([, text]) => text))
    if (locale !== 'en') expect(made(locale).filter(([, text]) => english.has(text))).toEqual([])
  })

  test('contain every name, date and amount that they are made from', () => {
    const functions = Object.entries(checkout_texts[locale]).filter(([, text]) => typeof text === 'function')
    const texts = new Map(made(locale))
    for (const [name, text] of functions) {
      expect([name, texts.get(name)]).toEqual([name, expect.stringContaining('7X')])
      if ((text as { length: number }).length > 1) expect(texts.get(name)).toContain('8Y')
    }
  })
})

test('a folded order of one item is counted in the singular in English', () => {
  expect(checkout_texts.en.order_lines(1)).toBe('Order details (1 item)')
  expect(checkout_texts.en.order_lines(2)).toBe('Order details (2 items)')
})
