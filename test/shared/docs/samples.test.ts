import { beforeAll, expect, test } from 'vitest'
import { samplesOf } from '#shared/docs/endpoint-samples.ts'
import { resources } from '#shared/docs/resources.ts'
import { type Sample, sample_languages } from '#shared/docs/sample.ts'
import { panelsOf } from '#shared/docs/sample-tabs.ts'
import { apiUrl } from '#shared/docs/site.ts'
import { sourceFiles, textOf } from '#test/house/source-files.ts'
import { everyPage, plain, type ShownPage } from './site.ts'

/** A sample or a text of a guide, with the file and the name of its export. */
interface GuideSample {
  readonly file: string
  readonly name: string
  readonly sample: Sample | string
}

const languages = new Set<string>(sample_languages)

let guide_samples: GuideSample[]
let pages: ShownPage[]
beforeAll(async () => {
  guide_samples = (await Promise.all(sourceFiles('shared/docs/samples').map(samplesIn))).flat()
  pages = await everyPage(plain)
})

/** Returns the exports of a file that hold a text, or a program in some language. */
async function samplesIn(file: string): Promise<GuideSample[]> {
  const module: Readonly<Record<string, unknown>> = await import(new URL(`../../../${file}`, import.meta.url).href)
  return Object.entries(module)
    .filter(([, value]) => typeof value === 'string' || Object.keys(Object(value)).some((key) => languages.has(key)))
    .map(([name, sample]) => ({ file, name, sample: sample as Sample | string }))
}

/** The programs of the guides as a page shows them. */
const guideTexts = (): string[] =>
  guide_samples
    .flatMap(({ sample }) => panelsOf(typeof sample === 'string' ? { shell: sample } : sample, apiUrl(plain)))
    .map(({ text }) => text.trimEnd().replace('{publishable_key}', 'pk_test_…'))

const characters = { lt: '<', gt: '>', quot: '"', '#39': "'", amp: '&' } as const

/** The blocks of code of a page: the tab of each, if it has one, and the text. */
const blocksOf = ({ path, html }: ShownPage) =>
  Array.from(html.matchAll(/<pre(?: data-of="(\w+)")? tabindex="0"><code>(.*?)<\/code><\/pre>/gs), ([, tab, text]) => ({
    path,
    tab,
    text: text!.replaceAll(/&(lt|gt|quot|#39|amp);/g, (_, name: keyof typeof characters) => characters[name]),
  }))

test('every program on a page is a sample of a guide or of an endpoint, which run in tests', () => {
  const known = new Set([
    ...guideTexts(),
    ...resources()
      .flatMap(({ endpoints }) => endpoints.flatMap((endpoint) => samplesOf(plain, endpoint)))
      .map(({ text }) => text.trimEnd()),
  ])
  const programs = pages.flatMap(blocksOf).filter(({ tab }) => tab && languages.has(tab))
  expect(programs.length).toBeGreaterThan(200)
  expect(programs.filter(({ text }) => !known.has(text))).toEqual([])
})

test('a block without a language is no program, unless it is a text of the samples', () => {
  const known = new Set(guideTexts())
  const blocks = pages.flatMap(blocksOf).filter(({ tab, text }) => !(tab && languages.has(tab)) && !known.has(text))
  expect(blocks.length).toBeGreaterThan(50)
  const is_data = ({ text }: { text: string }) =>
    /^(?:HTTP\/|POST \S+ HTTP\/|[[{])|^https?:\S+$|^(?:export [A-Z_]+=\S+\n?)+$/.test(text)
  expect(blocks.filter((block) => !is_data(block)).map(({ path, text }) => `${path}: ${text}`)).toEqual([])
})

test('a test names each sample', () => {
  const tests = sourceFiles('test').map(textOf)
  const missing = guide_samples.filter(
    ({ file, name }) => !tests.some((source) => source.includes(`'#${file}'`) && RegExp(`\\b${name}\\b`).test(source)),
  )
  expect(missing.map(({ file, name }) => `${file}: ${name}`)).toEqual([])
})
