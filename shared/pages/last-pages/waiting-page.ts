import { html } from 'hono/html'
import type { Locale } from '#shared/domain/session.ts'
import type { Html, HtmlPage } from '#shared/pages/html-page.ts'
import { notice } from '#shared/pages/notice.ts'
import { watch_script } from '#shared/pages/scripts/last-page-script.ts'
import { texts } from '#shared/pages/texts/texts.ts'

/**
 * Marks the content of a page that waits for a payment. `watch_script` loads the page again once it has another state.
 * It stops looking after `seconds`, if they are given.
 */
export const watched = (state: string, content: Html, seconds?: number): Html =>
  html`<div data-state="${state}"${seconds === undefined ? '' : html` data-seconds="${seconds}"`}>${content}</div>`

/** Returns the page which says that the outcome of a payment is not known yet. */
export function waitingPage(locale: Locale): HtmlPage {
  const text = texts[locale]
  const again = html`<p class="actions"><a class="button" href="?locale=${locale}">${text.check_again}</a></p>`
  return {
    locale,
    title: text.endings.processing.title,
    main: watched('processing', notice(text.endings.processing, 'waiting', again)),
    script: watch_script,
  }
}
