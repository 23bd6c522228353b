import { html } from 'hono/html'
import type { Payment, PaymentStatus } from '#shared/domain/payment.ts'
import { payment_type_names } from '#shared/domain/payment-type-names.ts'
import type { Locale } from '#shared/domain/session.ts'
import { cardLine } from '#shared/pages/card-line.ts'
import type { Html, HtmlPage } from '#shared/pages/html-page.ts'
import { endPage } from '#shared/pages/last-pages/end-page.ts'
import { money } from '#shared/pages/money.ts'
import { testSiteBanner } from '#shared/pages/notice.ts'
import type { Ending } from '#shared/pages/texts/text-types.ts'
import { texts } from '#shared/pages/texts/texts.ts'
import { customerDecisionForm } from './customer-decision-form.ts'

/** The input of the sandbox page that simulates another site. */
export interface OffSitePageInput {
  readonly payment: Payment
  readonly locale: Locale
  /** The URL of the shop. A customer with nothing left to decide is sent there at once. */
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
export function offSitePage({ payment, locale, continue_to, closed = false }: OffSitePageInput): HtmlPage {
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
  const ending = endings[payment.status]
  return endPage(text.endings[ending], ending === 'completed' ? 'good' : 'bad', locale, continue_to)
}

function summary({ payment_details, total, currency }: Payment, locale: Locale): Html {
  const text = texts[locale]
  const card = payment_details.type === 'credit_card'
  const way = card ? cardLine(payment_details) : payment_type_names[payment_details.type][locale]
  return html`<dl class="sums"><div><dt>${card ? text.card : text.method}</dt><dd>${way}</dd></div><div class="total"><dt>${text.amount}</dt><dd>${money(total, currency, locale)}</dd></div></dl>`
}
