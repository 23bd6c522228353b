import { DOCS_PATH } from '#shared/routes.ts'
import { entryOf, neighboursOf } from './entries.ts'
import { FIRST_GUIDE } from './guides.ts'
import { notFoundPage } from './problem-page.ts'
import { searchEntry } from './search-page.ts'
import { readQuery } from './search-terms.ts'
import { type DocsLanguage, docs_languages, pathTo, type Site } from './site.ts'
import { sitePage } from './site-page.ts'

/** A request for a page of the documentation. */
export interface PageRequest {
  /** The decoded segments of the path behind `/docs`. */
  readonly segments: readonly string[]
  /** Whether the request is for `/`, which leads to the documentation. */
  readonly is_root: boolean
  /** The text to search for. */
  readonly query: string
  readonly site: Site
}

/** A page as HTML, or the absolute URL that shows it. */
export type ShownPage = { readonly html: string; readonly is_found: boolean } | { readonly see: string }

/** Returns the page of a request. */
export async function showPage({ segments, is_root, query, site }: PageRequest): Promise<ShownPage> {
  if (is_root) return { see: site.base_url + DOCS_PATH }
  const { page, language } = addressOf(segments)
  if (page === FIRST_GUIDE) return { see: new URL(pathTo(site, '', language), site.base_url).href }
  if (page === 'search') {
    const found = await searchEntry(site, query, language)
    return { html: await sitePage(site, found, { query: readQuery(query), is_listed: false }), is_found: true }
  }
  const entry = entryOf(page, language)
  if (!entry) return { html: await notFoundPage(site, language), is_found: false }
  return { html: await sitePage(site, entry, { turn: neighboursOf(entry) }), is_found: true }
}

/** Splits the segments of a path into the language and the page behind it. */
function addressOf(segments: readonly string[]): { page: string; language: DocsLanguage } {
  const language = docs_languages.find((known) => known !== 'en' && known === segments[0])
  return { page: segments.slice(language ? 1 : 0).join('/'), language: language ?? 'en' }
}
