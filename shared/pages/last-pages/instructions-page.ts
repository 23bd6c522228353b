import { html } from 'hono/html'
import type { Payment } from '#shared/domain/payment.ts'
import type { ShownDetails } from '#shared/domain/payment-details.ts'
import { payment_type_names } from '#shared/domain/payment-type-names.ts'
import type { Locale } from '#shared/domain/session.ts'
import type { Html, HtmlPage } from '#shared/pages/html-page.ts'
import { deadline, money } from '#shared/pages/money.ts'
import { notice, testBanner } from '#shared/pages/notice.ts'
import { print_script } from '#shared/pages/scripts/last-page-script.ts'
import { shopLink } from '#shared/pages/shop-link.ts'
import { stores } from '#shared/pages/texts/choices.ts'
import type { CodeName } from '#shared/pages/texts/text-types.ts'
import { texts } from '#shared/pages/texts/texts.ts'
import { store_steps } from './store-steps.ts'

/** The input of the page of a cash payment. */
export interface InstructionsPageInput {
  readonly payment: Payment
  readonly locale: Locale
  /** Adds a button that simulates the customer's payment. */
  readonly sandbox: boolean
  /** The URL of the shop. */
  readonly back_url?: string
}

const endings = {
  pending: 'processing',
  captured: 'paid',
  refunded: 'paid',
  cancelled: 'cancelled',
  expired: 'expired',
  failed: 'failed',
} as const

const marks = { processing: 'waiting', paid: 'good', cancelled: 'bad', expired: 'bad', failed: 'bad' } as const

/**
 * Returns the page that explains how to pay in cash. Once the payment is no longer `authorized`, the page shows the
 * state of the payment.
 */
export function instructionsPage(input: InstructionsPageInput): HtmlPage {
  const { payment, locale, sandbox, back_url } = input
  const text = texts[locale]
  if (payment.status !== 'authorized') {
    const ending = endings[payment.status]
    const said = text.endings[ending]
    return { locale, title: said.title, main: notice(said, marks[ending], shopLink(back_url, locale)) }
  }
  const { payment_details, total, currency, payment_deadline } = payment
  const heading = text.instructions_heading(payment_type_names[payment_details.type][locale])
  const steps = stepsOf(payment_details, locale)
  return {
    locale,
    title: heading,
    main: html`${sandbox ? testBanner(locale) : ''}<h1>${heading}</h1><section class="panel"><dl class="sums"><div class="total"><dt>${text.amount}</dt><dd>${money(total, currency, locale)}</dd></div><div><dt>${text.deadline}</dt><dd><time datetime="${payment_deadline}">${deadline(payment_deadline, locale)}</time></dd></div></dl></section><section class="panel" aria-labelledby="numbers"><h2 id="numbers">${text.numbers}</h2>${numbers(payment_details, locale)}</section>${
      steps.length > 0
        ? html`<section class="panel" aria-labelledby="steps"><h2 id="steps">${text.steps}</h2><ol>${steps.map((step) => html`<li>${step}</li>`)}</ol></section>`
        : ''
    }<div class="actions"><button class="button plain" type="button" data-print hidden>${text.print}</button>${sandbox ? simulation(locale) : ''}</div>${shopLink(back_url, locale)}`,
    script: print_script,
  }
}

const shown_codes: Readonly<Record<string, readonly CodeName[]>> = {
  konbini: ['store', 'receipt', 'confirmation_code'],
  pay_easy: ['bank_id', 'customer_id', 'confirmation_id'],
  bank_transfer: ['bank_name', 'account_branch_name', 'account_type', 'account_number', 'account_name', 'order_id'],
}

function numbers(details: ShownDetails, locale: Locale): Html {
  const rows = (shown_codes[details.type] ?? []).flatMap((name) => {
    const value = details[name]
    if (value === undefined || value === null) return []
    const said = name === 'store' ? (stores[value]?.[locale] ?? value) : value
    return [html`<div><dt>${texts[locale].codes[name]}</dt><dd>${said}</dd></div>`]
  })
  return html`<dl class="codes">${rows}</dl>`
}

function stepsOf({ type, store }: ShownDetails, locale: Locale): readonly string[] {
  if (type === 'konbini') return (typeof store === 'string' && store_steps[store]?.[locale]) || []
  if (type === 'pay_easy') return texts[locale].pay_easy_steps
  return type === 'bank_transfer' ? texts[locale].bank_transfer_steps : []
}

function simulation(locale: Locale): Html {
  return html`<form class="simulate" method="post" action="?locale=${locale}"><button class="button plain">${texts[locale].simulate}</button></form>`
}
