import type { html } from 'hono/html'
import type { Locale } from '#shared/domain/session.ts'

/** Markup whose embedded values are escaped. */
export type Html = ReturnType<typeof html>

/** Who is paid on a page, and the design that the merchant chose. */
export interface PageShop {
  readonly name: string
  /** `#rrggbb`; null for the color of the service. */
  readonly accent_color: string | null
  /** The path of the logo on this host; null if there is none. */
  readonly logo_path: string | null
}

/** What surrounds the content of a page. */
export interface PageFrame {
  /** Absent: the page names no merchant. */
  readonly shop?: PageShop
  /** Whether the browser's connection is encrypted. Absent: it is not. */
  readonly is_encrypted?: boolean
}

/** One page as a customer or, on a local run, a developer sees it. */
export interface HtmlPage {
  readonly locale: Locale
  readonly title: string
  /** The content of `<main>`. */
  readonly main: Html
  /** The rules that only this page needs, in addition to those of every page. */
  readonly style?: string
  /** The script that only this page needs, in addition to that of every page. The page works without it. */
  readonly script?: string
  /** The HTTP status; absent: 200. */
  readonly status?: number
  /** The absolute http or https URL, or the app link, that the customer is sent to at once. */
  readonly continue_to?: string
  /** Where the browser goes by itself after some seconds, relative to the page. */
  readonly refresh?: { readonly seconds: number; readonly href: string }
  /**
   * The name of the merchant, if the record on the page states it. Absent: the present name of the merchant's account.
   */
  readonly merchant_name?: string
  /** Whether the customer chooses how to pay on the page. It then needs no rules for outcomes and instructions. */
  readonly is_checkout?: true
  /** Whether developers see the page, and no customer. It then has no language links and no script. */
  readonly for_developers?: true
}
