import { html } from 'hono/html'
import type { Payment, PaymentStatus } from '#shared/domain/payment.ts'
import { payment_type_names } from '#shared/domain/payment-type-names.ts'
import type { Locale } from '#shared/domain/session.ts'
import type { Html, HtmlPage } from '#shared/pages/html-page.ts'
import { money, shownTime } from '#shared/pages/money.ts'
import { testBanner } from '#shared/pages/notice.ts'
import { copy_script, countdown_script, print_script, watch_script } from '#shared/pages/scripts/last-page-script.ts'
import { shopLink } from '#shared/pages/shop-link.ts'
import { last_page_style } from '#shared/pages/styles/last-page-style.ts'
import { last_page_texts } from '#shared/pages/texts/last-page-texts.ts'
import { texts } from '#shared/pages/texts/texts.ts'
import { cashCodes, cashSteps } from './cash-codes.ts'
import { endPage } from './end-page.ts'
import { qrCode } from './qr-code.ts'
import { orderRow, printButton, receipt, sumRows } from './receipt.ts'
import { remainingTime } from './remaining-time.ts'
import { waitingPage, watched } from './waiting-page.ts'

/** The input of the page of a cash payment. */
export interface InstructionsPageInput {
  readonly payment: Payment
  readonly locale: Locale
  /** Epoch milliseconds. */
  readonly now: number
  /** Adds a button that simulates the customer's payment. */
  readonly sandbox: boolean
  /** The URL of this page, without its query. */
  readonly page_url: string
  /** Who is paid. */
  readonly shop_name: string
  /** The URL of the shop. */
  readonly back_url?: string
}

const endings = {
  captured: 'paid',
  refunded: 'paid',
  cancelled: 'cancelled',
  expired: 'expired',
  failed: 'failed',
} as const satisfies Partial<Record<PaymentStatus, string>>

/**
 * Returns the page that explains how to pay in cash. The page updates itself when the payment arrives. Once the payment
 * is no longer `authorized`, the page shows the state of the payment.
 */
export function instructionsPage(input: InstructionsPageInput): HtmlPage {
  const { payment, locale, now, sandbox, back_url } = input
  const { status, payment_details } = payment
  if (status === 'pending') return waitingPage(locale)
  if (status !== 'authorized') return endedPage(input, endings[status])
  const text = texts[locale]
  const heading = text.instructions_heading(payment_type_names[payment_details.type][locale])
  const seconds = Math.max(0, Math.ceil((Date.parse(payment.payment_deadline) - now) / 1000))
  const content = html`${sandbox ? testBanner(locale) : ''}<h1>${heading}</h1>${sums(input, seconds)}<section class="panel" aria-labelledby="numbers"><h2 id="numbers">${text.numbers}</h2>${cashCodes(payment_details, locale)}</section>${steps(input)}${phone(input)}${updates(locale)}${printButton(locale)}${sandbox ? simulation(locale) : ''}${shopLink(back_url, locale)}`
  return {
    ...{ locale, title: heading, main: watched('authorized', content, seconds + AFTER_DEADLINE_SECONDS) },
    style: last_page_style,
    // An old browser stops at the countdown, because it has no names for units of time.
    script: copy_script + print_script + watch_script + countdown_script,
  }
}

/** How long the page looks for the payment after the deadline, because the payment expires a moment later. */
const AFTER_DEADLINE_SECONDS = 120

/** Returns the page of a payment that no longer waits for cash. */
function endedPage(input: InstructionsPageInput, ending: Ended): HtmlPage {
  const { payment, locale, sandbox, shop_name, back_url } = input
  const { fully_refunded, nothing_received } = last_page_texts[locale]
  const fields = { shop_name, paid_at: payment.captured_at }
  const is_paid = ending === 'paid'
  return endPage({
    said: payment.status === 'refunded' ? fully_refunded : texts[locale].endings[ending],
    mark: is_paid ? 'good' : 'bad',
    ...{ locale, shop_url: back_url, continues: false, sandbox: sandbox && is_paid },
    note: ending === 'expired' ? nothing_received : undefined,
    below: is_paid ? html`${receipt(payment, fields, locale)}${printButton(locale)}` : undefined,
  })
}

type Ended = (typeof endings)[keyof typeof endings]

/** Returns the amount with the fee that it includes, and the deadline with the remaining time. */
function sums({ payment, locale, page_url }: InstructionsPageInput, seconds: number): Html {
  const { payment_details, payment_method_fee: fee, currency, payment_deadline } = payment
  const { fee_explained, left, deadline_over, calendar } = last_page_texts[locale]
  const remaining = seconds === 0 ? deadline_over : left.replace('{}', remainingTime(seconds, locale))
  const name = payment_type_names[payment_details.type][locale]
  return html`<section class="panel"><dl class="sums">${orderRow(payment, locale)}${sumRows(payment, locale)}<div><dt>${texts[locale].deadline}</dt><dd><time datetime="${payment_deadline}">${shownTime(payment_deadline, locale)}</time><span class="remaining" role="timer" data-countdown="${seconds}" data-left="${left}" data-over="${deadline_over}">${remaining}</span></dd></div></dl>${
    fee > 0 ? html`<p class="hint">${fee_explained(money(fee, currency, locale), name)}</p>` : ''
  }<a class="deadline" href="${page_url}/calendar?locale=${locale}">${calendar}</a></section>`
}

function steps({ payment, locale }: InstructionsPageInput): Html | string {
  const all = cashSteps(payment.payment_details, locale)
  if (all.length === 0) return ''
  return html`<section class="panel" aria-labelledby="steps"><h2 id="steps">${texts[locale].steps}</h2><ol>${all.map((step) => html`<li>${step}</li>`)}</ol></section>`
}

/** Returns the QR code by which a customer at a desktop takes the page to a phone. Small screens do not show it. */
function phone({ locale, page_url }: InstructionsPageInput): Html {
  const { phone_heading, phone_note, phone_code } = last_page_texts[locale]
  return html`<section class="panel phone" aria-labelledby="phone">${qrCode(`${page_url}?locale=${locale}`, phone_code)}<div><h2 id="phone">${phone_heading}</h2><p>${phone_note}</p></div></section>`
}

/** Returns the link that looks for the payment, and what scripts do instead. */
const updates = (locale: Locale): Html =>
  html`<p class="updates"><span data-updates hidden>${last_page_texts[locale].updates_itself}</span><a href="?locale=${locale}">${texts[locale].check_again}</a></p>`

const simulation = (locale: Locale): Html =>
  html`<form class="actions" method="post" action="?locale=${locale}"><button class="button plain">${texts[locale].simulate}</button></form>`
