import { describe, expect, test } from 'vitest'
import { guideParts } from '#shared/docs/guide-parts.ts'
import { guide_slugs, guideOf, guidesIn } from '#shared/docs/guides.ts'
import type { Sample } from '#shared/docs/sample.ts'
import { docs_languages } from '#shared/docs/site.ts'
import { sourceFiles } from '#test/house/source-files.ts'
import { recordedGuide } from './guides/recorded-guide.ts'
import { plain } from './site.ts'

describe.each(docs_languages)('the guides in %s', (language) => {
  test('have one file each in the folder of their language', () => {
    const files = sourceFiles('shared/docs/guides').filter((file) => file.startsWith(`shared/docs/guides/${language}/`))
    expect(files).toEqual(
      guidesIn(language)
        .map(({ slug }) => `shared/docs/guides/${language}/${slug}.ts`)
        .sort(),
    )
  })

  test('are complete', () => {
    expect(guide_slugs.filter((slug) => !guideOf(slug, language))).toEqual([])
  })

  test('have a summary of one sentence and sections with unique anchors', () => {
    for (const { slug, summary, sections } of guidesIn(language)) {
      expect(summary, slug).toMatch(/^[^\n]{20,200}[.。]$/)
      expect(sections.length, slug).toBeGreaterThan(0)
      expect(new Set(sections.map(({ id }) => id)).size, slug).toBe(sections.length)
      for (const { id } of sections) expect(id).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/)
    }
  })
})

test.each(guide_slugs)('the translation of %s has the sections and the samples of the English guide', async (slug) => {
  expect(await outlineOf(slug, 'ja')).toEqual(await outlineOf(slug, 'en'))
})

/** The anchors of a guide, each with the samples of the section in their order. */
async function outlineOf(slug: string, language: (typeof docs_languages)[number]) {
  const guide = guideOf(slug, language)!
  const outline: [string, Sample[]][] = []
  for (const { id, body } of guide.sections) {
    const samples: Sample[] = []
    const parts = guideParts(plain, language)
    const sample = (shown: Sample) => {
      samples.push(shown)
      return parts.sample(shown)
    }
    await body({ ...parts, sample })
    outline.push([id, samples])
  }
  return outline
}

test.each(guide_slugs)('%s sets every variable of its samples other than the API keys', async (slug) => {
  const sections = await recordedGuide(guideOf(slug, 'en')!)
  const shells = sections.flatMap(({ samples, excerpts }) => [
    ...excerpts,
    ...samples.flatMap(({ shell = '', typescript = '', python = '' }) => [shell, typescript, python]),
  ])
  const namesIn = (pattern: RegExp) =>
    new Set(shells.flatMap((text) => Array.from(text.matchAll(pattern), ([, name]) => name)))
  const set = namesIn(/(?:export |^|\n)([A-Z][A-Z_]+)=/g)
  const used = namesIn(/(?:\$|process\.env\.|environ\[")([A-Z][A-Z_]+)\b/g)
  expect([...used].filter((name) => !set.has(name) && !/^(SECRET|PUBLISHABLE)_KEY$/.test(String(name)))).toEqual([])
})
