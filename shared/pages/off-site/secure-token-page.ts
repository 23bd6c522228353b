import { html } from 'hono/html'
import type { ShownDetails } from '#shared/domain/payment-details.ts'
import type { Locale } from '#shared/domain/session.ts'
import { cardLine } from '#shared/pages/card-line.ts'
import type { HtmlPage } from '#shared/pages/html-page.ts'
import { endPage } from '#shared/pages/last-pages/end-page.ts'
import { money } from '#shared/pages/money.ts'
import { testSiteBanner } from '#shared/pages/notice.ts'
import { last_page_texts } from '#shared/pages/texts/last-page-texts.ts'
import type { Ending } from '#shared/pages/texts/text-types.ts'
import { texts } from '#shared/pages/texts/texts.ts'
import { customerDecisionForm } from './customer-decision-form.ts'

/** The input of the page of a secure token. */
export interface SecureTokenPageInput {
  readonly locale: Locale
  readonly status: 'NEEDS_VERIFY' | 'OK' | 'ERRORED' | 'SKIPPED' | 'EXPIRED'
  readonly amount: number
  readonly currency: string
  readonly shown: ShownDetails
  /** The URL of the shop. A customer with nothing left to decide is sent there at once. */
  readonly continue_to?: string
}

const endings: Readonly<Record<SecureTokenPageInput['status'], Ending>> = {
  NEEDS_VERIFY: 'unfinished',
  OK: 'verified',
  SKIPPED: 'verified',
  ERRORED: 'unverified',
  EXPIRED: 'expired',
}

/**
 * Returns the page where a cardholder passes 3-D Secure. In the sandbox, the cardholder decides whether 3-D Secure
 * succeeds.
 */
export function secureTokenPage(input: SecureTokenPageInput): HtmlPage {
  const { locale, status, amount, currency, shown, continue_to } = input
  const text = texts[locale]
  if (status === 'NEEDS_VERIFY' && !continue_to)
    return {
      locale,
      title: text.authenticate_heading,
      main: html`${testSiteBanner(locale)}<h1>${text.authenticate_heading}</h1><p>${text.authenticate_note}</p><section class="panel"><dl class="sums"><div><dt>${text.card}</dt><dd>${cardLine(shown)}</dd></div><div class="total"><dt>${text.amount}</dt><dd>${money(amount, currency, locale)}</dd></div></dl>${customerDecisionForm(['authenticate', 'fail', 'close'], locale)}</section>`,
    }
  const ending = endings[status]
  return endPage({
    said: text.endings[ending],
    ...{ mark: ending === 'verified' ? 'good' : 'bad', locale, shop_url: continue_to },
    note: ending === 'expired' ? last_page_texts[locale].nothing_charged : undefined,
  })
}
