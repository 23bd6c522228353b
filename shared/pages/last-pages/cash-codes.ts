import { html } from 'hono/html'
import type { ShownDetails } from '#shared/domain/payment-details.ts'
import type { Locale } from '#shared/domain/session.ts'
import type { Html } from '#shared/pages/html-page.ts'
import { stores } from '#shared/pages/texts/choices.ts'
import { last_page_texts } from '#shared/pages/texts/last-page-texts.ts'
import type { CodeName } from '#shared/pages/texts/text-types.ts'
import { texts } from '#shared/pages/texts/texts.ts'
import { store_steps, stores_without_confirmation } from './store-steps.ts'

const shown_codes: Readonly<Record<string, readonly CodeName[]>> = {
  konbini: ['store', 'receipt', 'confirmation_code'],
  pay_easy: ['bank_id', 'customer_id', 'confirmation_id'],
  bank_transfer: ['bank_name', 'account_branch_name', 'account_type', 'account_number', 'account_name', 'order_id'],
}

/** The codes that a customer types or passes on, so the page offers to copy them. */
const copied_codes: ReadonlySet<CodeName> = new Set([
  ...(['receipt', 'confirmation_code', 'bank_id', 'customer_id', 'confirmation_id'] as const),
  ...(['account_number', 'account_name', 'order_id'] as const),
])

/**
 * Returns the codes that a customer needs to pay in cash. Scripts show a button that copies beside each code, and
 * announce what was copied.
 */
export function cashCodes(details: ShownDetails, locale: Locale): Html {
  const rows = (shown_codes[details.type] ?? []).flatMap((name) => {
    const value = details[name]
    if (value === undefined || value === null || isUnused(name, details)) return []
    const said = name === 'store' ? (stores[value]?.[locale] ?? value) : value
    const label = texts[locale].codes[name]
    return [
      html`<div><dt>${label}</dt><dd>${said}</dd>${copied_codes.has(name) ? copyButton(label, locale) : ''}</div>`,
    ]
  })
  return html`<dl class="codes">${rows}</dl><p class="unseen" role="status" data-announced></p>`
}

/** Whether the store never asks for the code. Customers could tell the clerk the wrong number. */
const isUnused = (name: CodeName, { store }: ShownDetails): boolean =>
  name === 'confirmation_code' && typeof store === 'string' && stores_without_confirmation.has(store)

function copyButton(name: string, locale: Locale): Html {
  const { copy, copy_code, copied } = last_page_texts[locale]
  return html`<dd class="copy"><button class="button plain" type="button" aria-label="${copy_code(name)}" data-copied="${copied.replace('{}', name)}" data-copy hidden>${copy}</button></dd>`
}

/** Returns the steps to pay in cash, in order. There are none for an unknown store. */
export function cashSteps({ type, store }: ShownDetails, locale: Locale): readonly string[] {
  if (type === 'konbini') return (typeof store === 'string' && store_steps[store]?.[locale]) || []
  if (type === 'pay_easy') return texts[locale].pay_easy_steps
  return type === 'bank_transfer' ? texts[locale].bank_transfer_steps : []
}
