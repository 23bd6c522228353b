import { html } from 'hono/html'
import type { Payment, PaymentStatus } from '#shared/domain/payment.ts'
import { payment_type_names } from '#shared/domain/payment-type-names.ts'
import type { Locale } from '#shared/domain/session.ts'
import type { Html, HtmlPage } from '#shared/pages/html-page.ts'
import { continuesAt, endPage } from '#shared/pages/last-pages/end-page.ts'
import { methodRow, orderRow, printButton, receipt, sumRows } from '#shared/pages/last-pages/receipt.ts'
import { testSiteBanner } from '#shared/pages/notice.ts'
import { last_page_texts } from '#shared/pages/texts/last-page-texts.ts'
import type { Ending } from '#shared/pages/texts/text-types.ts'
import { texts } from '#shared/pages/texts/texts.ts'
import { customerDecisionForm } from './customer-decision-form.ts'

/** The input of the sandbox page that simulates another site. */
export interface OffSitePageInput {
  readonly payment: Payment
  readonly locale: Locale
  /** Epoch milliseconds. */
  readonly now: number
  /** Whether the page says that no money moves. */
  readonly sandbox: boolean
  /** The URL of the shop. A customer who has just decided is sent there at once. */
  readonly continue_to?: string | undefined
  /** Whether the customer has left without a decision. */
  readonly closed?: boolean
}

const endings: Readonly<Record<PaymentStatus, Ending>> = {
  pending: 'unfinished',
  authorized: 'completed',
  captured: 'completed',
  refunded: 'completed',
  cancelled: 'cancelled',
  expired: 'expired',
  failed: 'failed',
}

/**
 * Returns the page that simulates the site of a wallet or a bank, where the customer approves a payment or passes 3-D
 * Secure. Once the payment is decided or the page is closed, the page shows the outcome.
 */
export function offSitePage(input: OffSitePageInput): HtmlPage {
  const { payment, locale, closed = false } = input
  const text = texts[locale]
  if (payment.status === 'pending' && !closed) {
    const { type } = payment.payment_details
    const card = type === 'credit_card'
    const heading = card ? text.authenticate_heading : text.approve_heading(payment_type_names[type][locale])
    const decisions = card ? (['authenticate', 'fail', 'close'] as const) : (['approve', 'decline'] as const)
    return {
      locale,
      title: heading,
      main: html`${testSiteBanner(locale)}<h1>${heading}</h1>${card ? html`<p>${text.authenticate_note}</p>` : ''}<section class="panel">${summary(payment, locale)}${customerDecisionForm(decisions, locale)}</section>`,
    }
  }
  return decidedPage(input)
}

function decidedPage({ payment, locale, now, sandbox, continue_to }: OffSitePageInput): HtmlPage {
  const ending = endings[payment.status]
  const is_paid = ending === 'completed'
  const fields = { paid_at: payment.captured_at }
  const { fully_refunded, nothing_charged } = last_page_texts[locale]
  return endPage({
    said: payment.status === 'refunded' ? fully_refunded : texts[locale].endings[ending],
    ...{ mark: is_paid ? 'good' : 'bad', locale, shop_url: continue_to, sandbox: sandbox && is_paid },
    continues: continuesAt(payment.captured_at, now),
    note: ending === 'expired' ? nothing_charged : undefined,
    below: is_paid ? html`${receipt(payment, fields, locale)}${printButton(locale)}` : undefined,
  })
}

const summary = (payment: Payment, locale: Locale): Html =>
  html`<dl class="sums">${orderRow(payment, locale)}${methodRow(payment.payment_details, locale)}${sumRows(payment, locale)}</dl>`
