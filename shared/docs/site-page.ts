import { createHash } from 'node:crypto'
import { html, raw } from 'hono/html'
import type { Entry } from './article.ts'
import type { Html } from './guide.ts'
import { apiDescriptionPath, type DocsLanguage, pathTo, type Site } from './site.ts'
import { siteMenu } from './site-menu.ts'
import { script } from './site-script.ts'
import { style } from './site-style.ts'
import { site_texts } from './site-texts.ts'

const hashOf = (text: string): string => `sha256-${createHash('sha256').update(text).digest('base64')}`

/** The hashes of the style sheet and the script, as a content security policy states them. */
export const contentHashes = { style: hashOf(style), script: hashOf(script) } as const

/** What surrounds an article on its page. */
export interface Surroundings {
  /** The page before and after this one. */
  readonly turn?: { readonly previous?: Entry; readonly next?: Entry }
  /** The text in the search field. */
  readonly query?: string
  /** Whether search engines may list the page. Default: true. */
  readonly is_listed?: boolean
}

/** Returns a page of the documentation as a complete HTML document. */
export async function sitePage(site: Site, entry: Entry, surroundings: Surroundings = {}): Promise<string> {
  const { language, article } = entry
  const text = site_texts[language]
  return String(
    await html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="description" content="${article.summary}">
${surroundings.is_listed === false ? html`<meta name="robots" content="noindex">` : alternates(site, entry)}
<title>${titleOf(entry)} | ${text.product} ${text.docs}</title>
<style>${raw(style)}</style>
</head>
<body data-copy="${text.copy}" data-copied="${text.copied}">
<a class="skip" href="#content">${text.skip}</a>
${header(site, entry, surroundings)}
<div class="frame">
<div class="side">${siteMenu(site, entry)}</div>
<div>
<main id="content" class="page${article.is_wide ? ' wide' : ''}">
${tableOfContents(entry)}
<article><h1>${article.title}</h1>${article.lead ? html`<p class="lead">${article.lead}</p>` : ''}${article.body(site)}${turns(site, language, surroundings)}</article>
</main>
<footer><p>${text.footer}<a href="${apiDescriptionPath(site)}">${text.description}</a></p></footer>
</div>
</div>
<script>${raw(script)}</script>
</body>
</html>
`,
  )
}

/** A guide and a page of the reference can have the same title, so the reference says what it is. */
const titleOf = ({ page, article }: Entry): string =>
  page.startsWith('reference/') ? `${article.title} (${site_texts.en.reference})` : article.title

const alternates = (site: Site, { page, languages }: Entry): Html =>
  html`${languages.map((language) => html`<link rel="alternate" hreflang="${language}" href="${new URL(pathTo(site, page, language), site.base_url).href}">`)}`

function header(site: Site, { page, language, languages }: Entry, { query }: Surroundings): Html {
  const text = site_texts[language]
  const link = (to: DocsLanguage) =>
    html`<li><a href="${pathTo(site, page, to)}" lang="${to}" hreflang="${to}"${to === language ? html` aria-current="true"` : ''}>${to === 'en' ? 'English' : '日本語'}</a></li>`
  return html`<header><a class="name" href="${pathTo(site, '', language)}">${text.product} <span>${text.docs}</span></a>${searchForm(site, language, query)}${languages.length > 1 ? html`<nav aria-label="${text.languages}"><ul class="langs">${languages.map(link)}</ul></nav>` : ''}</header>`
}

/** The search field. It works without script, because the server searches. */
function searchForm(site: Site, language: DocsLanguage, query = ''): Html {
  const text = site_texts[language]
  return html`<form class="find" role="search" action="${pathTo(site, 'search', language)}"><input type="search" name="q" maxlength="100" value="${query}" aria-label="${text.search_hint}" placeholder="${text.search_hint}" autocomplete="off"><button>${text.search}</button></form>`
}

/**
 * The table of contents, which stands beside the article on a desktop. On a narrow screen, a disclosure opens the table,
 * as it opens the menu.
 */
function tableOfContents({ article, language }: Entry): Html | '' {
  if (article.is_wide || article.headings.length < 2) return ''
  const title = site_texts[language].on_this_page
  return html`<details class="jump"><summary>${title}</summary></details><nav class="toc" aria-label="${title}"><div><h2>${title}</h2><ul>${article.headings.map(({ id, title }) => html`<li><a href="#${id}">${title}</a></li>`)}</ul></div></nav>`
}

function turns(site: Site, language: DocsLanguage, { turn }: Surroundings): Html | '' {
  if (!turn?.previous && !turn?.next) return ''
  const text = site_texts[language]
  const link = (to: Entry | undefined, label: string, name: string) =>
    to &&
    html`<a class="${name}" rel="${name}" href="${pathTo(site, to.page, to.language)}"><small>${label}</small>${to.article.title}</a>`
  return html`<nav class="turn" aria-label="${text.neighbours}">${link(turn.previous, text.previous, 'prev') ?? ''}${link(turn.next, text.next, 'next') ?? ''}</nav>`
}
