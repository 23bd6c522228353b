import { html } from 'hono/html'
import type { Locale } from '#shared/domain/session.ts'
import type { HtmlPage } from '#shared/pages/html-page.ts'
import { notice } from '#shared/pages/notice.ts'
import { shopLink } from '#shared/pages/shop-link.ts'
import type { Notice } from '#shared/pages/texts/text-types.ts'
import { texts } from '#shared/pages/texts/texts.ts'

/** Returns a page that shows an outcome. If there is a shop, the page sends the customer on to it. */
export function endPage(said: Notice, mark: 'good' | 'bad', locale: Locale, continue_to: string | undefined): HtmlPage {
  const shop = shopLink(continue_to, locale)
  const continuing = shop && html`<p class="hint">${texts[locale].continuing}</p>`
  return { locale, title: said.title, main: notice(said, mark, continuing, shop), continue_to }
}
