import { html } from 'hono/html'
import type { Locale } from '#shared/domain/session.ts'
import type { HtmlPage } from '#shared/pages/html-page.ts'
import { notice } from '#shared/pages/notice.ts'
import { shopLink } from '#shared/pages/shop-link.ts'
import { texts } from '#shared/pages/texts/texts.ts'

/** How often the page looks again by itself, and how long it waits each time. */
const LOOKS_MAX = 5
const LOOK_AGAIN_SECONDS = 3

/** The input of the page of a customer who came back from the provider before the outcome was known. */
export interface ReturnPageInput {
  readonly locale: Locale
  /** How often the page has looked again. */
  readonly looks: number
  /** The URL of the shop, or of the page of the session; absent if the payment has neither. */
  readonly back_url?: string | undefined
}

/**
 * Returns the page which says that the payment is still being checked. It looks again by itself every three seconds,
 * five times. Later the customer can look again, or go back to the shop, which learns the outcome by a webhook.
 */
export function returnPage({ locale, looks, back_url }: ReturnPageInput): HtmlPage {
  const text = texts[locale]
  const href = `?locale=${locale}&looks=${looks + 1}`
  const again = html`<p class="actions"><a class="button" href="?locale=${locale}">${text.check_again}</a></p>`
  const is_last = looks >= LOOKS_MAX
  return {
    locale,
    title: text.endings.processing.title,
    main: notice(text.endings.processing, 'waiting', again, is_last ? shopLink(back_url, locale, true) : null),
    ...(!is_last && { refresh: { seconds: LOOK_AGAIN_SECONDS, href } }),
  }
}
