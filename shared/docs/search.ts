import type { Entry } from './article.ts'
import { entries } from './entries.ts'
import { buildIndex, type PagePart } from './search-index.ts'
import { type Term, termsOf } from './search-terms.ts'
import type { DocsLanguage, Site } from './site.ts'

/** A result of a search. */
export interface Hit extends PagePart {
  /** The part of the text around the first match. */
  readonly excerpt: string
}

/** The most results, and the most results of one page. */
const HITS_MAX = 30
const HITS_OF_PAGE_MAX = 4

/** The least share of a query that a result has, by the weights of its terms. */
const SHARE_MIN = 0.5

/** How much a match weighs: in the title of a page, in a heading, in the text. A heading that is the query weighs more. */
const weights = { title: 9, page: 2, heading: 4, text: 3, whole: 3 } as const

/** Repeated matches of a term add little, and the text of a part that is longer than others counts less. */
const SATURATION = 1.2

/**
 * The factor of a page in the reader's language, and of a guide, because most readers look for the way to do something.
 * The row of a list counts less than a section, and the links at the end of a guide count least.
 */
const factors = { own_language: 1.5, guide: 1.4, row: 0.8, links: 0.4 } as const

/** How many characters of an excerpt stand before and after the match. */
const EXCERPT_CHARACTERS = 90

/** A search over pages. */
export type Search = (query: string, language: DocsLanguage) => Promise<Hit[]>

let whole: Search | undefined

/**
 * The base URL in the samples of the index. All readers share the index, so it must not contain the host that one of
 * them addressed.
 */
const INDEXED_BASE_URL = 'https://api.example.com'

/** Searches all pages of the documentation. */
export function search(site: Site, query: string, language: DocsLanguage): Promise<Hit[]> {
  whole ??= searchOver({ ...site, base_url: INDEXED_BASE_URL }, entries())
  return whole(query, language)
}

/**
 * Returns a search for the parts of pages that have most terms of a query. A rare term weighs more than a frequent one.
 * Pages of the reader's language come first among equals. The index is built at the first search.
 */
export function searchOver(site: Site, pages: readonly Entry[]): Search {
  let index: Promise<readonly PagePart[]> | undefined
  return async (query, language) => {
    const terms = termsOf(query)
    if (terms.length === 0) return []
    index ??= buildIndex(site, pages)
    return hitsIn(await index, terms, language)
  }
}

/** How often a term occurs in the parts of the index, in their order, and how much the term weighs. */
interface Counted {
  readonly term: Term
  readonly counts: readonly Readonly<Record<'title' | 'heading' | 'text', number>>[]
  readonly weight: number
}

function hitsIn(index: readonly PagePart[], terms: readonly Term[], language: DocsLanguage): Hit[] {
  const counted = terms.flatMap((term) => countedIn(index, term))
  const scored = index
    .map((part, at) => ({ part, score: scoreOf(part, at, counted) * factorOf(part, language) }))
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
    .map(({ part }) => ({ ...part, excerpt: excerptOf(part, terms) }))
}

/**
 * Counts a term. If no part has a Japanese compound, its words are counted instead. A term that no part has is left out,
 * so that a reader who adds a word finds as much as without it.
 */
function countedIn(index: readonly PagePart[], term: Term): Counted[] {
  const counts = index.map(({ searched: { title, heading, text } }) => ({
    title: countIn(title, term),
    heading: countIn(heading, term),
    text: countIn(text, term),
  }))
  const found = counts.filter(({ title, heading, text }) => title + heading + text > 0).length
  if (found === 0) return term.words.flatMap((word) => countedIn(index, word))
  return [{ term, counts, weight: Math.log(1 + index.length / found) }]
}

const countIn = (text: string, { pattern }: Term): number => text.match(pattern)?.length ?? 0

/** Whether the reader gets this part and not its translation: a section in both languages is one result. */
function isPreferred(
  { entry, anchor }: PagePart,
  found: readonly { part: PagePart }[],
  language: DocsLanguage,
): boolean {
  if (entry.language === language || entry.languages.length === 1) return true
  return !found.some(
    ({ part }) => part.entry.language === language && part.entry.page === entry.page && part.anchor === anchor,
  )
}

const factorOf = ({ entry: { language, page }, anchor, is_row }: PagePart, asked: DocsLanguage): number =>
  (language === asked ? factors.own_language : 1) *
  (page.startsWith('reference') ? 1 : factors.guide) *
  (is_row ? factors.row : 1) *
  (anchor === 'next' ? factors.links : 1)

/** The length of a text that counts in full, in characters. */
const TEXT_LENGTH = 1_500

function scoreOf({ searched, anchor }: PagePart, at: number, counted: readonly Counted[]): number {
  let [score, share, all, is_own] = [0, 0, 0, false]
  for (const { counts, weight } of counted) {
    const { title, heading, text } = counts[at]!
    all += weight
    if (title + heading + text === 0) continue
    share += weight
    is_own ||= heading + text > 0 || anchor === undefined
    const in_text = text / (text + SATURATION * (0.3 + searched.text.length / TEXT_LENGTH))
    const in_title = Math.min(title, 1) * (anchor === undefined ? weights.title : weights.page)
    score += weight * (in_title + Math.min(heading, 1) * weights.heading + in_text * weights.text)
  }
  if (!is_own || share < all * SHARE_MIN) return 0
  const whole = isWhole(searched, anchor, counted) ? weights.whole * share : 0
  return (score + whole) * (share / all) ** 2
}

/** Whether a heading is the query itself, or a title is the query, with or without an explanation after a colon. */
function isWhole(
  { heading, title }: PagePart['searched'],
  anchor: string | undefined,
  counted: readonly Counted[],
): boolean {
  const name = anchor === undefined ? title.split(':')[0]! : heading
  const rest = counted.reduce((left, { term }) => left.replace(term.pattern, ''), name)
  return name !== '' && rest.replaceAll(/[\s\d.]+/g, '').length <= 1
}

/** Returns the text around the first match of the first term that matches, or the beginning of the text. */
function excerptOf({ text, searched }: PagePart, terms: readonly Term[]): string {
  const all = terms.flatMap((term) => [term, ...term.words])
  const at =
    all.map(({ pattern }) => searched.text.search(pattern)).find((found) => found >= 0 && found < text.length) ?? 0
  const from = Math.max(0, at - EXCERPT_CHARACTERS)
  const to = at + EXCERPT_CHARACTERS * 2
  return `${from > 0 ? '…' : ''}${text.slice(from, to).trim()}${to < text.length ? '…' : ''}`
}
