import { html } from 'hono/html'
import type { Locale } from '#shared/domain/session.ts'
import { notice } from './notice.ts'
import type { Page } from './page.ts'
import { shopLink } from './shop-link.ts'
import { type Notice, texts } from './texts.ts'

/** Says what became of something, and sends the customer on to the shop, where there is one to go to. */
export function endPage(said: Notice, mark: 'good' | 'bad', locale: Locale, continue_to: string | undefined): Page {
  const shop = shopLink(continue_to, locale)
  const continuing = shop && html`<p class="hint">${texts[locale].continuing}</p>`
  return { locale, title: said.title, main: notice(said, mark, continuing, shop), continue_to }
}
