import { html } from 'hono/html'
import type { Article } from './article.ts'
import { error_list_headings, errorList } from './error-list.ts'
import type { Guide } from './guide.ts'
import { guideParts } from './guide-parts.ts'
import type { DocsLanguage } from './site.ts'

/** Returns the article of a guide. The guide to errors ends with the list of all error codes. */
export function guideArticle(guide: Guide, language: DocsLanguage): Article {
  const { slug, title, summary, sections } = guide
  const has_list = slug === 'errors'
  return {
    title,
    summary,
    lead: summary,
    headings: [...sections.map(({ id, title }) => ({ id, title })), ...(has_list ? error_list_headings(language) : [])],
    body(site) {
      const parts = guideParts(site, language)
      return html`${sections.map((section) => html`<h2 id="${section.id}">${section.title}</h2>${section.body(parts)}`)}${has_list ? errorList(site, language) : ''}`
    },
  }
}
