import { search_synonyms } from './search-synonyms.ts'

/** A word or phrase of a query, with its synonyms. */
export interface Term {
  /** Matches the term in a text: the whole words of a language with spaces, and Japanese anywhere. */
  readonly pattern: RegExp
  /** The words of a Japanese compound, which are searched if no text has the compound itself. */
  readonly words: readonly Term[]
}

/** The most characters of a query that are read, and the most terms. They bound the cost of a search. */
const QUERY_LENGTH_MAX = 100
const TERMS_MAX = 12

/** The shortest word that also matches the beginnings of longer words. */
const PREFIX_LENGTH_MIN = 4

/** Returns the part of a query that is read: its beginning, without white space around it. */
export const readQuery = (query: string): string => query.trim().slice(0, QUERY_LENGTH_MAX).toWellFormed()

/**
 * Folds differences that a reader does not mean: case, full-width or half-width letters, and a hyphen or a space between
 * words. The result has the length of the text, except for letters whose width is folded.
 */
export const folded = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/(?<=[\p{L}\p{N}])-(?=[\p{L}\p{N}])/gu, ' ')

/** Returns the terms of a query, each once: the phrases that have synonyms, then all other words. */
export function termsOf(query: string): Term[] {
  const text = folded(readQuery(query))
  const found = new Map<string, Term>()
  const rest = text.replaceAll(phrase_pattern, (phrase) => {
    const key = keyOf(phrase)!
    found.set(key, { pattern: patternOf([key, ...search_synonyms[key]!]), words: [] })
    return ' '
  })
  for (const word of rest.split(/\s+/).flatMap(scriptRuns)) found.set(word, termOf(word))
  return [...found.values()].slice(0, TERMS_MAX)
}

const termOf = (word: string): Term => ({
  pattern: patternOf([word]),
  words: /^[\p{scx=Han}\p{scx=Katakana}]{3,}$/u.test(word)
    ? wordsIn(word).map((part) => ({ pattern: patternOf([part]), words: [] }))
    : [],
})

const segmenter = new Intl.Segmenter('ja', { granularity: 'word' })

/** Returns the words of a Japanese compound: `テスト` and `カード` of `テストカード`. */
const wordsIn = (compound: string): string[] => Array.from(segmenter.segment(compound), ({ segment }) => segment)

/** A run of kanji and their mark of repetition, of katakana and its mark of length, or of anything but kana and kanji. */
const SCRIPT_RUN = /[\p{sc=Han}\u3005]+|[\p{scx=Katakana}\u30FC]+|[^\p{sc=Han}\p{scx=Katakana}\p{sc=Hiragana}\u3005]+/gu

/**
 * Splits a word where its script changes: `決済` and `返金` of `決済の返金`. Hiragana between other scripts are particles
 * and endings, and are left out.
 */
const scriptRuns = (word: string): readonly string[] => (word === '' ? [] : (word.match(SCRIPT_RUN) ?? [word]))

/** Whether a text is written with spaces between its words. */
const IS_SPACED = /^[\p{scx=Latin}\p{N}\p{P}\p{S}\s]+$/u

const patternOf = (texts: readonly string[]): RegExp => new RegExp([...new Set(texts)].map(sourceOf).join('|'), 'giu')

/** Returns the source of an expression that matches a text. A space also matches a hyphen. */
function sourceOf(text: string): string {
  const words = text.split(' ')
  const last = words.pop()!
  const source = [...words.map(escaped), inflected(last)].join('[\\s-]')
  return IS_SPACED.test(text) && /^[a-z0-9]/.test(text) ? `(?<![a-z0-9])${source}` : source
}

/** Returns the source of a word in its singular and its plural. A long word also matches where a longer one begins. */
function inflected(word: string): string {
  if (!/^[a-z0-9]+$/.test(word)) return escaped(word)
  const stem = singular(word)
  if (stem.length < PREFIX_LENGTH_MIN) return `${stem}s?(?![a-z0-9])`
  return /[^aeiou]y$/.test(stem) ? `${stem.slice(0, -1)}(?:y|ie)` : stem
}

const singular = (word: string): string =>
  /[^s]ies$/.test(word) && word.length > 4
    ? word.replace(/ies$/, 'y')
    : /[^aius]s$/.test(word) && word.length > 3
      ? word.slice(0, -1)
      : word

const escaped = (text: string): string => RegExp.escape(text)

/** The key of a phrase as the table of synonyms has it, in the singular. */
const keyOf = (phrase: string): string | undefined =>
  [phrase, phrase.split(' ').map(singular).join(' ')].find((key) => Object.hasOwn(search_synonyms, key))

/** Matches every phrase that has synonyms, the longest first. */
const phrase_pattern = new RegExp(
  Object.keys(search_synonyms)
    .sort((a, b) => b.length - a.length)
    .map((key) => (IS_SPACED.test(key) ? `(?<![a-z0-9_])${escaped(key)}s?(?![a-z0-9_])` : escaped(key)))
    .join('|'),
  'gu',
)
