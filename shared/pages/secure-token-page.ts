import { html } from 'hono/html'
import type { ShownDetails } from '#shared/domain/payment-details.ts'
import type { Locale } from '#shared/domain/session.ts'
import { cardLine } from './card-line.ts'
import { decisionForm } from './decision-form.ts'
import { endPage } from './end-page.ts'
import { money } from './money.ts'
import { testSiteBanner } from './notice.ts'
import type { Page } from './page.ts'
import { type Ending, texts } from './texts.ts'

/** What the page of a secure token is made from. */
export interface SecureTokenPageInput {
  readonly locale: Locale
  readonly status: 'NEEDS_VERIFY' | 'OK' | 'ERRORED' | 'SKIPPED' | 'EXPIRED'
  readonly amount: number
  readonly currency: string
  readonly shown: ShownDetails
  /** The shop, where a customer with nothing left to decide is sent on at once. */
  readonly continue_to?: string
}

const endings: Readonly<Record<SecureTokenPageInput['status'], Ending>> = {
  NEEDS_VERIFY: 'unfinished',
  OK: 'verified',
  SKIPPED: 'verified',
  ERRORED: 'failed',
  EXPIRED: 'expired',
}

/** Where the holder of a card shows that it is theirs; in test mode they decide whether that succeeds. */
export function secureTokenPage(input: SecureTokenPageInput): Page {
  const { locale, status, amount, currency, shown, continue_to } = input
  const text = texts[locale]
  if (status === 'NEEDS_VERIFY' && !continue_to)
    return {
      locale,
      title: text.authenticate_heading,
      main: html`${testSiteBanner(locale)}<h1>${text.authenticate_heading}</h1><p>${text.authenticate_note}</p><section class="panel"><dl class="sums"><div><dt>${text.card}</dt><dd>${cardLine(shown)}</dd></div><div class="total"><dt>${text.amount}</dt><dd>${money(amount, currency, locale)}</dd></div></dl>${decisionForm(['authenticate', 'fail', 'close'], locale)}</section>`,
    }
  const ending = endings[status]
  return endPage(text.endings[ending], ending === 'verified' ? 'good' : 'bad', locale, continue_to)
}
