import type { Html } from './guide.ts'
import type { DocsLanguage, Site } from './site.ts'

/** An entry of a page's table of contents. */
export interface Heading {
  readonly id: string
  readonly title: string
}

/** A page of the documentation, without what surrounds the article. */
export interface Article {
  readonly title: string
  /** One sentence for search results and social previews. */
  readonly summary: string
  /** The text below the title. */
  readonly lead?: Html | string
  readonly headings: readonly Heading[]
  /** Whether text and samples stand side by side where the screen is wide enough. */
  readonly is_wide?: boolean
  /** Shows the content below the title and the lead. */
  body(site: Site): Html
}

/** An article with its address. */
export interface Entry {
  /** The page behind `/docs` and the language, such as `cards` or `reference/payments`; empty for the first page. */
  readonly page: string
  readonly language: DocsLanguage
  /** The languages in which the page can be read. */
  readonly languages: readonly DocsLanguage[]
  readonly article: Article
}
