import { entries } from '#shared/docs/entries.ts'
import { showPage } from '#shared/docs/show-page.ts'
import { type DocsLanguage, pathTo, type Site } from '#shared/docs/site.ts'
import { statusOf } from '#shared/http/answers.ts'

/** The documentation behind the stage of API Gateway, and at the top of a host. */
export const staged: Site = { base_url: 'https://api.example.com/prod', statusOf: (code) => statusOf[code] }
export const plain: Site = { base_url: 'http://127.0.0.1:3000', statusOf: (code) => statusOf[code] }

/** A page as a reader gets it. */
export interface ShownPage {
  readonly path: string
  readonly language: DocsLanguage
  readonly html: string
}

/** Every page of the documentation, and the results of a search. */
export async function everyPage(site: Site): Promise<ShownPage[]> {
  const addresses = [
    ...entries().map(({ page, language }) => ({ page, language, query: '' })),
    { page: 'search', language: 'en', query: 'payment' } as const,
    { page: 'search', language: 'ja', query: '' } as const,
    { page: 'nothing', language: 'en', query: '' } as const,
  ]
  return Promise.all(
    addresses.map(async ({ page, language, query }) => {
      const segments = [...(language === 'en' ? [] : [language]), ...page.split('/').filter((part) => part !== '')]
      const shown = await showPage({ segments, is_root: false, query, site })
      if ('see' in shown) throw new Error(`${page} leads to ${shown.see}`)
      return { path: pathTo(site, page, language), language, html: shown.html }
    }),
  )
}
