import { html } from 'hono/html'
import type { Article, Entry } from './article.ts'
import type { Html } from './guide.ts'
import { type Hit, search } from './search.ts'
import { readQuery, type Term, termsOf } from './search-terms.ts'
import { type DocsLanguage, docs_languages, pathTo, type Site } from './site.ts'
import { site_texts } from './site-texts.ts'

/** Returns the page of a search with its results. */
export async function searchEntry(site: Site, query: string, language: DocsLanguage): Promise<Entry> {
  const text = site_texts[language]
  const asked = readQuery(query)
  const hits = await search(site, asked, language)
  const summary =
    asked === '' ? text.search_help : hits.length > 0 ? text.results(hits.length, asked) : text.no_results(asked)
  const terms = termsOf(asked).flatMap((term) => [term, ...term.words])
  const article: Article = {
    title: text.search,
    summary,
    lead: summary,
    headings: [],
    body: () =>
      html`${asked !== '' && hits.length === 0 ? html`<p>${text.search_help}</p>` : ''}<ul class="hits">${hits.map((hit) => hitItem(site, hit, terms))}</ul>`,
  }
  return { page: 'search', language, languages: docs_languages, article }
}

function hitItem(site: Site, { entry, anchor, heading, excerpt }: Hit, terms: readonly Term[]): Html {
  const { page, language, article } = entry
  const title = heading || article.title
  return html`<li lang="${language}"><a href="${pathTo(site, page, language, anchor)}">${title}</a>${heading ? html`<p class="where">${article.title}</p>` : ''}<p>${marked(excerpt, terms)}</p></li>`
}

/** The most marks of an excerpt. They bound the size of a page whose query consists of single letters. */
const MARKS_MAX = 12

/** Marks the first matches of a query in a text. Letters whose width is folded stay unmarked. */
function marked(text: string, terms: readonly Term[]): Html {
  const pattern = new RegExp(`(${terms.map((term) => term.pattern.source).join('|')})`, 'giu')
  const isMarked = (at: number) => at % 2 === 1 && at < 2 * MARKS_MAX
  return html`${text.split(pattern).map((part, at) => (isMarked(at) ? html`<mark>${part}</mark>` : part))}`
}
