import { html } from 'hono/html'
import type { Article, Entry } from './article.ts'
import type { Html } from './guide.ts'
import { type Hit, readQuery, search, wordsOf } from './search.ts'
import { type DocsLanguage, docs_languages, pathTo, type Site } from './site.ts'
import { site_texts } from './site-texts.ts'

/** Returns the page of a search with its results. */
export async function searchEntry(site: Site, query: string, language: DocsLanguage): Promise<Entry> {
  const text = site_texts[language]
  const asked = readQuery(query)
  const hits = await search(site, asked, language)
  const summary =
    asked === '' ? text.search_help : hits.length > 0 ? text.results(hits.length, asked) : text.no_results(asked)
  const words = wordsOf(asked)
  const article: Article = {
    title: text.search,
    summary,
    lead: summary,
    headings: [],
    body: () =>
      html`${asked !== '' && hits.length === 0 ? html`<p>${text.search_help}</p>` : ''}<ul class="hits">${hits.map((hit) => hitItem(site, hit, words))}</ul>`,
  }
  return { page: 'search', language, languages: docs_languages, article }
}

function hitItem(site: Site, { entry, anchor, heading, excerpt }: Hit, words: readonly string[]): Html {
  const { page, language, article } = entry
  const title = heading || article.title
  return html`<li lang="${language}"><a href="${pathTo(site, page, language, anchor)}">${title}</a>${heading ? html`<p class="where">${article.title}</p>` : ''}<p>${marked(excerpt, words)}</p></li>`
}

/** The most marks of an excerpt. They bound the size of a page whose query consists of single letters. */
const MARKS_MAX = 12

/**
 * Marks the first words of the query in a text. Letters whose folding changes the length of a text stay unmarked.
 */
function marked(text: string, words: readonly string[]): Html {
  const pattern = new RegExp(`(${words.map((word) => RegExp.escape(word)).join('|')})`, 'giu')
  const isMarked = (at: number) => at % 2 === 1 && at < 2 * MARKS_MAX
  return html`${text.split(pattern).map((part, at) => (isMarked(at) ? html`<mark>${part}</mark>` : part))}`
}
