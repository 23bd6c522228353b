import { html } from 'hono/html'
import type { Locale, Session } from '#shared/domain/session.ts'
import type { HtmlPage } from '#shared/pages/html-page.ts'
import { notice } from '#shared/pages/notice.ts'
import { reload_script } from '#shared/pages/scripts/last-page-script.ts'
import { shopLink, webAddress } from '#shared/pages/shop-link.ts'
import { texts } from '#shared/pages/texts/texts.ts'
import { endPage } from './end-page.ts'

/** The input of the page that a customer sees at the end of a session. */
export interface SessionEndPageInput {
  readonly session: Session
  readonly locale: Locale
  readonly state: 'completed' | 'cancelled' | 'expired' | 'processing'
  /**
   * The URL of the shop. The customer is sent there at once, unless the customer must read something on this page
   * first.
   */
  readonly continue_to?: string
  /** The URL of the page that explains how to pay in cash; absent if nothing is left to pay in cash. */
  readonly instructions_url?: string
}

/** Returns the page which shows how a session ended, or that the outcome of its payment is not known yet. */
export function sessionEndPage(input: SessionEndPageInput): HtmlPage {
  const { session, locale, state, continue_to, instructions_url } = input
  const text = texts[locale]
  const instructions = state === 'completed' ? webAddress(instructions_url) : null
  if (state === 'processing') {
    const again = html`<p class="actions"><a class="button" href="?locale=${locale}" data-reload>${text.check_again}</a></p>`
    const { processing } = text.endings
    return { locale, title: processing.title, main: notice(processing, 'waiting', again), script: reload_script }
  }
  if (instructions) {
    // A customer who must still pay in cash stays here. A redirect would hide the instructions.
    const on = html`<p class="actions"><a class="button" href="${instructions.href}">${text.see_instructions}</a></p>`
    const said = text.endings.reserved
    return { locale, title: said.title, main: notice(said, 'good', on, shopLink(continue_to, locale, true)) }
  }
  if (state === 'expired') {
    // The customer did nothing to end the session, so they read the reason before they leave.
    const said = text.endings.expired
    return { locale, title: said.title, main: notice(said, 'bad', shopLink(continue_to, locale)) }
  }
  const said = state === 'completed' && session.mode === 'customer' ? text.card_saved : text.endings[state]
  return endPage(said, state === 'completed' ? 'good' : 'bad', locale, continue_to)
}
