import { html } from 'hono/html'
import { isSafeLink } from '#shared/domain/return-url.ts'
import type { Locale } from '#shared/domain/session.ts'
import { texts } from '#shared/pages/texts/texts.ts'
import type { Html } from './html-page.ts'

/** Returns the URL if it leads to a web page. Returns null for any other URL, such as one that runs a script. */
export function webAddress(url: string | null | undefined): URL | null {
  const parsed = url ? URL.parse(url) : null
  return parsed && /^https?:$/.test(parsed.protocol) ? parsed : null
}

/**
 * Returns the URL if it leads back to a shop: to a web page, or to an app. Returns null for any other URL, such as one
 * that runs a script.
 */
export function shopAddress(url: string | null | undefined): URL | null {
  const parsed = url ? URL.parse(url) : null
  return parsed && isSafeLink(parsed.href) ? parsed : null
}

/**
 * Returns the link back to the shop, or null if there is no shop. With `plain`, the link is a secondary button. The head
 * of the page names the shop. The link does not, because anyone can choose the host of its URL.
 */
export function shopLink(url: string | null | undefined, locale: Locale, plain = false): Html | null {
  const address = shopAddress(url)
  if (!address) return null
  const text = texts[locale]
  const label = webAddress(url) ? text.back_to_shop : text.back_to_app
  return html`<p class="actions"><a class="button${plain ? ' plain' : ''}" href="${address.href}">${label}</a></p>`
}
