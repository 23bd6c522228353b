import type { html } from 'hono/html'
import type { Locale } from '#shared/domain/session.ts'

/** Markup in which everything that came from outside is escaped. */
export type Html = ReturnType<typeof html>

/** One page as a customer sees it. */
export interface Page {
  readonly locale: Locale
  readonly title: string
  /** What stands within `<main>`. */
  readonly main: Html
  /** The HTTP status; absent: 200. */
  readonly status?: number
  /** Where the customer is sent on to at once: an absolute http or https URL. */
  readonly continue_to?: string
}
