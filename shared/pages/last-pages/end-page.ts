import { html } from 'hono/html'
import type { Locale } from '#shared/domain/session.ts'
import type { Html, HtmlPage } from '#shared/pages/html-page.ts'
import { notice, testBanner } from '#shared/pages/notice.ts'
import { print_script } from '#shared/pages/scripts/last-page-script.ts'
import { shopLink } from '#shared/pages/shop-link.ts'
import { last_page_style } from '#shared/pages/styles/last-page-style.ts'
import type { Notice } from '#shared/pages/texts/text-types.ts'
import { texts } from '#shared/pages/texts/texts.ts'

/** The input of a page that shows an outcome. */
export interface EndPageInput {
  readonly said: Notice
  readonly mark: 'good' | 'bad'
  readonly locale: Locale
  /** The URL of the shop. */
  readonly shop_url?: string | undefined
  /** Whether the customer is sent to the shop at once. Absent: yes. */
  readonly continues?: boolean | undefined
  /** Adds a banner which says that no money moves. */
  readonly sandbox?: boolean | undefined
  /** A sentence below the one of the notice. */
  readonly note?: string | undefined
  /** What stands below the outcome. */
  readonly below?: Html | undefined
}

/** Returns a page that shows an outcome, with a link to the shop if there is one. */
export function endPage(input: EndPageInput): HtmlPage {
  const { said, mark, locale, shop_url, continues = true, note, below } = input
  const shop = shopLink(shop_url, locale)
  const noted = note ? html`<p>${note}</p>` : null
  const continuing = shop && continues ? html`<p class="hint">${texts[locale].continuing}</p>` : null
  return {
    locale,
    title: said.title,
    main: html`${input.sandbox ? testBanner(locale) : ''}${notice(said, mark, noted, continuing, shop)}${below ?? ''}`,
    style: last_page_style,
    script: print_script,
    ...(continues && shop_url && { continue_to: shop_url }),
  }
}

const CONTINUES_FOR_MS = 2 * 60_000

/**
 * Whether the page of an outcome sends the customer on to the shop: within two minutes of the outcome. A customer who
 * opens the page later wants to see the receipt. The time is longer than the longest wait between two looks of a page
 * that a customer has opened less than an hour ago to wait for the outcome.
 */
export const continuesAt = (ended_at: string | null, now: number): boolean =>
  ended_at === null || now - Date.parse(ended_at) < CONTINUES_FOR_MS
