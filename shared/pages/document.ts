import { html, raw } from 'hono/html'
import { type Locale, locales } from '#shared/domain/session.ts'
import minified from '#shared/pages/scripts/minified-scripts.json' with { type: 'json' }
import { information_style } from '#shared/pages/styles/information-style.ts'
import { style } from '#shared/pages/styles/style.ts'
import { texts } from '#shared/pages/texts/texts.ts'
import type { Html, HtmlPage, PageFrame } from './html-page.ts'
import { pageIcon } from './page-icon.ts'
import { accentStyle, shopName } from './shop-design.ts'
import { shopAddress } from './shop-link.ts'

const language_names: Readonly<Record<Locale, string>> = { ja: '日本語', en: 'English', ko: '한국어' }

/**
 * Returns a page as a complete HTML document. The nonce is the one in its content security policy. The page names the
 * shop, if the frame has one. The footer says that the connection is encrypted, if it is.
 */
export async function document(
  page: HtmlPage,
  nonce: string,
  { shop, is_encrypted = false }: PageFrame = {},
): Promise<string> {
  const { locale, title, main } = page
  const name = page.merchant_name ?? shop?.name
  const on = shopAddress(page.continue_to)
  return String(
    await html`<!doctype html>
<html lang="${locale}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta name="color-scheme" content="light dark">
<meta name="format-detection" content="telephone=no">
${pageIcon(shop ?? no_logo)}
${on ? html`<meta http-equiv="refresh" content="0;url=${on.href}">` : ''}
<title>${title}${name === undefined ? '' : html` – ${name}`}</title>
<style nonce="${nonce}">${raw(style + (page.is_checkout ? '' : information_style) + (page.style ?? '') + accentStyle(shop?.accent_color ?? null))}</style>
</head>
${page.for_developers ? html`<body><main>${main}</main></body>` : bodyForCustomers(page, nonce, { merchant: name === undefined ? '' : shopName(name, shop ?? no_logo), is_encrypted })}
</html>
`,
  )
}

const no_logo = { logo_path: null }

/** The parts of the body that do not come from the page. */
interface Surroundings {
  readonly merchant: Html | string
  readonly is_encrypted: boolean
}

function bodyForCustomers(
  { locale, main, script: own = '' }: HtmlPage,
  nonce: string,
  { merchant, is_encrypted }: Surroundings,
): Html {
  const text = texts[locale]
  return html`<body data-processing="${text.processing}">
<header>${merchant}<p class="lock">${lock}${text.secure}</p>${languages(locale)}</header>
<main>${main}</main>
${
  is_encrypted
    ? html`<footer><p>${text.encrypted}</p></footer>
`
    : ''
}<script nonce="${nonce}">${raw(minified.page + own)}</script>
</body>`
}

const lock = html`<svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true"><path fill="currentColor" d="M4 7V5a4 4 0 1 1 8 0v2h1q1 0 1 1v6q0 1-1 1H3q-1 0-1-1V8q0-1 1-1zm2 0h4V5a2 2 0 1 0-4 0z"/></svg>`

function languages(locale: Locale): Html {
  const link = (to: Locale) =>
    html`<li><a href="?locale=${to}" lang="${to}" hreflang="${to}"${to === locale ? html` aria-current="true"` : ''}>${language_names[to]}</a></li>`
  return html`<nav aria-label="${texts[locale].language}"><ul>${locales.map(link)}</ul></nav>`
}
