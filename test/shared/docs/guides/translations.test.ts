import { readdirSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { describe, expect, test } from 'vitest'
import type { Guide } from '#shared/docs/guide.ts'
import { ja } from '#shared/pages/texts/texts-ja.ts'
import { type RecordedSection, recordedGuide } from './recorded-guide.ts'

const filesIn = (language: string): string[] => readdirSync(`shared/docs/guides/${language}`)

/** The guide that a file exports, with the name of the export. */
async function guideIn(language: string, file: string): Promise<{ name: string; guide: Guide }> {
  const url = pathToFileURL(`shared/docs/guides/${language}/${file}`).href
  const exported = Object.entries<Guide>(await import(/* @vite-ignore */ url))
  expect(exported).toHaveLength(1)
  const [[name, guide]] = exported as [[string, Guide]]
  return { name, guide }
}

test('Japanese guides translate English guides', () => {
  expect(filesIn('ja').length).toBeGreaterThan(0)
  expect(filesIn('ja').filter((file) => !filesIn('en').includes(file))).toEqual([])
})

describe.each(filesIn('ja'))('the Japanese guide %s', async (file) => {
  const english = await guideIn('en', file)
  const japanese = await guideIn('ja', file)
  const source = await recordedGuide(english.guide)
  const translation = await recordedGuide(japanese.guide)

  test('has the slug and the name of the English guide', () => {
    expect([japanese.guide.slug, japanese.name]).toEqual([english.guide.slug, english.name])
    expect(`${japanese.guide.slug}.ts`).toBe(file)
  })

  test('has the sections of the English guide in the same order', () => {
    expect(translation.map(({ id }) => id)).toEqual(source.map(({ id }) => id))
  })

  test.each(['samples', 'excerpts', 'tables', 'notes', 'links', 'codes', 'lists'] as const)(
    'has the %s of the English guide in each section',
    (part) => {
      const partIn = (sections: readonly RecordedSection[]) => sections.map(({ id, [part]: shown }) => ({ id, shown }))
      expect(partIn(translation)).toEqual(partIn(source))
    },
  )

  test('has a title, a summary and section titles in Japanese', () => {
    const { title, summary, sections } = japanese.guide
    const titles = [title, summary, ...sections.map((section) => section.title)]
    expect(titles.filter((text) => text !== 'Webhook' && !/[ぁ-んァ-ヶ一-龠]/.test(text))).toEqual([])
    expect(summary).toMatch(/。$/)
  })

  test('has no needless spaces, half-width punctuation or full-width digits in its text', () => {
    const texts = [
      ...[japanese.guide, ...japanese.guide.sections].map(({ title }) => title.replace(/^\d+\. /, '')),
      japanese.guide.summary,
      ...translation.flatMap(({ text }) => paragraphsOf(text)),
    ]
    expect(texts.filter((text) => faults.test(text))).toEqual([])
  })

  test('names the buttons of the pages as the pages do in Japanese', () => {
    const labels: readonly unknown[] = Object.values(ja)
    const unknown = translation.flatMap(({ buttons }) => buttons).filter((button) => !labels.includes(button))
    expect(unknown).toEqual([])
    const countsIn = (sections: readonly RecordedSection[]) => sections.map(({ buttons }) => buttons.length)
    expect(countsIn(translation)).toEqual(countsIn(source))
  })
})

const kana_or_kanji = '[ぁ-んァ-ヶー一-龠々、。「」（）：]'

const faults = new RegExp(`${kana_or_kanji}[ ,.:;()!?]|[ ,:;()!?]${kana_or_kanji}|[０-９Ａ-Ｚａ-ｚ]|[。、]{2}`)

/** The paragraphs, items and cells of a section as text, with `x` for each code and link. */
const paragraphsOf = (markup: string): string[] =>
  markup
    .replaceAll(/<(code|a)>.*?<\/\1>/gs, 'x')
    .replaceAll(/<\/?(?:em|strong)>/g, '')
    .split(/<[^>]*>|\n/)
    .filter((text) => text !== '')
