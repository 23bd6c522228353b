import { html } from 'hono/html'
import type { Locale } from '#shared/domain/session.ts'
import type { Html } from './page.ts'
import { type Notice, texts } from './texts.ts'

/** Tells whoever looks that no money moves on this page. */
export const testBanner = (locale: Locale): Html => banner(texts[locale].test_mode)

/** Tells whoever looks that this page only stands in for another one. */
export const testSiteBanner = (locale: Locale): Html => banner(texts[locale].test_site)

const banner = ({ title, text }: Notice): Html => html`<p class="test"><strong>${title}</strong> ${text}</p>`

/** A heading with a sentence, and the way on below it. */
export function notice({ title, text }: Notice, mark: 'good' | 'bad' | 'waiting', ...rest: (Html | null)[]): Html {
  return html`<div class="notice ${mark}"><h1>${title}</h1><p>${text}</p>${rest}</div>`
}
