import { html } from 'hono/html'
import type { Payment } from '#shared/domain/payment.ts'
import { payment_type_rows, type ShownDetails } from '#shared/domain/payment-details.ts'
import type { Locale, Session } from '#shared/domain/session.ts'
import type { Html, HtmlPage } from '#shared/pages/html-page.ts'
import { notice } from '#shared/pages/notice.ts'
import { watch_script } from '#shared/pages/scripts/last-page-script.ts'
import { shopLink, webAddress } from '#shared/pages/shop-link.ts'
import { last_page_style } from '#shared/pages/styles/last-page-style.ts'
import { last_page_texts } from '#shared/pages/texts/last-page-texts.ts'
import type { Notice } from '#shared/pages/texts/text-types.ts'
import { texts } from '#shared/pages/texts/texts.ts'
import { continuesAt, endPage } from './end-page.ts'
import { methodRow, printButton, receipt, reservation } from './receipt.ts'
import { waitingPage, watched } from './waiting-page.ts'

/** The input of the page that a customer sees at the end of a session. */
export interface SessionEndPageInput {
  readonly session: Session
  readonly payment?: Payment | undefined
  /** The card that the session has stored. */
  readonly saved_card?: ShownDetails | undefined
  readonly locale: Locale
  /** Epoch milliseconds. */
  readonly now: number
  /** Says on a receipt that no money moved. */
  readonly sandbox: boolean
  /** `exhausted`: the session has no tries left. */
  readonly state: 'completed' | 'cancelled' | 'expired' | 'exhausted' | 'processing'
  /**
   * The URL of the shop. A customer who has just ended the session is sent there at once, unless the customer must read
   * something on this page first.
   */
  readonly continue_to?: string
  /** The URL of the page that explains how to pay in cash; absent if nothing is left to pay in cash. */
  readonly instructions_url?: string
}

/** Returns the page which shows how a session ended, or that the outcome of its payment is not known yet. */
export function sessionEndPage(input: SessionEndPageInput): HtmlPage {
  const { locale, state, instructions_url } = input
  if (state === 'processing') return waitingPage(locale)
  if (state !== 'completed') return unpaidPage({ ...input, state })
  const instructions = webAddress(instructions_url)
  return instructions ? reservedPage(input, instructions) : completedPage(input)
}

/** Returns the page of a payment that waits for cash. A redirect to the shop would hide the instructions. */
function reservedPage({ payment, locale, continue_to }: SessionEndPageInput, instructions: URL): HtmlPage {
  const text = texts[locale]
  const on = html`<p class="actions"><a class="button" href="${instructions.href}">${text.see_instructions}</a></p>`
  const said = text.endings.reserved
  const links = notice(said, 'good', on, shopLink(continue_to, locale, true))
  const main = watched('reserved', html`${links}${payment ? reservation(payment, locale) : ''}`)
  return { locale, title: said.title, main, style: last_page_style, script: watch_script }
}

function completedPage(input: SessionEndPageInput): HtmlPage {
  const { session, payment, locale, now, sandbox, continue_to } = input
  const text = texts[locale]
  const said = payment?.status === 'refunded' ? last_page_texts[locale].fully_refunded : text.endings.completed
  return endPage({
    ...{ said: session.mode === 'customer' ? text.card_saved : said, mark: 'good', locale, sandbox },
    ...{ shop_url: continue_to, continues: continuesAt(session.completed_at, now) },
    below: detailsOf(input),
  })
}

/** Returns the receipt of the payment, or the card that was stored. */
function detailsOf({ session, payment, saved_card, locale }: SessionEndPageInput): Html | undefined {
  const { merchant_name: shop_name, completed_at } = session
  if (payment) {
    const fields = { shop_name, paid_at: paidAt(payment, completed_at) }
    return html`${receipt(payment, fields, locale)}${printButton(locale)}`
  }
  return saved_card && html`<section class="panel"><dl class="sums">${methodRow(saved_card, locale)}</dl></section>`
}

type UnpaidInput = SessionEndPageInput & { readonly state: 'cancelled' | 'expired' | 'exhausted' }

/**
 * Returns the page of a session that ended without a payment. A customer who did nothing to end it reads the reason
 * before they leave.
 */
function unpaidPage({ session, payment, locale, now, state, continue_to }: UnpaidInput): HtmlPage {
  const text = texts[locale]
  const { exhausted } = last_page_texts[locale]
  const said: Notice = state === 'exhausted' ? exhausted : text.endings[state]
  const ended_at = session.cancelled_at ?? session.completed_at
  return endPage({
    ...{ said, mark: 'bad', locale, shop_url: continue_to },
    continues: state === 'cancelled' && continuesAt(ended_at, now),
    note: state === 'cancelled' ? undefined : unpaidNote(session, payment, locale),
  })
}

/** Returns the sentence that nothing was charged. A payment that is still open can be charged, so it has none. */
function unpaidNote({ mode }: Session, payment: Payment | undefined, locale: Locale): string | undefined {
  const { card_not_saved, nothing_charged, nothing_received } = last_page_texts[locale]
  if (mode === 'customer') return card_not_saved
  if (payment?.status === 'pending') return undefined
  return payment && isCash(payment) ? nothing_received : nothing_charged
}

const isCash = ({ payment_details }: Payment): boolean => payment_type_rows[payment_details.type].flow === 'cash'

/** Returns when the customer paid. A card is paid when the session completes, even if the shop captures it later. */
const paidAt = (payment: Payment, completed_at: string | null): string | null =>
  isCash(payment) ? (payment.captured_at ?? completed_at) : (completed_at ?? payment.captured_at)
