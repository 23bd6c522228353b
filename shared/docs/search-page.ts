import { html } from 'hono/html'
import type { Article, Entry } from './article.ts'
import type { Html } from './guide.ts'
import { type Hit, search, wordsOf } from './search.ts'
import { type DocsLanguage, docs_languages, pathTo, type Site } from './site.ts'
import { site_texts } from './site-texts.ts'

/** Returns the page of a search with its results. */
export async function searchEntry(site: Site, query: string, language: DocsLanguage): Promise<Entry> {
  const text = site_texts[language]
  const asked = query.trim()
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

/** Marks the words of the query in a text. Letters whose folding changes the length of a text stay unmarked. */
function marked(text: string, words: readonly string[]): Html {
  const pattern = new RegExp(`(${words.map((word) => RegExp.escape(word)).join('|')})`, 'giu')
  return html`${text.split(pattern).map((part, at) => (at % 2 === 1 ? html`<mark>${part}</mark>` : part))}`
}
