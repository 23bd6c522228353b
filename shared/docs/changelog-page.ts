import { html } from 'hono/html'
import type { Article } from './article.ts'
import { changelog } from './changelog.ts'
import { withCode } from './reference-text.ts'

/** The page of the changelog. */
export const changelog_article: Article = {
  title: 'Changelog',
  summary: 'What each version of the API added or changed.',
  lead: 'What each version of the API added or changed. A change that could break a client gets a new version; new fields, event types and error codes can appear at any time.',
  headings: changelog.map(({ version }) => ({ id: `version-${version}`, title: `Version ${version}` })),
  body: () =>
    html`${changelog.map(({ version, title, changes }) => html`<h2 id="version-${version}">Version ${version}: ${title}</h2><ul>${changes.map((change) => html`<li>${withCode(change)}</li>`)}</ul>`)}`,
}
