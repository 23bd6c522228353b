import { html } from 'hono/html'
import type { Locale } from '#shared/domain/session.ts'
import type { Notice } from '#shared/pages/texts/text-types.ts'
import { texts } from '#shared/pages/texts/texts.ts'
import type { Html } from './html-page.ts'

/** Returns a banner which says that no money moves on this page. */
export const testBanner = (locale: Locale): Html => banner(texts[locale].test_mode)

/** Returns a banner which says that this page simulates another site. */
export const testSiteBanner = (locale: Locale): Html => banner(texts[locale].test_site)

const banner = ({ title, text }: Notice): Html => html`<p class="test"><strong>${title}</strong> ${text}</p>`

/** Returns a heading with a sentence, and the links below it. */
export function notice({ title, text }: Notice, mark: 'good' | 'bad' | 'waiting', ...rest: (Html | null)[]): Html {
  return html`<div class="notice ${mark}"><h1>${title}</h1><p>${text}</p>${rest}</div>`
}
