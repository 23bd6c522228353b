import type { Article, Entry } from './article.ts'
import { changelog_article } from './changelog-page.ts'
import { events_article } from './events-page.ts'
import { guideArticle } from './guide-article.ts'
import { guideOf, guidePage, guidesIn } from './guides.ts'
import { reference_overview } from './reference-overview.ts'
import { referencePage } from './reference-page.ts'
import { resources } from './resources.ts'
import { unions } from './shared-objects.ts'
import { type DocsLanguage, docs_languages } from './site.ts'
import { unionPage } from './union-page.ts'

let known: readonly Entry[] | undefined

/** Returns every page of the documentation: the guides in each language, then the reference, in the order of the menu. */
export function entries(): readonly Entry[] {
  known ??= [...docs_languages.flatMap(guideEntries), ...referenceEntries()]
  return known
}

/** Returns a page by its address, or undefined. */
export const entryOf = (page: string, language: DocsLanguage): Entry | undefined =>
  entries().find((entry) => entry.page === page && entry.language === language)

/** Returns the pages before and after a page: the neighbours of the same language in the order of the menu. */
export function neighboursOf(entry: Entry): { previous?: Entry; next?: Entry } {
  const own = entries().filter(({ language }) => language === entry.language)
  const at = own.indexOf(entry)
  return { previous: own[at - 1], next: own[at + 1] }
}

const guideEntries = (language: DocsLanguage): Entry[] =>
  guidesIn(language).map((guide) => ({
    page: guidePage(guide.slug),
    language,
    languages: docs_languages.filter((other) => guideOf(guide.slug, other)),
    article: guideArticle(guide, language),
  }))

function referenceEntries(): Entry[] {
  const entry = (page: string, article: Article): Entry => ({ page, language: 'en', languages: ['en'], article })
  return [
    entry('reference', reference_overview),
    ...resources().map((resource) => entry(`reference/${resource.slug}`, referencePage(resource))),
    ...unions().map((union) => entry(`reference/${union.slug}`, unionPage(union))),
    entry('events', events_article),
    entry('changelog', changelog_article),
  ]
}
