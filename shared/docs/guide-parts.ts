import { html } from 'hono/html'
import type { GuideParts, Html } from './guide.ts'
import { guideOf, guidePage } from './guides.ts'
import { sampleTabs } from './sample-tabs.ts'
import { apiUrl, type DocsLanguage, pathTo, type Site } from './site.ts'
import { site_texts } from './site-texts.ts'

/** Returns the parts that a guide shows, for the reader's service and the language of the page. */
export function guideParts(site: Site, language: DocsLanguage): GuideParts {
  const base_url = apiUrl(site)
  const tabs = sampleTabs(language)
  return {
    base_url,
    sample: (sample) => tabs(sample, base_url),
    guide: (slug, section) => guideLink(site, language, slug, section),
    reference: (resource) => html`<a href="${pathTo(site, `reference/${resource}`)}"><code>${resource}</code></a>`,
    error: (code) => errorLink(site, code, language),
    event: (type) => eventLink(site, type),
    table,
    note: (text) => html`<div class="note">${text}</div>`,
  }
}

/** Shows an error code as a link to its entry in the list of errors. */
export const errorLink = (site: Site, code: string, language: DocsLanguage = 'en'): Html =>
  html`<a href="${pathTo(site, 'errors', guideOf('errors', language) ? language : 'en', code)}"><code>${code}</code></a>`

/** Shows an event type as a link to its entry in the catalogue. */
export const eventLink = (site: Site, type: string): Html =>
  html`<a href="${pathTo(site, 'events', 'en', type)}"><code>${type}</code></a>`

/** Shows a table, which scrolls by itself where it is wider than the text. */
export const table: GuideParts['table'] = (head, rows) =>
  html`<div class="scroll" tabindex="0"><table><thead><tr>${head.map((cell) => html`<th scope="col">${cell}</th>`)}</tr></thead><tbody>${rows.map((row) => html`<tr>${row.map((cell) => html`<td>${cell}</td>`)}</tr>`)}</tbody></table></div>`

function guideLink(site: Site, language: DocsLanguage, slug: string, section?: string): Html {
  const found = guideOf(slug, language) ? language : 'en'
  const guide = guideOf(slug, found)
  if (!guide) return listLink(site, language, slug, section)
  const title = guide.sections.find(({ id }) => id === section)?.title ?? guide.title
  return html`<a href="${pathTo(site, guidePage(slug), found, section)}">${title}</a>`
}

/** Links to a page that is a list, not a guide. These pages are in English. */
function listLink(site: Site, language: DocsLanguage, slug: string, section?: string): Html {
  const { events, changelog, reference, retries } = site_texts[language]
  const titles: Readonly<Record<string, string>> = { events, changelog, reference }
  const title = section === 'retries' ? retries : titles[slug]
  if (!title) throw new Error(`the documentation has no page ${slug}`)
  return html`<a href="${pathTo(site, slug, 'en', section)}">${title}</a>`
}
