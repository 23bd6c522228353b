import { html } from 'hono/html'
import type { Locale } from '#shared/domain/session.ts'
import type { Html } from './page.ts'
import { texts } from './texts.ts'

/** The URL, where it leads to a web page; null where following it would do anything else, such as run a script. */
export function webAddress(url: string | null | undefined): URL | null {
  const parsed = url ? URL.parse(url) : null
  return parsed && /^https?:$/.test(parsed.protocol) ? parsed : null
}

/** The way back to the shop; nothing where there is none. `plain`: something else on the page comes first. */
export function shopLink(url: string | null | undefined, locale: Locale, plain = false): Html | null {
  const address = webAddress(url)
  if (!address) return null
  return html`<p class="actions"><a class="button${plain ? ' plain' : ''}" href="${address.href}">${texts[locale].back_to(address.host)}</a></p>`
}
