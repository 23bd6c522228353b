import { html } from 'hono/html'
import type { Locale } from '#shared/domain/session.ts'
import type { Html } from './html-page.ts'
import { texts } from './texts.ts'

/** Returns the URL if it leads to a web page. Returns null for any other URL, such as one that runs a script. */
export function webAddress(url: string | null | undefined): URL | null {
  const parsed = url ? URL.parse(url) : null
  return parsed && /^https?:$/.test(parsed.protocol) ? parsed : null
}

/** Returns the link back to the shop, or null if there is no shop. With `plain`, the link is a secondary button. */
export function shopLink(url: string | null | undefined, locale: Locale, plain = false): Html | null {
  const address = webAddress(url)
  if (!address) return null
  return html`<p class="actions"><a class="button${plain ? ' plain' : ''}" href="${address.href}">${texts[locale].back_to(address.host)}</a></p>`
}
