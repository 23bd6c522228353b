import { html } from 'hono/html'
import type { Locale, Session } from '#shared/domain/session.ts'
import { endPage } from './end-page.ts'
import { notice } from './notice.ts'
import type { Page } from './page.ts'
import { shopLink, webAddress } from './shop-link.ts'
import { texts } from './texts.ts'

/** What the end of a session is told from. */
export interface SessionEndPageInput {
  readonly session: Session
  readonly locale: Locale
  readonly state: 'completed' | 'cancelled' | 'expired' | 'processing'
  /** The shop, where the customer is sent on at once, unless there is something here that they must read first. */
  readonly continue_to?: string
  /** How to pay in cash, where that is left to do. */
  readonly instructions_url?: string
}

/** Tells a customer that a session has ended, and how, or that its outcome is not known yet. */
export function sessionEndPage(input: SessionEndPageInput): Page {
  const { session, locale, state, continue_to, instructions_url } = input
  const text = texts[locale]
  const instructions = state === 'completed' ? webAddress(instructions_url) : null
  if (state === 'processing') {
    const again = html`<p class="actions"><a class="button" href="?locale=${locale}" data-reload>${text.check_again}</a></p>`
    return { locale, title: text.endings.processing.title, main: notice(text.endings.processing, 'waiting', again) }
  }
  if (instructions) {
    // Who must still pay in cash stays here: sent on at once, they would never see how.
    const on = html`<p class="actions"><a class="button" href="${instructions.href}">${text.see_instructions}</a></p>`
    const said = text.endings.reserved
    return { locale, title: said.title, main: notice(said, 'good', on, shopLink(continue_to, locale, true)) }
  }
  if (state === 'expired') {
    // Nothing that they did brought them here: they read why before they go.
    const said = text.endings.expired
    return { locale, title: said.title, main: notice(said, 'bad', shopLink(continue_to, locale)) }
  }
  const said = state === 'completed' && session.mode === 'customer' ? text.card_saved : text.endings[state]
  return endPage(said, state === 'completed' ? 'good' : 'bad', locale, continue_to)
}
