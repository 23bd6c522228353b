import type { Entry } from './article.ts'
import { entries } from './entries.ts'
import type { DocsLanguage, Site } from './site.ts'

/** A part of a page that a search can find: the text below one heading, or one row of a list. */
interface Part {
  readonly entry: Entry
  /** The anchor of the heading; undefined for the text below the title. */
  readonly anchor: string | undefined
  readonly heading: string
  readonly text: string
}

/** A result of a search. */
export interface Hit extends Part {
  /** The part of the text around the first match. */
  readonly excerpt: string
}

/** The most characters of a query that are searched, the most results, and the most results of one page. */
const QUERY_LENGTH_MAX = 100
const HITS_MAX = 30
const HITS_OF_PAGE_MAX = 4

/** How much a match weighs: in the title of a page, in a heading, in the text. A whole heading or title weighs more. */
const weights = { title: 14, heading: 6, text: 1, whole: 20 } as const

/** The factor of a page in the reader's language, and of a guide: most readers look for the way to do something. */
const factors = { own_language: 1.5, guide: 1.3 } as const

/** How many characters of an excerpt stand before and after the match. */
const EXCERPT_CHARACTERS = 90

/** A search over pages. */
export type Search = (query: string, language: DocsLanguage) => Promise<Hit[]>

let whole: Search | undefined

/** Searches all pages of the documentation. */
export function search(site: Site, query: string, language: DocsLanguage): Promise<Hit[]> {
  whole ??= searchOver(site, entries())
  return whole(query, language)
}

/**
 * Returns a search for the parts of pages that contain every word of a query. Words match anywhere, so a Japanese query
 * needs no spaces. Pages of the reader's language come first among equals. The index is built at the first search.
 */
export function searchOver(site: Site, pages: readonly Entry[]): Search {
  let index: Promise<readonly Part[]> | undefined
  return async (query, language) => {
    const words = wordsOf(query)
    if (words.length === 0) return []
    index ??= buildIndex(site, pages)
    return hitsIn(await index, words, language)
  }
}

/** Returns the words of a query, folded. What is longer than the limit is ignored. */
export const wordsOf = (query: string): string[] =>
  folded(query.slice(0, QUERY_LENGTH_MAX))
    .split(/\s+/)
    .filter((word) => word !== '')

function hitsIn(index: readonly Part[], words: readonly string[], language: DocsLanguage): Hit[] {
  const scored = index
    .map((part) => ({ part, score: scoreOf(part, words) * factorOf(part.entry, language) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
  const shown = new Map<Entry, number>()
  return scored
    .filter(({ part }) => isPreferred(part, scored, language))
    .filter(({ part: { entry } }) => {
      shown.set(entry, (shown.get(entry) ?? 0) + 1)
      return shown.get(entry)! <= HITS_OF_PAGE_MAX
    })
    .slice(0, HITS_MAX)
    .map(({ part }) => ({ ...part, excerpt: excerptOf(part.text, words) }))
}

/** Whether the reader gets this part and not its translation: a section in both languages is one result. */
function isPreferred({ entry, anchor }: Part, found: readonly { part: Part }[], language: DocsLanguage): boolean {
  if (entry.language === language || entry.languages.length === 1) return true
  return !found.some(
    ({ part }) => part.entry.language === language && part.entry.page === entry.page && part.anchor === anchor,
  )
}

const factorOf = ({ language, page }: Entry, asked: DocsLanguage): number =>
  (language === asked ? factors.own_language : 1) * (page.startsWith('reference') ? 1 : factors.guide)

/** Folds differences that a reader does not mean: case, and full-width or half-width letters. */
const folded = (text: string): string => text.normalize('NFKC').toLowerCase()

function scoreOf({ entry, heading, text, anchor }: Part, words: readonly string[]): number {
  const places = { title: folded(entry.article.title), heading: folded(heading), text: folded(text) }
  const scores = words.map((word) => {
    const in_title = anchor === undefined && places.title.includes(word) ? weights.title : 0
    const in_heading = places.heading.includes(word) ? weights.heading : 0
    const in_text = Math.min(3, places.text.split(word).length - 1) * weights.text
    return in_title + in_heading + in_text
  })
  if (scores.includes(0)) return 0
  const whole = [places.heading, ...(anchor === undefined ? [places.title] : [])].includes(words.join(' '))
  return scores.reduce((sum, score) => sum + score, 0) + (whole ? weights.whole : 0)
}

/** Returns the text around the first match of the first word that matches, or the beginning of the text. */
function excerptOf(text: string, words: readonly string[]): string {
  const plain = folded(text)
  const at = words.map((word) => plain.indexOf(word)).find((found) => found >= 0) ?? 0
  const from = Math.max(0, at - EXCERPT_CHARACTERS)
  const to = at + EXCERPT_CHARACTERS * 2
  return `${from > 0 ? '…' : ''}${text.slice(from, to).trim()}${to < text.length ? '…' : ''}`
}

async function buildIndex(site: Site, pages: readonly Entry[]): Promise<Part[]> {
  const parts = await Promise.all(pages.map(async (entry) => partsOf(entry, String(await entry.article.body(site)))))
  return parts.flat()
}

/** Returns the text below the title. The summary precedes it, unless the text begins with the summary. */
const beginningOf = ({ article: { summary } }: Entry, text: string): string =>
  text.startsWith(summary) ? text : `${summary} ${text}`

/** An element that begins a part of a page: a heading or a row of a table that has an anchor. */
const BEGINNING = /<(h2|h3|tr) id="([^"]+)">/g

/** A heading with the method and path of an endpoint, if they follow it. */
const HEADING = /^.*?<\/(?:h2|h3|th)>(?:<p class="route">.*?<\/p>)?/s

/** Splits the markup of an article into its parts. */
function partsOf(entry: Entry, markup: string): Part[] {
  const begins = [...markup.matchAll(BEGINNING)]
  const first: Part = {
    entry,
    anchor: undefined,
    heading: '',
    text: beginningOf(entry, textOf(markup.slice(0, begins[0]?.index))),
  }
  const rest = begins.map((begin, at) => {
    const part = markup.slice(begin.index, begins[at + 1]?.index)
    const end = HEADING.exec(part)![0].length
    return { entry, anchor: begin[2]!, heading: textOf(part.slice(0, end)), text: textOf(part.slice(end)) }
  })
  return [first, ...rest]
}

const entities: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', '#39': "'" }

const textOf = (markup: string): string =>
  markup
    .replaceAll(/<fieldset>.*?<\/fieldset>/gs, ' ')
    .replaceAll(/<\/?(?:code|a|em|b|strong|small|span|i)\b[^>]*>/g, '')
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/&(lt|gt|amp|quot|#39);/g, (_, name) => entities[name]!)
    .replaceAll(/\s+/g, ' ')
    .trim()
