import { html } from 'hono/html'
import type { Locale } from '#shared/domain/session.ts'
import type { Html } from './page.ts'
import { texts } from './texts.ts'

/** What a customer of the sandbox decides about a payment, or about the verification of a card. */
export type Decision = 'approve' | 'decline' | 'authenticate' | 'fail' | 'close'

/** A button for each decision, the first of them the one that pays. */
export function decisionForm(decisions: readonly Decision[], locale: Locale): Html {
  const text = texts[locale]
  const button = (decision: Decision, place: number) =>
    html`<button class="${place === 0 ? 'button' : 'button plain'}" name="decision" value="${decision}">${text[decision]}</button>`
  return html`<form class="actions" method="post" action="?locale=${locale}">${decisions.map(button)}</form>`
}
