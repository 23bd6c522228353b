import type { ErrorCode } from '#shared/domain/errors.ts'
import { BASE_PATH, DOCS_PATH } from '#shared/routes.ts'

/** The languages of the guides. The reference is in English. */
export const docs_languages = ['en', 'ja'] as const

export type DocsLanguage = (typeof docs_languages)[number]

/** What the pages need to know about the service that serves them. */
export interface Site {
  /** The URL of the service as the reader addressed it, without `/docs`: `https://host`, plus the stage if it is part. */
  readonly base_url: string
  /** Returns the HTTP status of an error code. */
  statusOf(code: ErrorCode): number
}

/** Returns the base URL of the API as the reader knows it. */
export const apiUrl = ({ base_url }: Site): string => base_url + BASE_PATH

/**
 * Returns the path of a page of the documentation, behind the stage. `page` is such as `cards`, `reference/payments` or
 * empty for the first page.
 */
export function pathTo(site: Site, page: string, language: DocsLanguage = 'en', anchor?: string): string {
  const prefix = new URL(site.base_url).pathname.replace(/\/$/, '')
  const parts = [language === 'en' ? '' : language, page].filter((part) => part !== '')
  return [prefix + DOCS_PATH, ...parts].join('/') + (anchor === undefined ? '' : `#${anchor}`)
}

/** Returns the path of the API description, behind the stage. */
export const apiDescriptionPath = (site: Site): string => `${new URL(apiUrl(site)).pathname}/openapi.json`
