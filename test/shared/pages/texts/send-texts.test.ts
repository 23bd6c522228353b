import { describe, expect, test } from 'vitest'
import { locales } from '#shared/domain/session.ts'
import { send_texts } from '#shared/pages/texts/send-texts.ts'

const scripts = { ja: /[\p{Script=Hiragana}\p{Script=Katakana}]/u, en: /^[^\u0250-\uffff]+$/, ko: /\p{Script=Hangul}/u }

describe('send_texts', () => {
  test.each(locales)('are complete and written in %s', (locale) => {
    const { retype, notices } = send_texts[locale]
    const sentences = Object.values(notices).flatMap((set) =>
      Object.values(set).flatMap(({ title, text }) => [title, text]),
    )
    expect(sentences).toHaveLength(20)
    expect([...sentences, retype('X')].filter((text) => !scripts[locale].test(text))).toEqual([])
    expect(retype('X')).toContain('X')
  })

  test.each(locales)('do not claim in %s that nothing was charged before that is known', (locale) => {
    for (const { unknown, busy, unreachable } of Object.values(send_texts[locale].notices))
      expect(unknown.text + busy.text + unreachable.text).not.toMatch(/charged|請求|청구/)
  })
})
