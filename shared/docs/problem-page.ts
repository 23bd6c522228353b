import { html } from 'hono/html'
import type { Entry } from './article.ts'
import type { Html } from './guide.ts'
import { type DocsLanguage, docs_languages, pathTo, type Site } from './site.ts'
import { sitePage } from './site-page.ts'
import { site_texts } from './site-texts.ts'

/** Returns the page for an address that does not exist. The menu and the search lead on. */
export function notFoundPage(site: Site, language: DocsLanguage): Promise<string> {
  const text = site_texts[language]
  const body = () => html`<p><a href="${pathTo(site, '', language)}">${text.product} ${text.docs}</a></p>`
  return sitePage(site, problem(text.not_found, text.not_found_text, language, body), { is_listed: false })
}

/** Returns the page for a request that the documentation cannot answer. */
export function problemPage(
  site: Site,
  { message, request_id }: { readonly message: string; readonly request_id: string },
): Promise<string> {
  const body = () => html`<p>Request id: <code>${request_id}</code></p>`
  return sitePage(site, problem('This page cannot be shown', message, 'en', body), { is_listed: false })
}

const problem = (title: string, summary: string, language: DocsLanguage, body: () => Html): Entry => ({
  page: '',
  language,
  languages: docs_languages,
  article: { title, summary, lead: summary, headings: [], body },
})
